package instance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Writer changes Instances for people, by Kairship's own account. It decides nothing: whoever calls it has to know that they may.
type Writer struct {
	fleet  *Fleet
	client client.Client
}

// NewWriter makes a writer of a fleet's host cluster.
func NewWriter(f *Fleet) (*Writer, error) {
	c, err := hostcluster.NewClient(f.cfg.Host, v1alpha1.AddToScheme, corev1.AddToScheme)
	if err != nil {
		return nil, err
	}
	return &Writer{fleet: f, client: c}, nil
}

// written are the kinds that are written here.
const written = "Instances and their Secrets"

// Try returns an Instance as the host cluster would make it; errors are those of hostcluster.Explain.
func (w *Writer) Try(ctx context.Context, scope rbac.Scope, i *v1alpha1.Instance) (*model.Instance, error) {
	ctx, cancel := hostcluster.Bound(ctx, true)
	defer cancel()
	if err := w.client.Create(ctx, i, hostcluster.FieldOwner, client.DryRunAll); err != nil {
		return nil, hostcluster.Explain(err, written)
	}
	return w.fleet.shown(scope, i), nil
}

// shown is an Instance as the graph shows it, when its object is newer than what the fleet knows.
func (f *Fleet) shown(scope rbac.Scope, object *v1alpha1.Instance) *model.Instance {
	now := f.cfg.Clock.Now()
	f.mu.RLock()
	defer f.mu.RUnlock()
	e := entry{object: object, phaseSince: now, blindSince: now}
	if is := f.instances[object.Name]; is != nil && is.object.UID == object.UID {
		e = *is
		e.object = object
	}
	e.version = version(object)
	return e.seen(scope, now)
}

// saying is what people said of an Instance at a version.
type saying struct {
	version string
	said    []byte
}

// keptSayings is how many versions of what people say of an Instance are kept beside the one of now.
const keptSayings = 10

// said is what people say of an Instance, as JSON.
func said(i *v1alpha1.Instance) []byte {
	raw, err := json.Marshal(struct {
		Labels map[string]string     `json:"labels,omitempty"`
		Spec   v1alpha1.InstanceSpec `json:"spec"`
	}{i.Labels, i.Spec})
	if err != nil {
		return nil // there is nothing in it that could not be written as JSON
	}
	return raw
}

// version is a version of what people say of an Instance. The resource version changes with the status, too.
func version(i *v1alpha1.Instance) string {
	sum := sha256.Sum256(append([]byte(i.UID), said(i)...))
	const length = 10
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:length]))
}

// earlier is what people said of an Instance at a version; nil when that is not known here.
func (f *Fleet) earlier(object *v1alpha1.Instance, version string) []byte {
	f.mu.RLock()
	defer f.mu.RUnlock()
	is := f.instances[object.Name]
	if is == nil || is.object.UID != object.UID {
		return nil
	}
	if is.version == version { // the cache is behind
		return said(is.object)
	}
	for _, e := range is.earlier {
		if e.version == version {
			return e.said
		}
	}
	return nil
}

// changed is the error for an Instance that has changed since the version that was expected.
func (w *Writer) changed(i *v1alpha1.Instance, expected string, change func(*v1alpha1.Instance) error) error {
	out := &model.InstanceChangedError{Was: w.fleet.earlier(i, expected), Is: said(i), Conflict: &model.Error{Code: model.CodeConflict, Field: []string{"resourceVersion"},
		Message: fmt.Sprintf("resourceVersion: somebody has changed instance %q since it was read: it is at %q, not at %.100q; read it again", i.Name, version(i), expected)}}
	if would := i.DeepCopy(); change(would) == nil {
		out.Would = said(would)
	}
	return out
}

// attempts is how often an edit is made anew because a controller changed the Instance in between.
const attempts = 5

