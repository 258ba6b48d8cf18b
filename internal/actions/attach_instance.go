package actions

import (
	"context"
	"fmt"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// AttachInstance attaches a control plane that somebody else runs.
type AttachInstance struct {
	NewInstance
	// Kubeconfig is hostile input, and secret.
	Kubeconfig Hidden
}

// Hidden is a text that is printed nowhere.
type Hidden string

// Format leaves the text out, whatever the verb.
func (Hidden) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("hidden")) }

// Verb names the action.
func (a *AttachInstance) Verb() string { return "attachInstance" }

// Do checks the kubeconfig before anything is stored, and returns the instance as it will be with the operation that attaches it.
func (a *AttachInstance) Do(ctx context.Context, call *Call) (*InstanceChange, []model.UserError, error) {
	call.Entry.Hide(string(a.Kubeconfig))
	i, err := a.object(call)
	if err != nil {
		return nil, nil, err
	}
	if _, err := call.Instances.Check(ctx, []byte(a.Kubeconfig)); err != nil {
		return nil, nil, err
	}
	i.Spec.Source = v1alpha1.InstanceAttached
	// Its name is found once there is an operation; this one only has the form of one.
	i.Spec.Attached = &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "instance-" + a.Name}}
	return a.begin(ctx, call, v1alpha1.OperationAttachInstance, i, map[string][]byte{v1alpha1.KubeconfigKey: []byte(a.Kubeconfig)})
}
