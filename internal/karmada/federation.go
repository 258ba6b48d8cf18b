package karmada

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// Federation reads what an instance holds, as a person.
type Federation struct {
	Connection Connection
	Principal  auth.Principal
}

// Read returns an object as JSON; nil when there is none.
func (f Federation) Read(ctx context.Context, ref model.Ref) ([]byte, error) {
	o, err := Open(ctx, f.Connection, f.Principal, ref, false)
	if err != nil {
		return nil, err
	}
	raw, err := o.Get(ctx)
	if IsAbsent(err) {
		return nil, nil
	}
	return raw, err
}

var (
	propagationPolicy        = schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "PropagationPolicy"}
	clusterPropagationPolicy = schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "ClusterPropagationPolicy"}
)

// Policies returns the PropagationPolicies of a namespace, or the ClusterPropagationPolicies where it is empty, as a list in JSON.
func (f Federation) Policies(ctx context.Context, namespace string) ([]byte, error) {
	ref, resource := model.Ref{Instance: f.Connection.Instance(), GVK: propagationPolicy, Namespace: namespace, Name: "any"}, "propagationpolicies"
	if namespace == "" {
		ref.GVK, resource = clusterPropagationPolicy, "clusterpropagationpolicies"
	}
	o, err := Open(ctx, f.Connection, f.Principal, ref, false)
	if err != nil {
		return nil, err
	}
	return o.List(ctx, ref.GVK.GroupVersion().WithResource(resource), "")
}
