// Package member is what Kairship does in a cluster that joins or leaves an instance: it looks which cluster it is, makes the accounts
// by which Karmada reaches it, and takes them away again. Everything may be repeated after a crash at any line.
//
// It must not know who asks, nor anything of the instance; Karmada's own objects are for others.
package member

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
)

// callTimeout bounds each request to a member.
const callTimeout = 5 * time.Second

// fieldManager owns what Kairship makes in a member.
const fieldManager = "kairship"

// Namespace holds Karmada's accounts in a member, and the credentials of the members in a Karmada.
const Namespace = "karmada-cluster"

// Cluster is a cluster that is reached with a credential of its own, not through Karmada.
type Cluster struct {
	// Server and CA are how it is reached.
	Server string
	CA     []byte

	link   *link.Link
	client dynamic.Interface
}

// Open makes a client of a cluster, which connects to permitted addresses only. Nothing is sent yet. Dial is nil for direct connections.
func Open(c *kubeconfig.Credential, dial link.Dialler) (*Cluster, error) {
	l, err := link.Open(c, dial)
	if err != nil {
		return nil, fmt.Errorf("connecting to a member: %w", err)
	}
	config := l.Config()
	config.UserAgent, config.QPS, config.Timeout, config.WarningHandler = fieldManager, -1, callTimeout, rest.NoWarnings{}
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("connecting to a member: %w", err)
	}
	client, err := dynamic.NewForConfigAndClient(config, h)
	if err != nil {
		return nil, fmt.Errorf("connecting to a member: %w", err)
	}
	return &Cluster{Server: c.Host, CA: c.CAData, link: l, client: client}, nil
}

// Close closes its connections.
func (c *Cluster) Close() { c.link.Close() }

// RefusedError is what a person has to put right: the member answers, and refuses.
type RefusedError struct{ Message string }

func (e *RefusedError) Error() string { return e.Message }

// UnreachableError is a member that does not answer, or not as an API server does.
type UnreachableError struct{ Err error }

func (e *UnreachableError) Error() string {
	return "the member does not answer: " + e.Err.Error()
}
func (e *UnreachableError) Unwrap() error { return e.Err }

var errPending = errors.New("pending")

// explained says whose fault a failed request is.
func explained(err error, doing string) error {
	var status apierrors.APIStatus
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &status), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsServiceUnavailable(err),
		apierrors.IsTooManyRequests(err), apierrors.IsInternalError(err), status.Status().Code >= http.StatusInternalServerError:
		return &UnreachableError{Err: fmt.Errorf("%s: %w", doing, err)}
	case apierrors.IsUnauthorized(err):
		return &RefusedError{Message: "the member does not know the credential: " + text(err)}
	default:
		return &RefusedError{Message: fmt.Sprintf("the member refuses (%s): %s", doing, text(err))}
	}
}

// text is what an API server says, shortened.
func text(err error) string {
	const most = 500
	if s := []rune(err.Error()); len(s) > most {
		return string(s[:most]) + "…"
	}
	return err.Error()
}

var (
	namespaces          = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	secrets             = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	accounts            = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	clusterRoles        = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}
	clusterRoleBindings = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}
	reviews             = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}
)

// ID is what tells the cluster from every other: the UID of its namespace kube-system. Karmada goes by the same.
func (c *Cluster) ID(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ns, err := c.client.Resource(namespaces).Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		return "", explained(err, "reading the namespace kube-system")
	}
	if ns.GetUID() == "" {
		return "", &RefusedError{Message: "the member says nothing of which cluster it is: its namespace kube-system has no uid"}
	}
	return string(ns.GetUID()), nil
}

// MayAdmit fails with a *RefusedError when the credential does not have all rights in the cluster, which Karmada's account is to have:
// Kubernetes lets nobody give more than they have.
func (c *Cluster) MayAdmit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	review, err := c.client.Resource(reviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": reviews.GroupVersion().String(), "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": map[string]any{"group": "*", "resource": "*", "verb": "*"}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return explained(err, "asking what the credential may do")
	}
	if allowed, _, _ := unstructured.NestedBool(review.Object, "status", "allowed"); !allowed { // absent: not allowed
		return &RefusedError{Message: "the credential may not do everything in the member: Karmada's account there gets all rights, which only who has them can give; " +
			"use that of a cluster administrator, which is not kept"}
	}
	return nil
}

// Others are the names by which other Karmadas hold the cluster, as far as their accounts there tell. At most a few are returned.
func (c *Cluster) Others(ctx context.Context, name string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := c.client.Resource(accounts).Namespace(Namespace).List(ctx, metav1.ListOptions{Limit: 100})
	if err != nil {
		return nil, explained(err, "listing the accounts of Karmada")
	}
	var out []string
	for i := range list.Items {
		other, ok := strings.CutPrefix(list.Items[i].GetName(), accountPrefix)
		if ok && other != name && list.Items[i].GetName() != impersonator {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out, nil
}
