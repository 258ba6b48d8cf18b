package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Instances changes Instances, as Kairship.
type Instances interface {
	// Try returns an Instance as the host cluster would make it.
	Try(ctx context.Context, scope rbac.Scope, i *v1alpha1.Instance) (*model.Instance, error)
	// Edit changes one, unless it is another version than the one expected; empty for any.
	Edit(ctx context.Context, scope rbac.Scope, name, expected string, dryRun bool, change func(*v1alpha1.Instance) error) (*model.Instance, error)
	// UID is that of one, and whether its deletion has begun.
	UID(ctx context.Context, name string) (uid string, deleting bool, err error)
	// TryDelete says what stands in the way of a deletion.
	TryDelete(ctx context.Context, name, uid string) error
	// Check checks a kubeconfig, and returns the identity of the Karmada that it leads to.
	Check(ctx context.Context, kubeconfig []byte) (identity string, err error)
	// Identity is that of an instance's Karmada; empty while it is not known.
	Identity(scope rbac.Scope, name string) string
	// Rotate replaces the kubeconfig of an attached instance; unless it may lead elsewhere, by one of the same address and certificate authority.
	Rotate(ctx context.Context, name string, kubeconfig []byte, elsewhere, dryRun bool) error
}

// InstanceChange is what became of an instance, and the operation that does the rest.
type InstanceChange struct {
	Instance *model.Instance
	// Operation is nil when there is none.
	Operation *model.Operation
	// Conflict says what is different when it was refused because of another version; nil otherwise.
	Conflict *model.InstanceConflict
}

// keptChange is what is kept of an InstanceChange.
type keptChange struct {
	Instance  *model.Instance
	Operation string
}

func keptOf(c *InstanceChange) any {
	kept := keptChange{Instance: c.Instance}
	if c.Operation != nil {
		kept.Operation = c.Operation.Name
	}
	return kept
}

// changeAgain is an InstanceChange as it is now; an instance that is not there is as it was told.
func changeAgain(call *Call, kept []byte) (*InstanceChange, error) {
	var was keptChange
	if err := json.Unmarshal(kept, &was); err != nil {
		return nil, fmt.Errorf("read the outcome of the run before: %w", err)
	}
	out := &InstanceChange{Instance: was.Instance}
	if was.Instance != nil {
		if is, err := call.Fleet.Instance(call.Scope, was.Instance.Name); err == nil {
			out.Instance = is
		}
	}
	if was.Operation != "" && call.Operations != nil {
		out.Operation = call.Operations.Operation(call.Viewer, call.Scope, was.Operation)
	}
	return out, nil
}

var errNoInstances = &model.Error{Code: model.CodeUnavailable, Message: "this server does not change instances"}

// NewInstance is what making an instance has in common, however it comes to be.
type NewInstance struct {
	Name        string
	DisplayName string
	Description string
	Labels      []model.KeyValue
	Settings    *model.InstanceSettings
	DryRun      bool
}

// Target is the instance that is to be.
func (a *NewInstance) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{GVK: v1alpha1.InstanceKind, Name: clipped(a.Name)}, Field: "name", DryRun: a.DryRun}, nil
}

// Allowed is for owners: an instance concerns all that there are.
func (a *NewInstance) Allowed(call *Call) error {
	if call.Scope.All() {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Message: "only owners may create and attach instances; ask one of them"}
}

// maxInstanceName is the longest name of an instance.
const maxInstanceName = 48

// object is the Instance that is to be, but for where it comes from. BAD_USER_INPUT names the field that is wrong.
func (a *NewInstance) object(call *Call) (*v1alpha1.Instance, error) {
	if call.Instances == nil {
		return nil, errNoInstances
	}
	if len(a.Name) > maxInstanceName || len(validation.IsDNS1123Label(a.Name)) > 0 {
		return nil, model.BadInput("name", "%.*q is not the name of an instance: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			maxInstanceName+1, a.Name, maxInstanceName)
	}
	labels, err := instanceLabels(a.Labels)
	if err != nil {
		return nil, err
	}
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: a.Name, Labels: labels}, Spec: v1alpha1.InstanceSpec{DisplayName: a.DisplayName, Description: a.Description}}
	i.Spec.Settings = settingsOf(a.Settings)
	return i, nil
}

