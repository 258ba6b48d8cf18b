package member

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// The names are Karmada's own, so that its tools, too, find what was made, and take it away.
const (
	accountPrefix = "karmada-"
	rolePrefix    = "karmada-controller-manager:"
	impersonator  = "karmada-impersonator"
	systemLabel   = "karmada.io/system"
)

// Impersonator is the name of the Secret in which a Karmada keeps the token by which it acts for others in a member. The one of its own account is
// called as the member is. Both are in Namespace.
func Impersonator(name string) string { return name + "-impersonator" }

// SecretTaken says that the Karmada has a Secret already in which it would keep a credential of a member that is to join.
func SecretTaken(secret string) string {
	return fmt.Sprintf("the instance has a Secret %q in namespace %q already, and no cluster of that name; delete it, and join the cluster again", secret, Namespace)
}

func accountOf(name string) string { return accountPrefix + name }
func roleOf(name string) string    { return rolePrefix + accountOf(name) }

// Credentials are the tokens of Karmada's accounts in a member. They are printed without the tokens.
type Credentials struct {
	// Token has all rights; Impersonator may do nothing but what Karmada lets it, which is to be other people.
	Token, Impersonator []byte
	// CA is the certificate authority of the member as its own Secrets have it.
	CA []byte
}

// String leaves the tokens out.
func (c *Credentials) String() string { return "credentials of Karmada's accounts" }

// GoString leaves the tokens out.
func (c *Credentials) GoString() string { return c.String() }

// object is one that Karmada needs in a member.
type object struct {
	resource schema.GroupVersionResource
	content  *unstructured.Unstructured
}

func newObject(resource schema.GroupVersionResource, kind, namespace, name string, fields map[string]any) object {
	metadata := map[string]any{"name": name, "labels": map[string]any{systemLabel: "true"}}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	content := map[string]any{"apiVersion": resource.GroupVersion().String(), "kind": kind, "metadata": metadata}
	for k, v := range fields {
		if k == "annotations" {
			metadata[k] = v
			continue
		}
		content[k] = v
	}
	return object{resource: resource, content: &unstructured.Unstructured{Object: content}}
}

// accountObjects are all that Karmada needs in a member. The role comes first: by it what was made is found again.
func accountObjects(name string) []object {
	account, role := accountOf(name), roleOf(name)
	token := func(of string) map[string]any {
		return map[string]any{"type": "kubernetes.io/service-account-token", "annotations": map[string]any{"kubernetes.io/service-account.name": of}}
	}
	return []object{
		newObject(clusterRoles, "ClusterRole", "", role, map[string]any{"rules": []any{
			map[string]any{"apiGroups": []any{"*"}, "resources": []any{"*"}, "verbs": []any{"*"}},
			map[string]any{"nonResourceURLs": []any{"*"}, "verbs": []any{"get"}},
		}}),
		newObject(namespaces, "Namespace", "", Namespace, nil),
		newObject(accounts, "ServiceAccount", Namespace, impersonator, nil),
		newObject(accounts, "ServiceAccount", Namespace, account, nil),
		newObject(clusterRoleBindings, "ClusterRoleBinding", "", role, map[string]any{
			"roleRef":  map[string]any{"apiGroup": clusterRoles.Group, "kind": "ClusterRole", "name": role},
			"subjects": []any{map[string]any{"kind": "ServiceAccount", "namespace": Namespace, "name": account}},
		}),
		newObject(secrets, "Secret", Namespace, impersonator, token(impersonator)),
		newObject(secrets, "Secret", Namespace, account, token(account)),
	}
}

// Admit makes Karmada's accounts in the cluster, for a member of that name, and returns their credentials; nil while the cluster has not
// made the tokens yet. What is there already is made to be as it has to be. Unless the role was there before, it gets the mark, by which
// Dismiss knows that it is the caller's. A role with another mark is somebody else's, who would lose the accounts that both use.
func (c *Cluster) Admit(ctx context.Context, name, mark string) (*Credentials, error) {
	role, err := c.get(ctx, key{clusterRoles, "", roleOf(name)})
	if err != nil {
		return nil, err
	}
	if role != nil && role.mark != "" && role.mark != mark {
		return nil, &RefusedError{Message: fmt.Sprintf("Karmada's accounts are in the member already, for a cluster of the same name that was joined by Kairship before. "+
			"If no instance holds it any more, delete its ClusterRole %s, and join it again; else join it under another name", roleOf(name))}
	}
	for _, o := range accountObjects(name) {
		if o.resource == clusterRoles && (role == nil || role.mark == mark) {
			o.content.SetAnnotations(map[string]string{v1alpha1.AnnotationOperation: mark})
		}
		if err := c.apply(ctx, o); err != nil {
			return nil, err
		}
	}
	token, ca, err := c.token(ctx, accountOf(name))
	if err == nil {
		var other []byte
		if other, _, err = c.token(ctx, impersonator); err == nil {
			return &Credentials{Token: token, Impersonator: other, CA: ca}, nil
		}
	}
	if errors.Is(err, errPending) {
		return nil, nil //nolint:nilnil // there are none yet
	}
	return nil, err
}

func (c *Cluster) apply(ctx context.Context, o object) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := c.client.Resource(o.resource).Namespace(o.content.GetNamespace()).Apply(ctx, o.content.GetName(), o.content,
		metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
	return explained(err, fmt.Sprintf("making %s %q", o.content.GetKind(), o.content.GetName()))
}

// token returns the token of an account, and the certificate authority beside it; errPending while the cluster has not made it.
func (c *Cluster) token(ctx context.Context, account string) (token, ca []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	s, err := c.client.Resource(secrets).Namespace(Namespace).Get(ctx, account, metav1.GetOptions{})
	if err != nil {
		return nil, nil, explained(err, fmt.Sprintf("reading the token of account %q", account))
	}
	value := func(key string) []byte {
		encoded, _, _ := unstructured.NestedString(s.Object, "data", key) // absent: not made yet
		out, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return nil
		}
		return out
	}
	if token, ca = value("token"), value("ca.crt"); len(token) == 0 || len(ca) == 0 {
		return nil, nil, errPending
	}
	return token, ca, nil
}
