package actions

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/policy"
)

// maxPorts is how many ports a Service may be given.
const maxPorts = 100

var serviceKind = schema.GroupVersionKind{Version: "v1", Kind: "Service"}

// serviceTypes are Kubernetes' names of the types.
var serviceTypes = map[model.ServiceType]string{
	model.ServiceClusterIP: "ClusterIP", model.ServiceNodePort: "NodePort", model.ServiceLoadBalancer: "LoadBalancer", model.ServiceExternalName: "ExternalName",
}

// CreateService makes a Service, with the policy that takes it to members.
type CreateService struct {
	Instance, Namespace, Name string
	Type                      model.ServiceType
	// Headless has it without an address of its own.
	Headless     bool
	ExternalName string
	Ports        []ServicePort
	// Selector is nil for the labels by which the workload selects its pods.
	Selector            []model.KeyValue
	Labels, Annotations []model.KeyValue
	// Workload is the global id of the workload that it is for; empty for none.
	Workload string
	// Clusters are where it goes; nil for where the workload may be.
	Clusters []string
	// Propagate has a policy made.
	Propagate bool
	DryRun    bool
}

// ServicePort is one port of a Service; empty is what Kubernetes chooses.
type ServicePort struct {
	Name, TargetPort, AppProtocol string
	Protocol                      model.ServiceProtocol
	Port                          int32
	NodePort                      *int32
}

// MadeService is a Service and its policy; nil is what is not there.
type MadeService struct {
	Service *model.Service
	Policy  model.Policy
	Objects []model.DocumentOutcome

	parts []*part
}

// Verb names the action.
func (a *CreateService) Verb() string { return "createService" }

// InputOf is the name or the namespace; a field of the Service that is known is named before.
func (a *CreateService) InputOf(path []string) []string { return namedOr(path) }

