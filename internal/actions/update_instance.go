package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// OnInstance is what actions on one instance have in common.
type OnInstance struct {
	// ID is the global id of the instance.
	ID string
	// UID is that of the Instance that is meant; empty for any of that name.
	UID    string
	DryRun bool
}

// meant fails with a CONFLICT when the instance of a uid is not the one that is meant.
func (a *OnInstance) meant(name, uid string) error {
	if a.UID == "" || a.UID == uid {
		return nil
	}
	return &model.Error{Code: model.CodeConflict, Field: []string{"uid"},
		Message: fmt.Sprintf("uid: instance %q is another one than was meant, made anew: its uid is %q, not %.100q", name, uid, a.UID)}
}

// Target returns the instance.
func (a *OnInstance) Target(auth.Principal) (Target, error) {
	id, err := model.ParseID(a.ID)
	if err == nil && !id.IsInstance() {
		err = model.BadInput("id", "is not the id of an instance")
	}
	return Target{Ref: model.Ref{Instance: id.Ref.Instance}, Field: "id", DryRun: a.DryRun}, err
}

// Allowed is for Admins of all of the instance.
func (a *OnInstance) Allowed(call *Call) error {
	instance := call.Target.Ref.Instance
	if call.Scope.Grants(instance, nil) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("only those with the role Admin on all of instance %q may change or delete it", instance)}
}

// edit changes the Instance.
func (a *OnInstance) edit(ctx context.Context, call *Call, version string, change func(*v1alpha1.Instance) error) (*InstanceChange, []model.UserError, error) {
	var before, after []byte
	i, err := call.Instances.Edit(ctx, call.Scope, call.Target.Ref.Instance, version, a.DryRun, func(i *v1alpha1.Instance) error {
		err := a.meant(call.Target.Ref.Instance, string(i.UID))
		if err == nil {
			before = toldOf(i)
			err = change(i)
			after = toldOf(i)
		}
		return err
	})
	if err != nil {
		out := &InstanceChange{Conflict: instanceConflict(err)}
		problems, err := refused(err)
		return out, problems, err
	}
	if !a.DryRun {
		call.Entry.Changed(call.Target.Ref, differences(model.Ref{}, before, after))
	}
	return &InstanceChange{Instance: i}, nil, nil
}

// toldOf is what people say of an Instance, as JSON.
func toldOf(i *v1alpha1.Instance) []byte {
	raw, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": i.Labels}, "spec": i.Spec})
	if err != nil {
		return nil // nothing is compared then
	}
	return raw
}

// instanceConflict says what is different when an Instance is another version than the one that was read; nil for other errors.
func instanceConflict(err error) *model.InstanceConflict {
	is := (*model.InstanceChangedError)(nil)
	if !errors.As(err, &is) {
		return nil
	}
	out := &model.InstanceConflict{}
	var notes []string
	for _, side := range []struct {
		into     *[]model.FieldChange
		from, to []byte
		missing  string
	}{
		{&out.Theirs, is.Was, is.Is, "what others changed is not known: that version was not seen here, or too many came after it"},
		{&out.Yours, is.Is, is.Would, "what the change would change now is not known, since it would be refused"},
	} {
		if side.from == nil || side.to == nil {
			notes = append(notes, side.missing)
			continue
		}
		*side.into = differences(model.Ref{}, side.from, side.to)
	}
	if len(notes) > 0 {
		text := strings.Join(notes, "; ")
		out.Note = &text
	}
	return out
}

// Kept is the instance, and the name of the operation.
func (a *OnInstance) Kept(out *InstanceChange) any { return keptOf(out) }

// Again returns both as they are now.
func (a *OnInstance) Again(_ context.Context, call *Call, kept []byte) (*InstanceChange, error) {
	return changeAgain(call, kept)
}

// UpdateInstance changes what is said of an instance. What is nil stays.
type UpdateInstance struct {
	OnInstance
	ResourceVersion string
	DisplayName     *string
	Description     *string
	Labels          []model.KeyValue
	RemoveLabels    []string
	DeletionPolicy  *model.DeletionPolicy
	// Kubeconfig is hostile input, and secret.
	Kubeconfig *Hidden
}

// Verb names the action.
func (a *UpdateInstance) Verb() string { return "updateInstance" }

// Do returns the instance as it is then. The kubeconfig goes last: all else can be refused before it is replaced.
func (a *UpdateInstance) Do(ctx context.Context, call *Call) (*InstanceChange, []model.UserError, error) {
	if call.Instances == nil {
		return nil, nil, errNoInstances
	}
	labels, err := instanceLabels(a.Labels)
	if err == nil {
		err = a.check(call, labels)
	}
	if err != nil {
		return nil, nil, err
	}
	if a.Kubeconfig != nil {
		call.Entry.Hide(string(*a.Kubeconfig))
		uid, _, err := call.Instances.UID(ctx, call.Target.Ref.Instance)
		if err == nil {
			err = a.meant(call.Target.Ref.Instance, uid)
		}
		if err != nil {
			return nil, nil, err
		}
		if err := a.rotate(ctx, call, true); err != nil {
			return nil, nil, err
		}
		// Only now: whoever may not take the instance elsewhere has Kairship connect to nothing else.
		if _, err := call.Instances.Check(ctx, []byte(*a.Kubeconfig)); err != nil {
			return nil, nil, err
		}
	}
	out, problems, err := a.edit(ctx, call, a.ResourceVersion, func(i *v1alpha1.Instance) error {
		a.change(i, labels)
		return nil
	})
	if err != nil || len(problems) > 0 || a.Kubeconfig == nil || a.DryRun {
		return out, problems, err
	}
	call.Entry.Note("with another kubeconfig")
	return out, nil, a.rotate(ctx, call, false)
}

