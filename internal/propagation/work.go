package propagation

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Annotations of Works.
const (
	ofBindingNamespace      = "resourcebinding.karmada.io/namespace"
	ofBinding               = "resourcebinding.karmada.io/name"
	ofClusterBinding        = "clusterresourcebinding.karmada.io/name"
	appliedOverrides        = "policy.karmada.io/applied-overrides"
	appliedClusterOverrides = "policy.karmada.io/applied-cluster-overrides"
)

// executionSpace begins the name of the namespace in which Karmada keeps the Works of a cluster.
const executionSpace = "karmada-es-"

// work is the fields of a work.karmada.io/v1alpha1 Work that the model shows.
type work struct {
	Metadata objects.Meta `json:"metadata"`
	Spec     struct {
		SuspendDispatching bool `json:"suspendDispatching"`
		Workload           struct {
			Manifests []jsonv2.Part `json:"manifests"`
		} `json:"workload"`
	} `json:"spec"`
	Status struct {
		Conditions       []condition `json:"conditions"`
		ManifestStatuses []struct {
			Identifier struct {
				Ordinal int    `json:"ordinal"`
				Kind    string `json:"kind"`
				Name    string `json:"name"`
			} `json:"identifier"`
			Status jsonv2.Part `json:"status"`
			Health string      `json:"health"`
		} `json:"manifestStatuses"`
	} `json:"status"`
}

// DecodeWork reads a Work (work.karmada.io/v1alpha1) from JSON. The Work keeps raw, which must not be
// changed afterwards.
func DecodeWork(instance string, raw []byte) (*model.Work, error) {
	var w work
	if err := jsonv2.Unmarshal(raw, &w); err != nil {
		return nil, fmt.Errorf("decode Work of instance %q: %w", instance, err)
	}
	if w.Metadata.Name == "" {
		return nil, fmt.Errorf("decode Work of instance %q: %w", instance, errors.New("metadata.name is empty"))
	}
	annotations := w.Metadata.Annotations
	cluster, _ := strings.CutPrefix(w.Metadata.Namespace, executionSpace)
	if cluster == w.Metadata.Namespace {
		cluster = ""
	}
	out := &model.Work{
		Object: w.Metadata.Object(model.Ref{Instance: instance,
			GVK: schema.GroupVersionKind{Group: model.WorkGroup, Version: model.WorkVersion, Kind: "Work"}}, raw),
		ClusterName:             cluster,
		Suspended:               w.Spec.SuspendDispatching,
		Conditions:              conditions(w.Status.Conditions),
		Manifests:               make([]model.WorkManifest, 0, len(w.Spec.Workload.Manifests)),
		AppliedOverrides:        annotations[appliedOverrides],
		AppliedClusterOverrides: annotations[appliedClusterOverrides],
	}
	if name := cmp.Or(annotations[ofBinding], annotations[ofClusterBinding]); name != "" {
		out.BindingRef = BindingRef(instance, annotations[ofBindingNamespace], name)
	}
	for i, m := range w.Spec.Workload.Manifests {
		manifest, err := workManifest(model.Ref{Instance: instance, Cluster: cluster}, m)
		if err != nil {
			return nil, fmt.Errorf("decode Work %s/%s of instance %q: manifest %d: %w", w.Metadata.Namespace, w.Metadata.Name, instance, i, err)
		}
		for _, s := range w.Status.ManifestStatuses {
			if s.Identifier.Ordinal == i && s.Identifier.Kind == manifest.Ref.GVK.Kind && s.Identifier.Name == manifest.Ref.Name {
				manifest.Health, manifest.Status = health(s.Health), s.Status
			}
		}
		out.Manifests = append(out.Manifests, manifest)
	}
	out.Applied = workApplied(out)
	return out, nil
}

// workManifest reads the identity of an object in a Work.
func workManifest(at model.Ref, raw []byte) (model.WorkManifest, error) {
	var m struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"metadata"`
	}
	if err := jsonv2.Unmarshal(raw, &m); err != nil {
		return model.WorkManifest{}, err
	}
	gv, err := schema.ParseGroupVersion(m.APIVersion)
	if err != nil {
		return model.WorkManifest{}, err
	}
	at.GVK, at.Namespace, at.Name = gv.WithKind(m.Kind), m.Metadata.Namespace, m.Metadata.Name
	return model.WorkManifest{Ref: at, Health: model.HealthUnknown, Raw: raw}, nil
}

// workApplied is the Work's own condition. Karmada does not record its generation.
func workApplied(w *model.Work) model.Fact {
	c := findCondition(w.Conditions, "Applied")
	switch {
	case c != nil && c.Status == model.FactFalse:
		return model.Fact{Value: model.FactFalse, Reason: ReasonApplyFailed, Message: c.Message, Since: c.Since}
	case w.Suspended:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonDispatchingSuspended,
			Message: "sending it to the cluster is suspended"}
	case c == nil:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonNotYetApplied, Message: "it has not been sent to the cluster yet"}
	case c.Status == model.FactTrue:
		return model.Fact{Value: model.FactTrue, Reason: ReasonApplied, Since: c.Since}
	}
	return model.Fact{Value: model.FactUnknown, Reason: c.Reason, Message: c.Message, Since: c.Since}
}

// collectedBy is what Karmada will copy from a Work into its binding: the binding follows a moment later. Nil when the
// Work has no status yet.
func collectedBy(w *model.Work, object model.Ref) *model.BindingMember {
	if w.Applied.Value == model.FactUnknown && findCondition(w.Conditions, "Applied") == nil {
		return nil
	}
	m := &model.BindingMember{InstanceName: w.Ref.Instance, ClusterName: w.ClusterName, Health: model.HealthUnknown}
	switch w.Applied.Value {
	case model.FactFalse:
		m.Message = w.Applied.Message
		return m
	case model.FactTrue:
		m.Applied = true
	default:
		// Suspended: the member keeps its previous state.
		m.Applied = findCondition(w.Conditions, "Applied").Status == model.FactTrue
	}
	for i := range w.Manifests {
		r := w.Manifests[i].Ref
		if r.GVK.GroupKind() == object.GVK.GroupKind() && r.Namespace == object.Namespace && r.Name == object.Name {
			m.Health, m.Status = w.Manifests[i].Health, w.Manifests[i].Status
		}
	}
	return m
}
