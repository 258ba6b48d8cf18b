package resolvers

import (
	"context"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

// Kubeconfigs hands out kubeconfigs and takes them back. Its errors are *model.Error.
type Kubeconfigs interface {
	// Issue makes one for a principal with a context for the instance and one for each of some members; the
	// current one is that of cluster, or the instance's when it is empty. BAD_USER_INPUT about
	// expirationSeconds for a lifetime out of bounds; 0 is the default.
	Issue(ctx context.Context, p access.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (kubeconfig string, expires time.Time, err error)
	// Revoke takes back those that were issued to a principal until now, and tells until when that is.
	Revoke(ctx context.Context, principal, by string) (until time.Time, err error)
}

// errNoKubeconfigs is what is told where none can be handed out.
var errNoKubeconfigs = &model.Error{Code: model.CodeUnavailable,
	Message: "this Kairship hands out no kubeconfigs: it has no database of its own (--ledger-dsn) or no address for them (--kubeconfig-url)"}

// asked is a verb and a resource as Kubernetes has them.
func asked(verb graph.AccessVerb, group, resource string) (string, schema.GroupResource, error) {
	if resource == "" || resource != strings.ToLower(resource) {
		return "", schema.GroupResource{}, model.BadInput("resource", "%q is not a resource as URLs have it, such as `deployments` or `deployments/scale`", resource)
	}
	return strings.ReplaceAll(strings.ToLower(string(verb)), "_", ""), schema.GroupResource{Group: group, Resource: resource}, nil
}

// rolesIn are the viewer's roles on an instance.
func rolesIn(ctx context.Context, instance string) []graph.ViewerRole {
	out := []graph.ViewerRole{}
	for _, held := range access.ScopeFrom(ctx).Roles() {
		if held.Instance == "" || held.Instance == instance {
			out = append(out, roleOf(held))
		}
	}
	return out
}

func roleOf(held access.Held) graph.ViewerRole {
	return graph.ViewerRole{Name: held.Role, Instance: optional(held.Instance), Namespaces: append([]string{}, held.Namespaces...)}
}

func (r *Resolver) issueKubeconfig(ctx context.Context, in graph.IssueKubeconfigInput) (*graph.IssueKubeconfigPayload, error) {
	payload := &graph.IssueKubeconfigPayload{ClientMutationID: in.ClientMutationID}
	text, expires, err := r.kubeconfig(ctx, in)
	if err == nil {
		payload.Kubeconfig, payload.ExpiresAt = &text, &expires
	}
	if payload.UserErrors, err = userErrors(nil, err, "instance"); err != nil {
		return nil, err
	}
	return payload, nil
}

func (r *Resolver) kubeconfig(ctx context.Context, in graph.IssueKubeconfigInput) (string, time.Time, error) {
	cluster, namespace := text(in.Cluster), text(in.Namespace)
	var lifetime time.Duration
	if in.ExpirationSeconds != nil {
		// Zero is no lifetime, not the one that is meant by none.
		if lifetime = time.Duration(*in.ExpirationSeconds) * time.Second; lifetime == 0 {
			lifetime = -1
		}
	}
	scope := access.ScopeFrom(ctx)
	if _, err := r.Fleet.Instance(scope, in.Instance); err != nil {
		return "", time.Time{}, err
	}
	if namespace != "" && len(validation.IsDNS1123Label(namespace)) > 0 {
		// One that is too long is told as far as a name may be, and one character more.
		return "", time.Time{}, model.BadInput("namespace", "%.*q is not the name of a namespace: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			validation.DNS1123LabelMaxLength+1, namespace, validation.DNS1123LabelMaxLength)
	}
	// A control plane that does not answer for its members now is reached all the same.
	members, err := r.Fleet.Clusters(scope, in.Instance)
	if err != nil && cluster != "" {
		return "", time.Time{}, err
	}
	names := make([]string, 0, len(members))
	known := cluster == ""
	for _, m := range members {
		names = append(names, m.Name)
		known = known || m.Name == cluster
	}
	if !known {
		return "", time.Time{}, model.BadInput("cluster", "instance %q has no cluster %q", in.Instance, cluster)
	}
	if r.Kubeconfigs == nil {
		return "", time.Time{}, errNoKubeconfigs
	}
	return r.Kubeconfigs.Issue(ctx, access.PrincipalFrom(ctx), in.Instance, names, cluster, namespace, lifetime)
}

func (r *Resolver) revokeKubeconfigs(ctx context.Context, in graph.RevokeKubeconfigsInput) (*graph.RevokeKubeconfigsPayload, error) {
	payload := &graph.RevokeKubeconfigsPayload{ClientMutationID: in.ClientMutationID}
	who, err := r.whose(ctx, in.Principal)
	if err == nil {
		var until time.Time
		if until, err = r.Kubeconfigs.Revoke(ctx, who, access.PrincipalFrom(ctx).Name); err == nil {
			outlast(ctx, until)
			payload.Principal, payload.IssuedUntil = &who, &until
		}
	}
	if payload.UserErrors, err = userErrors(nil, err, "principal"); err != nil {
		return nil, err
	}
	return payload, nil
}

// outlast waits until the second is over in which kubeconfigs were taken back: they are issued to the second, and
// what another replica issues in that one is taken back as soon as it hears of it. What is asked for once the answer
// is there is good in any.
func outlast(ctx context.Context, until time.Time) {
	rest := time.NewTimer(min(time.Until(until.Add(time.Second)), time.Second))
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done(): // they are taken back all the same
	}
}

// whose is whose kubeconfigs the viewer takes back.
func (r *Resolver) whose(ctx context.Context, principal *string) (string, error) {
	self := access.PrincipalFrom(ctx).Name
	switch {
	case r.Kubeconfigs == nil:
		return "", errNoKubeconfigs
	case principal == nil || *principal == self:
		return self, nil
	case !access.ScopeFrom(ctx).All():
		return "", &model.Error{Code: model.CodeForbidden, Message: "only owners may take back the kubeconfigs of others"}
	}
	if err := access.CheckGroups([]string{*principal}); err != nil {
		return "", model.BadInput("principal", "%q does not say its origin: write kairship:oidc:NAME or kairship:host:NAME", *principal)
	}
	return *principal, nil
}