// check names the field that is wrong.
func (a *UpdateInstance) check(call *Call, labels map[string]string) error {
	if len(a.RemoveLabels) > maxInstanceLabels {
		return model.BadInput("removeLabels", "are %d; at most %d are allowed", len(a.RemoveLabels), maxInstanceLabels)
	}
	for _, key := range a.RemoveLabels {
		if _, both := labels[key]; both {
			return model.BadInput("removeLabels", "%.300q is to be set, too", key)
		}
		if strings.HasPrefix(key, reserved) {
			return model.BadInput("removeLabels", "%.300q is Kairship's own", key)
		}
	}
	is, err := call.Fleet.Instance(call.Scope, call.Target.Ref.Instance)
	if err != nil {
		return err
	}
	if a.DeletionPolicy != nil && *a.DeletionPolicy == model.DeletionCascade && is.Source == model.InstanceAttached {
		return model.BadInput("deletionPolicy", "must be ORPHAN for an attached instance: Kairship never deletes a control plane that it did not make")
	}
	return nil
}

// rotate replaces the kubeconfig. To lead the instance to another server is for owners: Kairship and whoever uses the instance trust what answers there, and
// which Karmada that is nobody but its own server tells.
func (a *UpdateInstance) rotate(ctx context.Context, call *Call, dryRun bool) error {
	return call.Instances.Rotate(ctx, call.Target.Ref.Instance, []byte(*a.Kubeconfig), call.Scope.All(), dryRun)
}

func (a *UpdateInstance) change(i *v1alpha1.Instance, labels map[string]string) {
	if a.DisplayName != nil {
		i.Spec.DisplayName = *a.DisplayName
	}
	if a.Description != nil {
		i.Spec.Description = *a.Description
	}
	if a.DeletionPolicy != nil {
		i.Spec.DeletionPolicy = policies[*a.DeletionPolicy]
	}
	for _, key := range a.RemoveLabels {
		delete(i.Labels, key)
	}
	for key, value := range labels {
		if i.Labels == nil {
			i.Labels = map[string]string{}
		}
		i.Labels[key] = value
	}
}

// UpdateInstanceSettings changes the settings of an instance: of those given each is replaced as a whole.
type UpdateInstanceSettings struct {
	OnInstance
	ResourceVersion string
	Settings        model.InstanceSettings
	// Remove are the names of settings to take away.
	Remove []string
}

// Verb names the action.
func (a *UpdateInstanceSettings) Verb() string { return "updateInstanceSettings" }

// settingNames are the settings that there are.
var settingNames = []string{"failover", "descheduler", "metricsAdapter", "revisionHistoryLimit"}

// Do returns the instance as it is then.
func (a *UpdateInstanceSettings) Do(ctx context.Context, call *Call) (*InstanceChange, []model.UserError, error) {
	if call.Instances == nil {
		return nil, nil, errNoInstances
	}
	given := settingsOf(&a.Settings)
	set := map[string]bool{"failover": given.Failover != nil, "descheduler": given.Descheduler != nil, "metricsAdapter": given.MetricsAdapter != nil,
		"revisionHistoryLimit": given.RevisionHistoryLimit != nil}
	for _, name := range a.Remove {
		if !slices.Contains(settingNames, name) {
			return nil, nil, model.BadInput("remove", "%.100q is no setting; there are %s", name, strings.Join(settingNames, ", "))
		}
		if set[name] {
			return nil, nil, model.BadInput("remove", "%s is to be set, too", name)
		}
	}
	return a.edit(ctx, call, a.ResourceVersion, func(i *v1alpha1.Instance) error {
		s := i.Spec.Settings
		if s == nil {
			s = &v1alpha1.InstanceSettings{}
		}
		if set["failover"] || slices.Contains(a.Remove, "failover") {
			s.Failover = given.Failover
		}
		if set["descheduler"] || slices.Contains(a.Remove, "descheduler") {
			s.Descheduler = given.Descheduler
		}
		if set["metricsAdapter"] || slices.Contains(a.Remove, "metricsAdapter") {
			s.MetricsAdapter = given.MetricsAdapter
		}
		if set["revisionHistoryLimit"] || slices.Contains(a.Remove, "revisionHistoryLimit") {
			s.RevisionHistoryLimit = given.RevisionHistoryLimit
		}
		if i.Spec.Settings = s; *s == (v1alpha1.InstanceSettings{}) {
			i.Spec.Settings = nil
		}
		return nil
	})
}
