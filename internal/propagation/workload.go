package propagation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

type podTemplate struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Containers []struct {
			Image string `json:"image"`
		} `json:"containers"`
	} `json:"spec"`
}

// template is the fields of the five kinds of workload that the model shows.
type template struct {
	Metadata objects.Meta `json:"metadata"`
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
	if err := jsonv2.Unmarshal(raw, &t); err != nil {
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
		m.PodLabels = t.Spec.JobTemplate.Spec.Template.Metadata.Labels
		return &model.CronJob{WorkloadMeta: m, Schedule: t.Spec.Schedule, TimeZone: t.Spec.TimeZone}, nil
	}
	return nil, fmt.Errorf("decode workload of instance %q: %q is not a kind of workload", instance, kind)
}

// DecodeMemberWorkload reads a workload that lives in a member from JSON, as DecodeWorkload reads a template.
func DecodeMemberWorkload(instance, cluster string, kind model.WorkloadKind, raw []byte) (model.Workload, error) {
	w, err := DecodeWorkload(instance, kind, raw)
	if err != nil {
		return nil, fmt.Errorf("in cluster %q: %w", cluster, err)
	}
	w.Meta().Ref.Cluster = cluster
	return w, nil
}

func workloadMeta(instance string, kind model.WorkloadKind, t *template, raw []byte) model.WorkloadMeta {
	return model.WorkloadMeta{
		Object:       t.Metadata.Object(model.Ref{Instance: instance, GVK: kind.GVK()}, raw),
		WorkloadKind: kind,
		Images:       images(t.Spec.Template),
		PodLabels:    t.Spec.Template.Metadata.Labels,
		ChangedAt:    changedAt(&t.Metadata),
	}
}

// BindingName is the name of the (Cluster)ResourceBinding that carries an object. It leaves out the API group: only the
// binding's spec.resource identifies the object.
func BindingName(kind, name string) string {
	return strings.ToLower(strings.ReplaceAll(name, ":", ".") + "-" + kind)
}

// replicasOf is 1 when not set, the API server's default.
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

func changedAt(m *objects.Meta) *time.Time {
	var latest *time.Time
	for _, f := range m.ManagedFields {
		if f.Subresource == "" {
			latest = later(latest, f.Time)
		}
	}
	return latest
}

// later returns the later of two times; nil is before all.
func later(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}
