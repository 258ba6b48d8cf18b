// Package karmada is the write plane: it changes what an instance's Karmada holds, as the person who
// asks. Every request is impersonated, so that Karmada's own authorisation decides and its audit log
// names the person; nothing here falls back to Kairship's credential, which reads discovery only. A connection that impersonates
// nobody is its caller's decision: operations undo with one what they made (controllers/operation).
//
// It returns what the API server answered, never a re-read from the read store, which lags behind. It must not know
// GraphQL, nor build a write from something that was read from the read store.
package karmada

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// FieldManager is the name under which Kairship owns fields.
const FieldManager = "kairship"

// DefaultTimeout is how long one request to an API server may take.
const DefaultTimeout = 5 * time.Second

// dryRunTimeout is how long a dry run may take: it can be given up safely, and somebody waits for its answer.
const dryRunTimeout = 1700 * time.Millisecond

// timeoutOf is how long a request may take.
func timeoutOf(most time.Duration, dryRun bool) time.Duration {
	if dryRun {
		return min(most, dryRunTimeout)
	}
	return most
}

// Connection reaches one instance.
type Connection interface {
	// Instance is the instance's name.
	Instance() string
	// As is a configuration that impersonates a person; it refuses those who must not be impersonated.
	As(auth.Principal) (*rest.Config, error)
	// Mapper knows the kinds that the instance serves, from discovery that may be cached.
	Mapper() meta.ResettableRESTMapper
}

// Written is what a write that was not tried only made of an object.
type Written struct {
	Ref model.Ref
	// Object is the object as the API server answered, as JSON; nil when it is gone.
	Object []byte
	// Before is the object as it was read for the write; nil when it was not read, or there was none.
	Before []byte
	// UID is that of an object that is gone; empty when the API server did not say.
	UID string
}

// Watched is a connection that tells what is written through it.
type Watched struct {
	Connection

	Wrote func(Written)
}

// told is how to tell what is written through a connection.
func told(conn Connection) func(Written) {
	if w, ok := conn.(Watched); ok {
		return w.Wrote
	}
	return func(Written) {}
}

// statusCodec decodes the Status objects in which API servers report errors.
var statusCodec = func() runtime.NegotiatedSerializer {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(s).WithoutConversion()
}()

// as makes a client that acts as a person.
func as(conn Connection, principal auth.Principal) (rest.Interface, error) {
	cfg, err := conn.As(principal)
	if err != nil {
		return nil, err
	}
	return clientOf(rest.CopyConfig(cfg))
}

// clientOf makes a client of a configuration, which it changes.
func clientOf(cfg *rest.Config) (rest.Interface, error) {
	cfg.QPS = -1 // sequential requests need no rate limit
	cfg.WarningHandler = rest.NoWarnings{}
	cfg.ContentType, cfg.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	cfg.NegotiatedSerializer = statusCodec
	return rest.UnversionedRESTClientFor(cfg)
}

// created says whether an answer's status is that of a new object.
func created(code int) bool { return code == http.StatusCreated }

// groupPath is where the API server serves a group and version.
func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "/api/" + gv.Version
	}
	return "/apis/" + gv.Group + "/" + gv.Version
}