// Target returns the Service that is to be.
func (a *CreateService) Target(auth.Principal) (Target, error) {
	ref := model.Ref{Instance: a.Instance, GVK: serviceKind, Namespace: clipped(a.Namespace), Name: clipped(a.Name)}
	return Target{Ref: ref, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed refuses people who may write nothing in the instance, before the workload is read.
func (a *CreateService) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do returns what was made, as Karmada returned it.
func (a *CreateService) Do(ctx context.Context, call *Call) (MadeService, []model.UserError, error) {
	parts, err := a.parts(ctx, call)
	if err != nil {
		return MadeService{Objects: []model.DocumentOutcome{}}, nil, err
	}
	problems, err := makeAll(ctx, call, parts)
	if err != nil {
		return MadeService{}, nil, err
	}
	out, err := madeService(parts)
	return out, problems, err
}

// parts are what is to be made, in order.
func (a *CreateService) parts(ctx context.Context, call *Call) ([]*part, error) {
	if err := named(a.Namespace, a.Name, validation.IsDNS1035Label); err != nil {
		return nil, err
	}
	var workload map[string]any
	var kind model.WorkloadKind
	if a.Workload != "" {
		var err error
		if workload, kind, err = a.workload(ctx, call); err != nil {
			return nil, err
		}
	}
	object, err := a.object(kind, workload)
	if err != nil {
		return nil, err
	}
	service := &part{ref: call.Target.Ref, object: object, input: a.inputOf}
	if !a.Propagate {
		if a.Clusters != nil {
			return nil, model.BadInput("clusters", "are given, and propagate is false; leave one of them out")
		}
		return []*part{service}, nil
	}
	placement, err := a.placement(ctx, call, workload)
	if err != nil {
		return nil, err
	}
	field := "workload"
	if a.Clusters != nil {
		field = "clusters"
	}
	return []*part{policyFor(call.Target.Ref, model.PolicyPropagation, field, map[string]any{"placement": placement}), service}, nil
}

// workload is the workload that the Service is for, as Karmada holds it.
func (a *CreateService) workload(ctx context.Context, call *Call) (map[string]any, model.WorkloadKind, error) {
	ref, err := model.ParseWorkloadID(a.Workload)
	if err != nil {
		return nil, "", model.BadInput("workload", "is not the id of a workload")
	}
	kind, ok := model.WorkloadKindOf(ref.GVK)
	if !ok || ref.Instance != a.Instance || ref.Namespace != a.Namespace || ref.Cluster != "" {
		return nil, "", model.BadInput("workload", "is the id of a %s in namespace %q of instance %q; a workload of the control plane %q in namespace %q is needed",
			ref.GVK.Kind, ref.Namespace, ref.Instance, a.Instance, a.Namespace)
	}
	object, err := readTree(ctx, call, ref)
	if karmada.IsAbsent(err) {
		return nil, "", model.BadInput("workload", "%s %q is not there", ref.GVK.Kind, ref.Name)
	}
	return object, kind, err
}

// object is the Service.
func (a *CreateService) object(kind model.WorkloadKind, workload map[string]any) (map[string]any, error) {
	labels, err := labelsOf("labels", a.Labels)
	if err != nil {
		return nil, err
	}
	annotations := map[string]any{}
	for _, kv := range a.Annotations {
		annotations[kv.Key] = kv.Value
	}
	spec := map[string]any{"type": serviceTypes[a.Type]}
	if spec["ports"], err = a.ports(); err != nil {
		return nil, err
	}
	switch {
	case a.Type == model.ServiceExternalName:
		if a.ExternalName == "" {
			return nil, model.BadInput("externalName", "is missing; give the DNS name that the Service stands for")
		}
		spec["externalName"] = a.ExternalName
	case a.ExternalName != "":
		return nil, model.BadInput("externalName", "is for type EXTERNAL_NAME, and the type is %s", a.Type)
	default:
		if spec["selector"], err = a.selector(kind, workload); err != nil {
			return nil, err
		}
	}
	if a.Headless {
		if a.Type != model.ServiceClusterIP {
			return nil, model.BadInput("headless", "is for type CLUSTER_IP, and the type is %s", a.Type)
		}
		spec["clusterIP"] = "None"
	}
	return map[string]any{"apiVersion": "v1", "kind": "Service", "spec": spec,
		"metadata": map[string]any{"namespace": a.Namespace, "name": a.Name, "labels": labels, "annotations": annotations}}, nil
}

func (a *CreateService) ports() ([]any, error) {
	switch n := len(a.Ports); {
	case n > maxPorts:
		return nil, model.BadInput("ports", "holds %d; at most %d are allowed", n, maxPorts)
	case n == 0 && a.Type != model.ServiceExternalName && !a.Headless:
		return nil, model.BadInput("ports", "is empty; a Service of type %s needs one", a.Type)
	}
	out := []any{}
	for _, p := range a.Ports {
		port := map[string]any{"port": int64(p.Port), "protocol": string(p.Protocol)}
		if p.TargetPort != "" {
			port["targetPort"] = p.TargetPort
			if n, err := strconv.ParseInt(p.TargetPort, 10, 32); err == nil {
				port["targetPort"] = n
			}
		}
		if p.NodePort != nil {
			port["nodePort"] = int64(*p.NodePort)
		}
		for field, value := range map[string]string{"name": p.Name, "appProtocol": p.AppProtocol} {
			if value != "" {
				port[field] = value
			}
		}
		out = append(out, port)
	}
	return out, nil
}

// selector is what is given, or the labels by which the workload knows its pods.
func (a *CreateService) selector(kind model.WorkloadKind, workload map[string]any) (map[string]any, error) {
	if a.Selector != nil {
		return labelsOf("selector", a.Selector)
	}
	if workload == nil {
		return nil, model.BadInput("selector", "is missing: give the labels of the pods that the Service sends to, or the workload that has them")
	}
	spec, _ := workload["spec"].(map[string]any)
	selector, _ := spec["selector"].(map[string]any)
	labels, _ := selector["matchLabels"].(map[string]any)
	if len(labels) == 0 || kind == model.KindJob || kind == model.KindCronJob {
		// Members give the pods of a Job other labels to be known by.
		labels = podLabels(kind, workload)
	}
	if len(labels) == 0 {
		return nil, model.BadInput("selector", "is missing, and the pods of the workload have no labels")
	}
	return labels, nil
}

// podLabels are the labels of a workload's pods, without those that the API server gave the pods of a Job.
func podLabels(kind model.WorkloadKind, workload map[string]any) map[string]any {
	template := []string{"spec", "template", "metadata", "labels"}
	if kind == model.KindCronJob {
		template = []string{"spec", "jobTemplate", "spec", "template", "metadata", "labels"}
	}
	out := map[string]any{}
	for key, value := range valueAt(workload, template...) {
		if !slices.Contains(jobLabels, key) {
			out[key] = value
		}
	}
	return out
}

// valueAt is the map at a path; nil without one.
func valueAt(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		object, _ = object[name].(map[string]any)
	}
	return object
}

// placement is where the Service goes: to the clusters that are named, or wherever the policy of the workload may place it.
func (a *CreateService) placement(ctx context.Context, call *Call, workload map[string]any) (map[string]any, error) {
	if a.Clusters != nil {
		clusters, err := members(call)
		if err == nil {
			err = clusters.check([]string{"clusters"}, a.Clusters)
		}
		return map[string]any{"clusterAffinity": map[string]any{"clusterNames": anys(a.Clusters)}}, err
	}
	if workload == nil {
		return nil, model.BadInput("clusters", "are missing: name the members that the Service goes to, or the workload that it follows; or say propagate: false")
	}
	ref, ok := claimOf(a.Instance, workload)
	if !ok {
		return nil, model.BadInput("workload", "is claimed by no policy that the Service could follow; name its clusters")
	}
	claiming, err := readTree(ctx, call, ref)
	if karmada.IsAbsent(err) {
		return nil, model.BadInput("workload", "is claimed by %s %q, which is not there any more; name the clusters of the Service", ref.GVK.Kind, ref.Name)
	}
	if err != nil {
		return nil, err
	}
	return policy.Reach(valueAt(claiming, "spec", "placement")), nil
}

// claimOf is the policy that claims a template.
func claimOf(instance string, object map[string]any) (model.Ref, bool) {
	annotations := valueAt(object, "metadata", "annotations")
	said := func(key string) string { s, _ := annotations[key].(string); return s }
	ref := model.Ref{Instance: instance, GVK: model.PolicyPropagation.GVK(), Namespace: said(objects.PolicyNamespace), Name: said(objects.PolicyName)}
	if ref.Namespace == "" || ref.Name == "" {
		ref = model.Ref{Instance: instance, GVK: model.PolicyClusterPropagation.GVK(), Name: said(objects.ClusterPolicyName)}
	}
	return ref, ref.Name != ""
}

// inputOf is where the input says what an API server complains about.
func (a *CreateService) inputOf(path []string) []string {
	if len(path) < 2 {
		return nil
	}
	switch rest := path[2:]; path[1] {
	case "name", "labels", "annotations", "type", "selector", "externalName":
		return path[1:2]
	case "clusterIP", "clusterIPs":
		return []string{"headless"}
	case "ports":
		if len(rest) > 1 {
			rest = rest[:2]
		}
		return append([]string{"ports"}, rest...)
	}
	return nil
}

// readTree reads an object as Karmada holds it.
func readTree(ctx context.Context, call *Call, ref model.Ref) (map[string]any, error) {
	raw, err := call.read(ctx, ref)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("decode %s %q: %w", ref.GVK.Kind, ref.Name, err)
	}
	return out, nil
}

// madeService finds the objects among what was made.
func madeService(parts []*part) (out MadeService, err error) {
	out.Objects, out.parts = results(parts), parts
	for _, p := range parts {
		if p.ref.GVK == serviceKind {
			out.Service, err = madeAs[*model.Service](p)
		} else {
			out.Policy, err = madeAs[model.Policy](p)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// Kept is the ids of what was made.
func (a *CreateService) Kept(out MadeService) any { return ids(out.parts) }

// Again returns what was made, as it is now.
func (a *CreateService) Again(ctx context.Context, call *Call, kept []byte) (MadeService, error) {
	parts, err := madeBefore(ctx, call, kept)
	if err != nil {
		return MadeService{}, err
	}
	return madeService(parts)
}
