package karmada

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
)

// Member reads a member of an instance as a person, through Karmada: the member decides what they may read.
type Member struct {
	conn     Connection
	client   rest.Interface
	instance string
	cluster  string
}

// introducer makes somebody known to the members who comes there for the first time.
type introducer interface {
	Introduce(ctx context.Context, p auth.Principal, member *rest.Config)
}

// OpenMember makes a reader of a member.
func OpenMember(ctx context.Context, conn Connection, principal auth.Principal, cluster string) (*Member, error) {
	if len(path.IsValidPathSegmentName(cluster)) > 0 {
		return nil, model.BadInput("cluster", "is not the name of a cluster")
	}
	client, err := asIn(ctx, conn, principal, "/apis/cluster.karmada.io/v1alpha1/clusters/"+url.PathEscape(cluster)+"/proxy")
	if err != nil {
		return nil, fmt.Errorf("read cluster %q of instance %q: %w", cluster, conn.Instance(), err)
	}
	return &Member{conn: conn, client: client, instance: conn.Instance(), cluster: cluster}, nil
}

// Get returns an object of the member, as JSON of at most so many bytes. Karmada has to serve its kind, too. Errors are those of Object;
// LIMIT_EXCEEDED for an object that is larger.
func (m *Member) Get(ctx context.Context, ref model.Ref, most int) ([]byte, error) {
	ref.Cluster = ""
	for _, name := range []string{ref.Name, ref.Namespace} {
		if len(path.IsValidPathSegmentName(name)) > 0 {
			return nil, model.BadInput("name", "is not the name of an object")
		}
	}
	mapping, err := mapping(m.conn, ref)
	if err != nil {
		return nil, err
	}
	raw, _, err := send(link.AtMost(ctx, int64(most)), dryRunTimeout, locate(m.client.Get(), mapping, ref.Namespace, ref.Name).MaxRetries(0))
	if err != nil {
		if errors.Is(err, link.ErrTooLarge) {
			return nil, m.tooLarge(fmt.Sprintf("%s %q", ref.GVK.Kind, ref.Name), most)
		}
		return nil, m.explained(ctx, mapping.GroupVersionKind, ref, err)
	}
	return raw, nil
}

// List returns at most so many objects of a kind in a namespace of the member, as a list in JSON of at most so many bytes. Errors are those
// of Get.
func (m *Member) List(ctx context.Context, kind schema.GroupVersionResource, namespace string, objects, most int) ([]byte, error) {
	req := m.client.Get().AbsPath(groupPath(kind.GroupVersion())).Resource(kind.Resource).Param("limit", strconv.Itoa(objects)).MaxRetries(0)
	if namespace != "" {
		req = req.Namespace(namespace)
	}
	raw, _, err := send(link.AtMost(ctx, int64(most)), dryRunTimeout, req)
	if err != nil {
		if errors.Is(err, link.ErrTooLarge) {
			return nil, m.tooLarge(fmt.Sprintf("the list of %s of namespace %q", kind.Resource, namespace), most)
		}
		return nil, m.explained(ctx, kind.GroupVersion().WithKind(kind.Resource), model.Ref{Namespace: namespace}, err)
	}
	return raw, nil
}

// tooLarge refuses what a member sends. It is not retryable: the same comes again.
func (m *Member) tooLarge(what string, most int) error {
	return &model.Error{Code: model.CodeLimitExceeded, Instance: m.instance,
		Message: fmt.Sprintf("%s of cluster %q has more than the %d bytes that are read of it", what, m.cluster, most)}
}

func (m *Member) explained(ctx context.Context, kind schema.GroupVersionKind, ref model.Ref, err error) error {
	o := &Object{Ref: model.Ref{Instance: m.instance, Cluster: m.cluster, GVK: kind, Namespace: ref.Namespace, Name: ref.Name},
		mapping: &meta.RESTMapping{GroupVersionKind: kind}}
	err = o.explained(ctx, unwritten{err})
	if e := (*model.Error)(nil); errors.As(err, &e) {
		e.Cluster, e.Message = m.cluster, fmt.Sprintf("cluster %q cannot be asked: %s", m.cluster, e.Message)
	}
	return err
}

// asIn makes a client that acts as a person below a path of the instance's API server.
func asIn(ctx context.Context, conn Connection, principal auth.Principal, below string) (rest.Interface, error) {
	cfg, err := conn.As(principal)
	if err != nil {
		return nil, err
	}
	cfg = rest.CopyConfig(cfg)
	cfg.Host += below
	if i, ok := conn.(introducer); ok {
		i.Introduce(ctx, principal, cfg)
	}
	return clientOf(cfg)
}