// begin makes the operation that makes the instance, once the host cluster has looked at it.
func (a *NewInstance) begin(ctx context.Context, call *Call, kind v1alpha1.OperationKind, i *v1alpha1.Instance, secret map[string][]byte) (*InstanceChange, []model.UserError, error) {
	if err := call.underWay(a.Name, "name", model.OperationCreateInstance, model.OperationAttachInstance, model.OperationDeleteInstance); err != nil {
		return nil, nil, err
	}
	given, err := json.Marshal(map[string]any{"labels": i.Labels, "spec": i.Spec})
	if err != nil {
		return nil, nil, fmt.Errorf("write the instance as JSON: %w", err)
	}
	if most := 64 << 10; len(given) > most {
		return nil, nil, model.BadInput("name", "the instance has %d bytes as JSON; at most %d are allowed", len(given), most)
	}
	out := &InstanceChange{}
	if out.Instance, err = call.Instances.Try(ctx, call.Scope, i); err != nil {
		if isCode(err, model.CodeConflict) {
			err = &model.Error{Code: model.CodeConflict, Field: []string{"name"}, Message: fmt.Sprintf("name: there is an instance %q already", a.Name)}
		}
		problems, err := refused(err)
		return nil, problems, err
	}
	call.Entry.About(model.Ref{Instance: a.Name})
	out.Operation, err = call.Begin(ctx, v1alpha1.OperationSpec{Kind: kind, Instance: a.Name, CreateInstance: &v1alpha1.CreateInstanceInput{Instance: string(given)}}, secret)
	if err != nil {
		return nil, nil, err
	}
	return out, nil, nil
}

// Kept is the instance and the name of the operation.
func (a *NewInstance) Kept(out *InstanceChange) any { return keptOf(out) }

// Again returns both as they are now.
func (a *NewInstance) Again(_ context.Context, call *Call, kept []byte) (*InstanceChange, error) {
	return changeAgain(call, kept)
}

// maxInstanceLabels is how many labels an instance may be given.
const maxInstanceLabels = 64

// reserved are the keys of labels and annotations that Kairship keeps for itself.
const reserved = "kairship.io/"

// instanceLabels are labels as an Instance has them.
func instanceLabels(given []model.KeyValue) (map[string]string, error) {
	if len(given) > maxInstanceLabels {
		return nil, model.BadInput("labels", "are %d; at most %d are allowed", len(given), maxInstanceLabels)
	}
	labels, err := labelsOf("labels", given)
	if err != nil || len(labels) == 0 {
		return nil, err
	}
	out := make(map[string]string, len(labels))
	for key, value := range labels {
		if strings.HasPrefix(key, reserved) {
			return nil, model.BadInput("labels", "%q is Kairship's own", key)
		}
		out[key], _ = value.(string)
	}
	return out, nil
}

// settingsOf are settings as an Instance has them; nil for none.
func settingsOf(s *model.InstanceSettings) *v1alpha1.InstanceSettings {
	if s == nil {
		return nil
	}
	out := &v1alpha1.InstanceSettings{RevisionHistoryLimit: s.RevisionHistoryLimit}
	if f := s.Failover; f != nil {
		out.Failover = &v1alpha1.FailoverSettings{Enabled: f.Enabled, FailureThresholdSeconds: f.FailureThresholdSeconds,
			GracefulEvictionTimeoutSeconds: f.GracefulEvictionTimeoutSeconds}
	}
	if d := s.Descheduler; d != nil {
		out.Descheduler = &v1alpha1.DeschedulerSettings{Enabled: d.Enabled, IntervalSeconds: d.IntervalSeconds, UnschedulableThresholdSeconds: d.UnschedulableThresholdSeconds}
	}
	if m := s.MetricsAdapter; m != nil {
		out.MetricsAdapter = &v1alpha1.MetricsAdapterSettings{Enabled: m.Enabled}
	}
	return out
}

// entriesOf are entries as a map; BAD_USER_INPUT names a field that has one twice.
func entriesOf(field string, given []model.KeyValue) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	out := make(map[string]string, len(given))
	for _, e := range given {
		if _, twice := out[e.Key]; twice {
			return nil, model.BadInput(field, "names %.100q twice", e.Key)
		}
		out[e.Key] = e.Value
	}
	return out, nil
}

// maxQuantity is the longest text of a quantity.
const maxQuantity = 64

func quantity(field, text string) (resource.Quantity, error) {
	if len(text) <= maxQuantity {
		if q, err := resource.ParseQuantity(text); err == nil && q.Sign() >= 0 {
			return q, nil
		}
	}
	return resource.Quantity{}, model.BadInput(field, "%.*q is no quantity, such as 500m or 10Gi", maxQuantity+1, text)
}

// amounts are resources with their quantities.
func amounts(field string, given []model.KeyValue) (corev1.ResourceList, error) {
	named, err := entriesOf(field, given)
	if err != nil || named == nil {
		return nil, err
	}
	out := make(corev1.ResourceList, len(named))
	for name, text := range named {
		if why := validation.IsQualifiedName(name); len(why) > 0 {
			return nil, model.BadInput(field, "%.100q is not the name of a resource: %s", name, why[0])
		}
		if out[corev1.ResourceName(name)], err = quantity(field, text); err != nil {
			return nil, err
		}
	}
	return out, nil
}