// Edit changes an Instance, unless it is another version than the one expected (empty for any), which is a model.InstanceChangedError. What is not
// changed stays as it is.
func (w *Writer) Edit(ctx context.Context, scope rbac.Scope, name, expected string, dryRun bool, change func(*v1alpha1.Instance) error) (*model.Instance, error) {
	ctx, cancel := hostcluster.Bound(ctx, dryRun)
	defer cancel()
	options := []client.PatchOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	var err error
	for range attempts {
		var i v1alpha1.Instance
		if err := w.client.Get(ctx, client.ObjectKey{Name: name}, &i); err != nil {
			return nil, hostcluster.Explain(err, written)
		}
		if expected != "" && expected != version(&i) {
			return nil, w.changed(&i, expected, change)
		}
		before := i.DeepCopy()
		if err := change(&i); err != nil {
			return nil, err
		}
		if version(before) == version(&i) {
			return w.fleet.shown(scope, &i), nil
		}
		err = w.client.Patch(ctx, &i, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), options...)
		if err == nil {
			return w.fleet.shown(scope, &i), nil
		}
		if !apierrors.IsConflict(err) {
			break
		}
	}
	return nil, hostcluster.Explain(err, written)
}

// UID is the UID of an Instance, and whether its deletion has begun; NOT_FOUND when there is none.
func (w *Writer) UID(ctx context.Context, name string) (uid string, deleting bool, err error) {
	ctx, cancel := hostcluster.Bound(ctx, true)
	defer cancel()
	var i v1alpha1.Instance
	if err := w.client.Get(ctx, client.ObjectKey{Name: name}, &i); err != nil {
		return "", false, hostcluster.Explain(err, written)
	}
	return string(i.UID), i.DeletionTimestamp != nil, nil
}

// TryDelete says what stands in the way of a deletion, as a CONFLICT in the words of the guard.
func (w *Writer) TryDelete(ctx context.Context, name, uid string) error {
	ctx, cancel := hostcluster.Bound(ctx, true)
	defer cancel()
	id := types.UID(uid)
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}}
	return hostcluster.Explain(w.client.Delete(ctx, i, client.Preconditions{UID: &id}, client.DryRunAll), written)
}

var systemNamespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// Check checks a kubeconfig that somebody gave: that nothing in it is refused, that the server answers, accepts the credential, and is a
// Karmada. It returns the identity of that Karmada. A BAD_USER_INPUT says what is wrong, without a secret. Nothing is stored.
func (w *Writer) Check(ctx context.Context, raw []byte) (identity string, err error) {
	credential, err := kubeconfig.Parse(raw)
	if field := (*kubeconfig.FieldError)(nil); errors.As(err, &field) {
		return "", model.BadInput("kubeconfig", "%s", strings.TrimPrefix(field.Error(), "kubeconfig "))
	}
	if err != nil {
		return "", model.BadInput("kubeconfig", "cannot be read")
	}
	l, err := link.Open(credential, nil)
	if err != nil {
		return "", model.BadInput("kubeconfig", "its certificates cannot be read")
	}
	defer l.Close()
	ctx, cancel := hostcluster.Bound(ctx, true)
	defer cancel()
	config := l.Config()
	config.UserAgent, config.QPS = "kairship-apiserver", -1
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return "", model.BadInput("kubeconfig", "cannot be used")
	}
	c, err := metadata.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return "", model.BadInput("kubeconfig", "cannot be used")
	}
	system, err := c.Resource(systemNamespaces).Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	switch {
	case apierrors.IsForbidden(err):
		return "", model.BadInput("kubeconfig", "its credential may not read namespaces there: Kairship needs one that may do everything in the Karmada")
	case err != nil:
		return "", model.BadInput("kubeconfig", "its API server cannot be used: %s", reason(err))
	}
	return string(system.UID), isKarmada(ctx, httpClient, config.Host)
}

// isKarmada checks that an API server serves Karmada's clusters.
func isKarmada(ctx context.Context, c *http.Client, host string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, host+clusterAPIPath, http.NoBody)
	if err != nil {
		return model.BadInput("kubeconfig", "its address cannot be used")
	}
	answer, err := c.Do(req)
	if err != nil {
		return model.BadInput("kubeconfig", "its API server cannot be used: %s", reason(err))
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return model.BadInput("kubeconfig", "it leads to a server that does not serve Karmada's clusters (%s answers %d): it has to be the kubeconfig of a Karmada control plane",
			clusterAPIPath, answer.StatusCode)
	}
	return nil
}

