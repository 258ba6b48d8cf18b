package operations

import (
	"slices"
	"strings"
	"time"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// modelOf makes the model of an Operation.
func modelOf(o *v1alpha1.Operation) *model.Operation {
	out := &model.Operation{
		Name: o.Name, UID: string(o.UID), Kind: model.OperationKind(constant(string(o.Spec.Kind))), State: state(o.Status.State),
		Steps: make([]model.OperationStep, 0, len(o.Status.Steps)), Message: o.Status.Message, InstanceName: o.Spec.Instance,
		Actor: o.Spec.Actor.Name, CreatedAt: o.CreationTimestamp.UTC(), FinishedAt: at(o.Status.FinishedAt),
		CancelRequested: o.Spec.Cancel, Cancellable: o.Status.Cancellable && !o.Spec.Cancel,
	}
	if o.Spec.Cluster != "" {
		out.ClusterName = &o.Spec.Cluster
	}
	if of := o.Spec.Object; of != nil {
		out.Object = &model.OperationObject{APIVersion: of.APIVersion, Kind: of.Kind, Name: of.Name}
		if of.Namespace != "" {
			out.Object.Namespace = &of.Namespace
		}
	}
	for _, s := range o.Status.Steps {
		out.Steps = append(out.Steps, model.OperationStep{
			Name: s.Name, State: model.StepState(strings.ToUpper(string(s.State))), Message: s.Message, StartedAt: at(s.StartedAt), EndedAt: at(s.FinishedAt),
		})
	}
	return out
}

// holding is what another instance holds of what an operation is about; nil when that is not told.
func holding(o *v1alpha1.Operation) *model.Holding {
	instance := o.Status.Found[v1alpha1.FoundHolder]
	if instance == "" {
		return nil
	}
	return &model.Holding{Instance: instance, Cluster: o.Status.Found[v1alpha1.FoundHeldAs]}
}

// naming is an operation in whose messages the other instance is named.
func naming(m *model.Operation, h model.Holding) *model.Operation {
	named := func(message string) string { return strings.ReplaceAll(message, h.Told(false), h.Told(true)) }
	out := *m
	out.Message, out.Steps = named(m.Message), slices.Clone(m.Steps)
	for i := range out.Steps {
		out.Steps[i].Message = named(out.Steps[i].Message)
	}
	return &out
}

// state is that of an operation; one that nobody has looked at yet is pending.
func state(s v1alpha1.OperationState) model.OperationState {
	if s == "" {
		return model.OperationPending
	}
	return model.OperationState(strings.ToUpper(string(s)))
}

// constant writes CreateInstance as CREATE_INSTANCE.
func constant(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

func at(t *metav1.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}
