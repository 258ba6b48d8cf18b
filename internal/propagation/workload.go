package propagation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/wire"
)

// Annotations that Karmada puts on what it propagates.
const (
	policyNamespaceAnnotation = "propagationpolicy.karmada.io/namespace"
	policyNameAnnotation      = "propagationpolicy.karmada.io/name"
	clusterPolicyAnnotation   = "clusterpropagationpolicy.karmada.io/name"
)

// lastAppliedAnnotation repeats the whole object: it is dropped, as the read store does.
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"

type objectMeta struct {
	Namespace         string            `json:"namespace"`
	Name              string            `json:"name"`
	UID               string            `json:"uid"`
	ResourceVersion   string            `json:"resourceVersion"`
	Generation        int64             `json:"generation"`
	CreationTimestamp time.Time         `json:"creationTimestamp"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp"`
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
	ManagedFields     []struct {
		Subresource string     `json:"subresource"`
		Time        *time.Time `json:"time"`
	} `json:"managedFields"`
}

type podTemplate struct {
	Spec struct {
		Containers []struct {
			Image string `json:"image"`
		} `json:"containers"`
	} `json:"spec"`
}

// template is the fields that any of the five kinds of workload has and the model shows.
type template struct {
	Metadata objectMeta `json:"metadata"`
	Spec     struct {
		Replicas    *int32      `json:"replicas"`
		Paused      bool        `json:"paused"`
		Suspend     bool        `json:"suspend"`
		ServiceName string      `json:"serviceName"`
		Completions *int32      `json:"completions"`
		Parallelism *int32      `json:"parallelism"`
		Schedule    string      `json:"schedule"`
		TimeZone    *string     `json:"timeZone"`
		Template    podTemplate `json:"template"`
		JobTemplate struct {
			Spec struct {
				Template podTemplate `json:"template"`
			} `json:"spec"`
		} `json:"jobTemplate"`
	} `json:"spec"`
}

// DecodeWorkload reads a workload template of a known kind from JSON. The workload keeps raw, which must
// not be changed afterwards.
func DecodeWorkload(instance string, kind model.WorkloadKind, raw []byte) (model.Workload, error) {
	var t template
	if err := wire.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("decode %s of instance %q: %w", kind, instance, err)
	}
	if t.Metadata.Name == "" {
		return nil, fmt.Errorf("decode %s of instance %q: %w", kind, instance, errors.New("metadata.name is empty"))
	}
	m := workloadMeta(instance, kind, &t, raw)
	switch kind {
	case model.KindDeployment:
		m.Replicas, m.Halted = replicasOf(&t), t.Spec.Paused
		return &model.Deployment{WorkloadMeta: m}, nil
	case model.KindStatefulSet:
		m.Replicas = replicasOf(&t)
		return &model.StatefulSet{WorkloadMeta: m, ServiceName: t.Spec.ServiceName}, nil
	case model.KindDaemonSet:
		return &model.DaemonSet{WorkloadMeta: m}, nil
	case model.KindJob:
		m.Halted = t.Spec.Suspend
		return &model.Job{WorkloadMeta: m, Completions: t.Spec.Completions, Parallelism: t.Spec.Parallelism}, nil
	case model.KindCronJob:
		m.Halted = t.Spec.Suspend
		m.Images = images(t.Spec.JobTemplate.Spec.Template)
		return &model.CronJob{WorkloadMeta: m, Schedule: t.Spec.Schedule, TimeZone: t.Spec.TimeZone}, nil
	}
	return nil, fmt.Errorf("decode workload of instance %q: %q is not a kind of workload", instance, kind)
}

func workloadMeta(instance string, kind model.WorkloadKind, t *template, raw []byte) model.WorkloadMeta {
	maps.DeleteFunc(t.Metadata.Annotations, func(k, _ string) bool { return k == lastAppliedAnnotation })
	return model.WorkloadMeta{
		Ref: model.Ref{Instance: instance, GVK: kind.GVK(),
			Namespace: t.Metadata.Namespace, Name: t.Metadata.Name},
		WorkloadKind:    kind,
		UID:             t.Metadata.UID,
		Labels:          model.KeyValues(t.Metadata.Labels),
		Annotations:     model.KeyValues(t.Metadata.Annotations),
		ResourceVersion: t.Metadata.ResourceVersion,
		Generation:      t.Metadata.Generation,
		CreatedAt:       t.Metadata.CreationTimestamp,
		DeletedAt:       t.Metadata.DeletionTimestamp,
		Images:          images(t.Spec.Template),
		Claim:           ClaimOf(instance, t.Metadata.Annotations),
		ChangedAt:       changedAt(&t.Metadata),
		Raw:             raw,
	}
}

// ClaimOf names the policy that claims an object of an instance, from the annotations in which Karmada
// records the claim; nil when none does. A PropagationPolicy goes before a ClusterPropagationPolicy, as
// it does in Karmada.
func ClaimOf(instance string, annotations map[string]string) *model.PolicyClaim {
	gvk := func(kind string) model.Ref {
		r := model.Ref{Instance: instance}
		r.GVK.Group, r.GVK.Version, r.GVK.Kind = model.PolicyGroup, model.PolicyVersion, kind
		return r
	}
	if ns, name := annotations[policyNamespaceAnnotation], annotations[policyNameAnnotation]; ns != "" && name != "" {
		ref := gvk("PropagationPolicy")
		ref.Namespace, ref.Name = ns, name
		return &model.PolicyClaim{Ref: ref}
	}
	if name := annotations[clusterPolicyAnnotation]; name != "" {
		ref := gvk("ClusterPropagationPolicy")
		ref.Name = name
		return &model.PolicyClaim{Ref: ref}
	}
	return nil
}

// BindingName is the name of the (Cluster)ResourceBinding that carries an object. It leaves out the API
// group: whose binding it is, only its spec.resource tells.
func BindingName(kind, name string) string {
	return strings.ToLower(strings.ReplaceAll(name, ":", ".") + "-" + kind)
}

// replicasOf is 1 when the template does not say, as the API server has it.
func replicasOf(t *template) *int32 {
	if t.Spec.Replicas != nil {
		return t.Spec.Replicas
	}
	one := int32(1)
	return &one
}

func images(t podTemplate) []string {
	out := make([]string, 0, len(t.Spec.Containers))
	for _, c := range t.Spec.Containers {
		if !slices.Contains(out, c.Image) {
			out = append(out, c.Image)
		}
	}
	return out
}

func changedAt(m *objectMeta) *time.Time {
	var latest *time.Time
	for _, f := range m.ManagedFields {
		if f.Subresource == "" {
			latest = later(latest, f.Time)
		}
	}
	return latest
}

// later is the later of two moments; nil is before all.
func later(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}
