// Package kube holds what the playground does with an API server: apply objects, read some, wait for something to
// become true. It works on plain objects and must not know what they mean.
package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
)

// fieldManager owns what the playground applies.
const fieldManager = "kairship-playground"

// Otherwise deleting a Job would leave its pods.
var background = metav1.DeletePropagationBackground

// requestTimeout bounds each request; waiting repeats requests.
const requestTimeout = 15 * time.Second

// Client talks to one API server as one identity.
type Client struct {
	config  *rest.Config
	http    *http.Client
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// Connect reads a kubeconfig. It makes no request to the server yet.
func Connect(kubeconfig string) (*Client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig %s: %w", kubeconfig, err)
	}
	config.QPS, config.Timeout, config.UserAgent = -1, requestTimeout, fieldManager
	config.WarningHandler = rest.NoWarnings{}
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for %s: %w", config.Host, err)
	}
	dyn, err := dynamic.NewForConfigAndClient(config, h)
	if err != nil {
		return nil, fmt.Errorf("making a client for %s: %w", config.Host, err)
	}
	disco, err := discovery.NewDiscoveryClientForConfigAndClient(config, h)
	if err != nil {
		return nil, fmt.Errorf("making a client for %s: %w", config.Host, err)
	}
	return &Client{
		config: config, http: h, dynamic: dyn,
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco)),
	}, nil
}

// Server is the API server's address.
func (c *Client) Server() string { return c.config.Host }

// CA is the certificate authority that the API server is verified with, as PEM.
func (c *Client) CA() []byte { return c.config.CAData }

// Resource returns the client of a resource.
func (c *Client) Resource(gvr schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return c.dynamic.Resource(gvr)
	}
	return c.dynamic.Resource(gvr).Namespace(namespace)
}

// Apply applies the objects, in their order. It tries again, until ctx ends, while the server or a webhook of it comes
// up.
func (c *Client) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	for _, o := range objects {
		if err := c.retry(ctx, describe(o), func() error { return c.apply(ctx, o, "") }); err != nil {
			return err
		}
	}
	return nil
}

// ApplyStatus does the same for the status of one object.
func (c *Client) ApplyStatus(ctx context.Context, o *unstructured.Unstructured) error {
	return c.retry(ctx, "status of "+describe(o), func() error { return c.apply(ctx, o, "status") })
}

func (c *Client) apply(ctx context.Context, o *unstructured.Unstructured, subresource string) error {
	r, err := c.resource(o)
	if err != nil {
		return err
	}
	options := metav1.ApplyOptions{FieldManager: fieldManager, Force: true}
	if subresource == "status" {
		_, err = r.ApplyStatus(ctx, o.GetName(), o, options)
	} else {
		_, err = r.Apply(ctx, o.GetName(), o, options)
	}
	return err
}

// Get returns the server's state of an object.
func (c *Client) Get(ctx context.Context, o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	r, err := c.resource(o)
	if err != nil {
		return nil, err
	}
	return r.Get(ctx, o.GetName(), metav1.GetOptions{})
}

// Delete removes an object; a missing one is no error.
func (c *Client) Delete(ctx context.Context, o *unstructured.Unstructured) error {
	r, err := c.resource(o)
	if err != nil {
		return err
	}
	if err := r.Delete(ctx, o.GetName(), metav1.DeleteOptions{PropagationPolicy: &background}); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting %s: %w", describe(o), err)
	}
	return nil
}

func (c *Client) resource(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	gvk := o.GroupVersionKind()
	m, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return nil, err
	}
	if m.Scope.Name() == meta.RESTScopeNameNamespace {
		ns := o.GetNamespace()
		if ns == "" {
			ns = metav1.NamespaceDefault
		}
		return c.Resource(m.Resource, ns), nil
	}
	return c.Resource(m.Resource, ""), nil
}

// retry repeats what fails only because something is not there yet.
func (c *Client) retry(ctx context.Context, what string, do func() error) error {
	for {
		err := do()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || !Transient(err) {
			return fmt.Errorf("applying %s: %w", what, err)
		}
		if meta.IsNoMatchError(err) {
			c.mapper.Reset()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("applying %s: %w (last: %w)", what, context.Cause(ctx), err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Transient reports whether asking again may help: the server, a webhook, a type or
// a namespace is still coming up.
func Transient(err error) bool {
	var network net.Error
	return meta.IsNoMatchError(err) || discovery.IsGroupDiscoveryFailedError(err) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) ||
		apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsConflict(err) || apierrors.IsNotFound(err) ||
		errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, &network)
}

// Raw returns the body of a path.
func (c *Client) Raw(ctx context.Context, path string) ([]byte, error) {
	return c.do(ctx, http.MethodGet, path, nil)
}

// Post sends JSON to a path and returns the answer.
func (c *Client) Post(ctx context.Context, path string, body any) ([]byte, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("posting to %s: %w", path, err)
	}
	return c.do(ctx, http.MethodPost, path, b)
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.config.Host+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("asking %s%s: %w", c.config.Host, path, err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking %s%s: %w", c.config.Host, path, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("asking %s%s: %w", c.config.Host, path, err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, fmt.Errorf("asking %s%s: %s: %.300s", c.config.Host, path, resp.Status, b)
	}
	return b, nil
}

func describe(o *unstructured.Unstructured) string {
	if o.GetNamespace() != "" {
		return fmt.Sprintf("%s %s/%s", o.GetKind(), o.GetNamespace(), o.GetName())
	}
	return fmt.Sprintf("%s %s", o.GetKind(), o.GetName())
}

// Wait calls ask, every interval, until it returns yes or ctx ends. The last reason is part of the error.
func Wait(ctx context.Context, interval time.Duration, what string, ask func(context.Context) (yes bool, reason string)) error {
	for {
		yes, reason := ask(ctx)
		if yes {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w (%s)", what, context.Cause(ctx), reason)
		case <-time.After(interval):
		}
	}
}

// Condition reads the status and message of a condition.
func Condition(o *unstructured.Unstructured, kind string) (status, message string) {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions") // absent or odd: no condition
	for _, item := range list {
		c, ok := item.(map[string]any)
		if ok && c["type"] == kind {
			status, _ = c["status"].(string)
			message, _ = c["message"].(string)
			return status, message
		}
	}
	return "", ""
}

// Object returns an object from a literal, which must be valid JSON content.
func Object(content map[string]any) *unstructured.Unstructured {
	// A round trip gives numbers and lists the types that clients expect.
	b, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(b); err != nil {
		panic(err)
	}
	return o
}
