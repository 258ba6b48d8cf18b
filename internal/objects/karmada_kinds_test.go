package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func objectOf(gvk schema.GroupVersionKind, raw string) *model.Object {
	return &model.Object{Ref: model.Ref{Instance: "asia", GVK: gvk, Namespace: "shop", Name: "web"}, Raw: []byte(raw)}
}

func TestMultiClusterServiceOf(t *testing.T) {
	web := "web"
	got, err := MultiClusterServiceOf(objectOf(MultiClusterService, `{"spec":{"types":["CrossCluster"],"ports":[{"name":"web","port":80},{"port":443}],"providerClusters":[{"name":"tokyo"}],
		"consumerClusters":[{"name":"singapore"}],"range":{"clusterNames":["a"]},"serviceProvisionClusters":["b"],"serviceConsumptionClusters":["c"]},
		"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"},{"hostname":"a.example"},{}]}}}`))
	want := &model.MultiClusterService{Types: []model.ServiceExposureType{model.ExposeCrossCluster}, Ports: []model.ServiceExposurePort{{Name: &web, Port: 80}, {Port: 443}},
		ProviderClusters: []string{"tokyo"}, ConsumerClusters: []string{"singapore"}, Range: []string{"a"}, ServiceProvisionClusters: []string{"b"}, ServiceConsumptionClusters: []string{"c"},
		Addresses: []string{"192.0.2.1", "a.example"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(diff, err)
	}
}

func TestFederatedResourceQuotaOf(t *testing.T) {
	got, err := FederatedResourceQuotaOf(objectOf(FederatedResourceQuota, `{"spec":{"overall":{"memory":"1Gi","cpu":2,"odd":{}},"staticAssignments":[{"clusterName":"tokyo","hard":{"cpu":"500m"}}]},
		"status":{"overallUsed":{"cpu":"1"},"aggregatedStatus":[{"clusterName":"tokyo","hard":{"cpu":"1"},"used":{"cpu":"250m"}},{"clusterName":"hangzhou"}]}}`))
	amount := func(resource, quantity string, number float64) []model.QuotaAmount {
		return []model.QuotaAmount{{Resource: resource, Quantity: quantity, Number: number}}
	}
	want := &model.FederatedResourceQuota{
		Overall:           append(amount("cpu", "2", 2), amount("memory", "1Gi", 1<<30)...),
		StaticAssignments: []model.QuotaAssignment{{ClusterName: "tokyo", Hard: amount("cpu", "500m", 0.5)}},
		OverallUsed:       amount("cpu", "1", 1),
		Clusters: []model.ClusterQuota{{ClusterName: "hangzhou", Hard: []model.QuotaAmount{}, Used: []model.QuotaAmount{}},
			{ClusterName: "tokyo", Hard: amount("cpu", "1", 1), Used: amount("cpu", "250m", 0.25)}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(diff, err)
	}
}

func TestOtherKindsHaveNoTypedPart(t *testing.T) {
	o := objectOf(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, `{"spec":7}`)
	if service, err := MultiClusterServiceOf(o); service != nil || err != nil {
		t.Error(service, err)
	}
	if quota, err := FederatedResourceQuotaOf(o); quota != nil || err != nil {
		t.Error(quota, err)
	}
	if _, err := MultiClusterServiceOf(objectOf(MultiClusterService, `{"spec":7}`)); err == nil {
		t.Error("an odd one is read")
	}
}
