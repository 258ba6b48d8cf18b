package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Owner is the field manager of what operations write to the host cluster.
const Owner = client.FieldOwner("kairship-operation")

// callTimeout is how long one request to a Karmada may take.
const callTimeout = 10 * time.Second

// Run is one try of a step: what it may use.
type Run struct {
	controllers.Base
	// Operation is as it was last written. Steps read it, and change it by Make and Find alone.
	Operation *v1alpha1.Operation
	// Actor is who asked.
	Actor auth.Principal
	// Scope is what they may do now.
	Scope rbac.Scope

	controller *Controller
	// undoing has the Karmada reached with Kairship's own credential: what was made is removed, whatever the actor may do by now.
	undoing bool
}

// Mark is the value of AnnotationOperation on what the operation makes.
func (r *Run) Mark() string { return string(r.Operation.UID) }

// Ours reports whether the operation made an object.
func (r *Run) Ours(o client.Object) bool {
	return o.GetAnnotations()[v1alpha1.AnnotationOperation] == r.Mark()
}

// Acting is the actor as the operation's instance is to see them.
func (r *Run) Acting() auth.Principal { return r.Scope.Acting(r.Operation.Spec.Instance, r.Actor) }

// Make announces an object before it is made, or tells its UID afterwards. Only then a crash leaves nothing that nobody knows.
func (r *Run) Make(ctx context.Context, o v1alpha1.MadeObject) error {
	made := r.Operation.Status.Made
	same := func(x v1alpha1.MadeObject) bool { x.UID = o.UID; return x == o }
	if i := slices.IndexFunc(made, same); i < 0 {
		r.Operation.Status.Made = slices.Concat(made, []v1alpha1.MadeObject{o})
	} else if o.UID == "" || made[i].UID == o.UID { // announced before
		return nil
	} else {
		made[i].UID = o.UID
	}
	return r.controller.write(ctx, r.Operation)
}

// Unmake forgets an object that was announced and is not there any more, or is to stay.
func (r *Run) Unmake(ctx context.Context, o v1alpha1.MadeObject) error {
	before := len(r.Operation.Status.Made)
	r.Operation.Status.Made = slices.DeleteFunc(r.Operation.Status.Made, func(x v1alpha1.MadeObject) bool { x.UID = o.UID; return x == o })
	if len(r.Operation.Status.Made) == before {
		return nil
	}
	return r.controller.write(ctx, r.Operation)
}

// Find keeps something that later steps need. It must not be secret.
func (r *Run) Find(ctx context.Context, key, value string) error {
	if r.Operation.Status.Found[key] == value && value != "" {
		return nil
	}
	if r.Operation.Status.Found == nil {
		r.Operation.Status.Found = map[string]string{}
	}
	r.Operation.Status.Found[key] = value
	return r.controller.write(ctx, r.Operation)
}

// Found is what Find kept; empty when it kept nothing.
func (r *Run) Found(key string) string { return r.Operation.Status.Found[key] }

// Secret is the Secret of the operation's own name that it owns, with what must not be in it; nil when there is none. Another
// operation's Secret of that name is none.
func (r *Run) Secret(ctx context.Context) (*corev1.Secret, error) {
	var s corev1.Secret
	err := r.Live.Get(ctx, client.ObjectKey{Namespace: r.Namespace, Name: r.Operation.Name}, &s)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading the operation's Secret: %w", err)
	}
	if err != nil || !metav1.IsControlledBy(&s, r.Operation) {
		return nil, nil //nolint:nilnil,nilerr // there is none
	}
	return &s, nil
}

// DropSecret deletes that Secret. It is no error when there is none.
func (r *Run) DropSecret(ctx context.Context) error {
	s, err := r.Secret(ctx)
	if err != nil || s == nil {
		return err
	}
	if err := client.IgnoreNotFound(r.Client.Delete(ctx, s, client.Preconditions{UID: &s.UID})); err != nil {
		return fmt.Errorf("deleting the operation's Secret: %w", err)
	}
	return nil
}

// Instance is the operation's instance as last seen; nil when there is none of that name.
func (r *Run) Instance(ctx context.Context) (*v1alpha1.Instance, error) {
	var i v1alpha1.Instance
	err := r.Client.Get(ctx, client.ObjectKey{Name: r.Operation.Spec.Instance}, &i)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading instance %q: %w", r.Operation.Spec.Instance, err)
	}
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // there is none
	}
	return &i, nil
}

// Errors of Karmada: there is no instance of that name any more, or it is not the one that was meant.
var (
	ErrNoInstance    = errors.New("the instance is not there any more")
	errOtherInstance = errors.New("the instance is another one than was meant: it was deleted, and made anew under the same name")
	errOtherKarmada  = errors.New("the instance leads to another Karmada than when this was asked for")
	errUnidentified  = errors.New("the Karmada of the instance has not said yet which one it is")
)

// lost reports that the Karmada that was meant cannot be reached through the instance, now or ever.
func lost(err error) bool {
	return errors.Is(err, ErrNoInstance) || errors.Is(err, errOtherInstance) || errors.Is(err, errOtherKarmada)
}

// Karmada is the connection to the operation's instance: package karmada writes through it as Acting. It is the instance and the Karmada that
// were meant, as far as that was known when the person asked: what is secret goes to no other.
func (r *Run) Karmada(ctx context.Context) (*Karmada, error) {
	instance, err := r.Instance(ctx)
	if err != nil {
		return nil, err
	}
	switch uid := r.Operation.Spec.InstanceUID; {
	case instance == nil:
		return nil, ErrNoInstance
	case uid != "" && uid != string(instance.UID):
		return nil, errOtherInstance
	}
	credential, err := connection.Credential(ctx, r.Client, r.Namespace, instance)
	if err != nil {
		return nil, err
	}
	conn, err := r.Connections.Ensure(instance.Name, credential)
	if err != nil {
		return nil, err
	}
	switch is, uid := conn.State().Identity, r.Operation.Spec.KarmadaUID; {
	case uid != "" && is == "":
		return nil, errUnidentified
	case uid != "" && uid != is:
		return nil, errOtherKarmada
	}
	return r.controller.karmada(conn)
}

// Karmada reaches one instance. It is a karmada.Connection.
type Karmada struct {
	*connection.Connection
	mapper meta.ResettableRESTMapper
}

// As returns a configuration that impersonates a person in Karmada.
func (k *Karmada) As(p auth.Principal) (*rest.Config, error) { return k.Impersonating(p, callTimeout) }

// Mapper finds resources for kinds, from a discovery that is cached.
func (k *Karmada) Mapper() meta.ResettableRESTMapper { return k.mapper }

// karmada returns the Karmada of a connection: the same one as long as the connection is.
func (c *Controller) karmada(conn *connection.Connection) (*Karmada, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.karmadas[conn.Instance()]; k != nil && k.Connection == conn {
		return k, nil
	}
	config := conn.Config()
	config.Timeout = callTimeout
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", conn.Instance(), err)
	}
	k := &Karmada{conn, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))}
	c.karmadas[conn.Instance()] = k
	return k, nil
}
