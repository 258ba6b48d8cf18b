package resolvers

import (
	"encoding/json"
	"fmt"
	"maps"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// shownForm is the form of a template; nil for what lives in a member, or was read without its body.
func shownForm(w *model.WorkloadMeta) (*graph.WorkloadForm, error) {
	if w.Ref.Cluster != "" || w.Raw == nil {
		return nil, nil //nolint:nilnil // see above
	}
	var object map[string]any
	if err := utiljson.Unmarshal(w.Raw, &object); err != nil {
		return nil, fmt.Errorf("decoding a workload: %w", err)
	}
	form, hidden := workloadform.Read(w.WorkloadKind, object)
	raw, err := json.Marshal(form)
	if err != nil {
		return nil, fmt.Errorf("encoding a form: %w", err)
	}
	out := &graph.WorkloadForm{}
	if err := json.Unmarshal(raw, out); err != nil {
		return nil, fmt.Errorf("decoding a form: %w", err)
	}
	out.Hidden = hidden
	return out, nil
}

// formOf is an input as a tree: what the client left out is not in it, and what it gave as null is nil.
func formOf(input any) (workloadform.Form, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, fmt.Errorf("encoding a form: %w", err)
	}
	var out workloadform.Form
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("decoding a form: %w", err)
	}
	return out, nil
}

func createWorkload(in *graph.CreateWorkloadInput) (*actions.CreateWorkload, error) {
	form, err := formOf(in.Form)
	out := &actions.CreateWorkload{Instance: in.Instance, Kind: in.Kind, Namespace: in.Namespace, Name: in.Name, Form: form, DryRun: isTrue(in.DryRun)}
	if in.Placement != nil {
		out.Clusters, out.Dependencies = in.Placement.Clusters, or(in.Placement.Dependencies, true)
	}
	for i := range in.Overrides {
		given := &in.Overrides[i]
		o := actions.WorkloadOverride{Clusters: given.Clusters, Replicas: given.Replicas, Labels: given.Labels, Annotations: given.Annotations}
		for _, c := range given.Containers {
			fields, wrong := formOf(c)
			if wrong != nil {
				return nil, wrong
			}
			maps.DeleteFunc(fields, func(field string, _ any) bool { return field == "name" || field == "image" })
			o.Containers = append(o.Containers, actions.ContainerOverride{Name: c.Name, Image: c.Image, Form: fields})
		}
		out.Overrides = append(out.Overrides, o)
	}
	return out, err
}

func createService(in *graph.CreateServiceInput) *actions.CreateService {
	out := &actions.CreateService{Instance: in.Instance, Namespace: in.Namespace, Name: in.Name, Type: or(in.Type, model.ServiceClusterIP), Headless: isTrue(in.Headless),
		ExternalName: text(in.ExternalName), Selector: in.Selector, Labels: in.Labels, Annotations: in.Annotations, Workload: text(in.Workload), Clusters: in.Clusters,
		Propagate: or(in.Propagate, true), DryRun: isTrue(in.DryRun)}
	for _, p := range in.Ports {
		out.Ports = append(out.Ports, actions.ServicePort{Name: text(p.Name), Port: p.Port, TargetPort: text(p.TargetPort), Protocol: or(p.Protocol, model.ProtocolTCP),
			NodePort: p.NodePort, AppProtocol: text(p.AppProtocol)})
	}
	return out
}
