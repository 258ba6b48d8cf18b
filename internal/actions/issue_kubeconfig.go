package actions

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// IssueKubeconfig makes a kubeconfig for the viewer that leads to an instance and its members through Kairship.
type IssueKubeconfig struct {
	Instance string
	// Cluster is the member of the current context; empty for the control plane.
	Cluster string
	// Namespace is the namespace of the contexts; empty for none.
	Namespace string
	// Lifetime is nil for the default.
	Lifetime *time.Duration
}

// IssuedKubeconfig is a kubeconfig and when it expires.
type IssuedKubeconfig struct {
	Kubeconfig string
	ExpiresAt  time.Time
}

// Verb names the action.
func (a *IssueKubeconfig) Verb() string { return "issueKubeconfig" }

// Target returns the instance.
func (a *IssueKubeconfig) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance"}, nil
}

// Allowed admits everybody who sees the instance: the kubeconfig grants no right that they do not have.
func (a *IssueKubeconfig) Allowed(*Call) error { return nil }

// Do issues the kubeconfig; nil when the input is wrong.
func (a *IssueKubeconfig) Do(ctx context.Context, call *Call) (*IssuedKubeconfig, []model.UserError, error) {
	if a.Namespace != "" && len(validation.IsDNS1123Label(a.Namespace)) > 0 {
		// Quotes at most one character more than a name may have.
		return nil, nil, model.BadInput("namespace", "%.*q is not the name of a namespace: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			validation.DNS1123LabelMaxLength+1, a.Namespace, validation.DNS1123LabelMaxLength)
	}
	// A kubeconfig for the control plane is issued even while its members are not known.
	members, err := call.Fleet.Clusters(call.Scope, a.Instance)
	if err != nil && a.Cluster != "" {
		return nil, nil, err
	}
	names := make([]string, 0, len(members))
	known := a.Cluster == ""
	for _, m := range members {
		names = append(names, m.Name)
		known = known || m.Name == a.Cluster
	}
	if !known {
		return nil, nil, model.BadInput("cluster", "instance %q has no cluster %q", a.Instance, a.Cluster)
	}
	if call.Kubeconfigs == nil {
		return nil, nil, errNoKubeconfigs
	}
	var lifetime time.Duration
	if a.Lifetime != nil {
		// Zero is no lifetime, not the default.
		if lifetime = *a.Lifetime; lifetime == 0 {
			lifetime = -1
		}
	}
	text, expires, err := call.Kubeconfigs.Issue(ctx, call.Viewer, a.Instance, names, a.Cluster, a.Namespace, lifetime)
	if err != nil {
		return nil, nil, err
	}
	return &IssuedKubeconfig{text, expires}, nil, nil
}

// Again fails: a credential is kept nowhere.
func (a *IssueKubeconfig) Again(context.Context, *Call, []byte) (*IssuedKubeconfig, error) {
	return nil, &model.Error{Code: model.CodeConflict, Field: []string{"clientMutationId"},
		Message: "clientMutationId: this kubeconfig was issued, and Kairship keeps none; issue another one under another clientMutationId"}
}
