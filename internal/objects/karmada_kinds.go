package objects

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Kinds of Karmada that have a typed form, in the versions that the read store keeps.
var (
	MultiClusterService    = schema.GroupVersionKind{Group: "networking.karmada.io", Version: "v1alpha1", Kind: "MultiClusterService"}
	FederatedResourceQuota = schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "FederatedResourceQuota"}
	ClusterTaintPolicy     = schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "ClusterTaintPolicy"}
)

// MultiClusterServiceOf is what an object says as a MultiClusterService; nil for another kind.
func MultiClusterServiceOf(o *model.Object) (*model.MultiClusterService, error) {
	if o.Ref.GVK != MultiClusterService {
		return nil, nil //nolint:nilnil // another kind says nothing
	}
	type named struct {
		Name string `json:"name"`
	}
	var in struct {
		Spec struct {
			Types []string `json:"types"`
			Ports []struct {
				Name string `json:"name"`
				Port int32  `json:"port"`
			} `json:"ports"`
			ProviderClusters []named `json:"providerClusters"`
			ConsumerClusters []named `json:"consumerClusters"`
			Range            struct {
				ClusterNames []string `json:"clusterNames"`
			} `json:"range"`
			ServiceProvisionClusters   []string `json:"serviceProvisionClusters"`
			ServiceConsumptionClusters []string `json:"serviceConsumptionClusters"`
		} `json:"spec"`
		Status struct {
			LoadBalancer struct {
				Ingress []struct {
					IP       string `json:"ip"`
					Hostname string `json:"hostname"`
				} `json:"ingress"`
			} `json:"loadBalancer"`
		} `json:"status"`
	}
	if err := jsonv2.Unmarshal(o.Raw, &in); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", o.Ref.GVK.Kind, err)
	}
	names := func(all []named) []string {
		out := make([]string, len(all))
		for i := range all {
			out[i] = all[i].Name
		}
		return out
	}
	out := &model.MultiClusterService{
		Types: make([]model.ServiceExposureType, len(in.Spec.Types)), Ports: make([]model.ServiceExposurePort, len(in.Spec.Ports)),
		ProviderClusters: names(in.Spec.ProviderClusters), ConsumerClusters: names(in.Spec.ConsumerClusters),
		Range: append([]string{}, in.Spec.Range.ClusterNames...), ServiceProvisionClusters: append([]string{}, in.Spec.ServiceProvisionClusters...),
		ServiceConsumptionClusters: append([]string{}, in.Spec.ServiceConsumptionClusters...), Addresses: []string{},
	}
	for i, t := range in.Spec.Types {
		out.Types[i] = Enum[model.ServiceExposureType](t)
	}
	for i, p := range in.Spec.Ports {
		out.Ports[i] = model.ServiceExposurePort{Name: orNil(p.Name), Port: p.Port}
	}
	for _, a := range in.Status.LoadBalancer.Ingress {
		if address := cmp.Or(a.IP, a.Hostname); address != "" {
			out.Addresses = append(out.Addresses, address)
		}
	}
	return out, nil
}

type quotaList map[string]jsonv2.Raw

// amounts are the amounts of a list that are quantities, by resource; never nil.
func (l quotaList) amounts() []model.QuotaAmount {
	out := make([]model.QuotaAmount, 0, len(l))
	for name, raw := range l {
		if text, number, ok := quantity(raw); ok {
			out = append(out, model.QuotaAmount{Resource: name, Quantity: text, Number: number})
		}
	}
	slices.SortFunc(out, func(a, b model.QuotaAmount) int { return cmp.Compare(a.Resource, b.Resource) })
	return out
}

// FederatedResourceQuotaOf is what an object says as a FederatedResourceQuota; nil for another kind.
func FederatedResourceQuotaOf(o *model.Object) (*model.FederatedResourceQuota, error) {
	if o.Ref.GVK != FederatedResourceQuota {
		return nil, nil //nolint:nilnil // another kind says nothing
	}
	type cluster struct {
		ClusterName string    `json:"clusterName"`
		Hard        quotaList `json:"hard"`
		Used        quotaList `json:"used"`
	}
	var in struct {
		Spec struct {
			Overall           quotaList `json:"overall"`
			StaticAssignments []cluster `json:"staticAssignments"`
		} `json:"spec"`
		Status struct {
			OverallUsed      quotaList `json:"overallUsed"`
			AggregatedStatus []cluster `json:"aggregatedStatus"`
		} `json:"status"`
	}
	if err := jsonv2.Unmarshal(o.Raw, &in); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", o.Ref.GVK.Kind, err)
	}
	out := &model.FederatedResourceQuota{
		Overall: in.Spec.Overall.amounts(), OverallUsed: in.Status.OverallUsed.amounts(),
		StaticAssignments: []model.QuotaAssignment{}, Clusters: []model.ClusterQuota{},
	}
	for _, a := range in.Spec.StaticAssignments {
		out.StaticAssignments = append(out.StaticAssignments, model.QuotaAssignment{ClusterName: a.ClusterName, Hard: a.Hard.amounts()})
	}
	for _, c := range in.Status.AggregatedStatus {
		out.Clusters = append(out.Clusters, model.ClusterQuota{ClusterName: c.ClusterName, Hard: c.Hard.amounts(), Used: c.Used.amounts()})
	}
	slices.SortFunc(out.Clusters, func(a, b model.ClusterQuota) int { return cmp.Compare(a.ClusterName, b.ClusterName) })
	return out, nil
}