// Identity is that of the Karmada that an instance is connected to; empty while it is not known.
func (w *Writer) Identity(scope rbac.Scope, name string) string {
	conn, err := w.fleet.Connection(scope, name)
	if err != nil {
		return ""
	}
	return conn.State().Identity
}

// Rotate replaces the kubeconfig of an attached instance, in the Secret that Kairship made for it alone. Unless it may lead elsewhere, only the user may be
// another one: address and certificate authority have to be those of the kubeconfig that is there.
func (w *Writer) Rotate(ctx context.Context, name string, raw []byte, elsewhere, dryRun bool) error {
	ctx, cancel := hostcluster.Bound(ctx, dryRun)
	defer cancel()
	var all v1alpha1.InstanceList
	if err := w.client.List(ctx, &all); err != nil {
		return hostcluster.Explain(err, written)
	}
	at := slices.IndexFunc(all.Items, func(i v1alpha1.Instance) bool { return i.Name == name })
	if at < 0 {
		return &model.Error{Code: model.CodeNotFound, Instance: name, Message: fmt.Sprintf("there is no instance %q", name)}
	}
	is := &all.Items[at]
	if is.Spec.Source != v1alpha1.InstanceAttached {
		return model.BadInput("kubeconfig", "is for attached instances: Kairship keeps that of a managed one itself")
	}
	var secret corev1.Secret
	secretName := is.CredentialSecret()
	err := w.client.Get(ctx, client.ObjectKey{Namespace: w.fleet.cfg.Namespace, Name: secretName}, &secret)
	if apierrors.IsNotFound(err) || err == nil && !metav1.IsControlledBy(&secret, is) {
		return model.BadInput("kubeconfig", "Secret %q was not made by Kairship: change it where it comes from", secretName)
	}
	if err != nil {
		return secretError(err)
	}
	// Whoever may change one instance must not change another one.
	if slices.ContainsFunc(all.Items, func(i v1alpha1.Instance) bool { return i.Name != name && i.CredentialSecret() == secretName }) {
		return model.BadInput("kubeconfig", "another instance uses the same Secret: ask an operator of the host cluster")
	}
	if !elsewhere {
		if err := sameServer(name, secret.Data[v1alpha1.KubeconfigKey], raw); err != nil {
			return err
		}
	}
	before := secret.DeepCopy()
	secret.Data = map[string][]byte{v1alpha1.KubeconfigKey: raw}
	options := []client.PatchOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	if err := w.client.Patch(ctx, &secret, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), options...); err != nil {
		return secretError(err)
	}
	return nil
}

// sameServer fails unless a kubeconfig leads to the same server as the one before.
func sameServer(name string, before, after []byte) error {
	is, err := kubeconfig.Parse(before)
	if err != nil {
		return model.BadInput("kubeconfig", "cannot be compared with the one of instance %q, which cannot be used: only owners may replace it", name)
	}
	to, err := kubeconfig.Parse(after)
	if field := (*kubeconfig.FieldError)(nil); errors.As(err, &field) {
		return model.BadInput("kubeconfig", "%s", strings.TrimPrefix(field.Error(), "kubeconfig "))
	}
	if err != nil {
		return model.BadInput("kubeconfig", "cannot be read")
	}
	if is.Host == to.Host && bytes.Equal(is.CAData, to.CAData) {
		return nil
	}
	return model.BadInput("kubeconfig", "has another address or certificate authority than that of instance %q: only owners may lead it to another server; "+
		"keep both, and change the user alone", name)
}

// secretError tells of an error about a Secret without its text, which may quote what is in it.
func secretError(err error) error {
	e := (*model.Error)(nil)
	if !errors.As(hostcluster.Explain(err, written), &e) || e.Code == model.CodeBadUserInput {
		return &model.Error{Code: model.CodeUnavailable, Message: "the host cluster does not store the kubeconfig"}
	}
	return &model.Error{Code: e.Code, Message: e.Message, Retryable: e.Retryable}
}
