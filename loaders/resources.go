package loaders

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

// parseKind parses a user's input for a kind.
func parseKind(apiVersion, kind string) (schema.GroupVersionKind, error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Version == "" {
		return schema.GroupVersionKind{}, model.BadInput("apiVersion", "%q is not a group and version, such as apps/v1, or v1", model.Clip(apiVersion))
	}
	if kind == "" {
		return schema.GroupVersionKind{}, model.BadInput("kind", "is empty")
	}
	return gv.WithKind(kind), nil
}

// resourceAt returns how a place serves a kind. Known kinds need no discovery.
func (k *Loaders) resourceAt(ctx context.Context, at Place, kind schema.GroupVersionKind) (gvr schema.GroupVersionResource, namespaced bool, err error) {
	if known := catalog.ByGVK(kind); known != nil && known.KeptIn(at.cluster()) {
		return known.GVR(), known.Namespaced, nil
	}
	api, err := k.source.KubeAPI.Kind(ctx, k.scope, at.Instance, at.cluster(), kind)
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	return api.GVR(), api.Scope == model.ScopeNamespaced, nil
}

// Watched is how the control plane of an instance serves a kind that can be watched.
func (k *Loaders) Watched(ctx context.Context, instance, apiVersion, kind string) (gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, namespaced bool, err error) {
	if gvk, err = parseKind(apiVersion, kind); err != nil {
		return gvr, gvk, false, err
	}
	if known := catalog.ByGVK(gvk); known != nil && known.KeptIn("") {
		return known.GVR(), gvk, known.Namespaced, nil
	}
	api, err := k.source.KubeAPI.Kind(ctx, k.scope, instance, "", gvk)
	if err != nil {
		return gvr, gvk, false, err
	}
	if !slices.Contains(api.Verbs, "watch") {
		return gvr, gvk, false, model.BadInput("kind", "is %q, which cannot be followed: the API server of instance %q offers no watch of it", model.Clip(kind), instance)
	}
	return api.GVR(), gvk, api.Scope == model.ScopeNamespaced, nil
}

// Resource is one object of a place, of any kind; nil when there is none.
func (k *Loaders) Resource(ctx context.Context, at Place, apiVersion, kind, namespace, name string) (*model.KubernetesResource, error) {
	gvk, err := parseKind(apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, model.BadInput("name", "is empty")
	}
	_, namespaced, err := k.resourceAt(ctx, at, gvk)
	switch {
	case err != nil:
		return nil, err
	case namespaced && namespace == "":
		return nil, model.BadInput("namespace", "is needed: %s is namespaced", gvk.Kind)
	case !namespaced && namespace != "":
		return nil, model.BadInput("namespace", "may not be given: %s is cluster-scoped", gvk.Kind)
	}
	obj, err := k.Object(ctx, model.Ref{Instance: at.Instance, Cluster: at.cluster(), GVK: gvk, Namespace: namespace, Name: name})
	if obj == nil || err != nil {
		return nil, err
	}
	return asResource(obj)
}

// Resources are objects of a place, of any kind, by namespace and name: from the read store if it holds the kind, else
// from the API server itself, as the caller.
func (k *Loaders) Resources(ctx context.Context, at Place, apiVersion, kind string, f *model.ResourceFilter, opts ListOptions) (*model.KubernetesResourceConnection, error) {
	gvk, err := parseKind(apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	if f == nil {
		f = &model.ResourceFilter{}
	}
	var where conditions
	where.namespaces(f.Namespaces)
	where.nameContains(f.NameContains)
	where.labels(f.LabelSelector)
	if where.err != nil {
		return nil, where.err
	}
	gvr, namespaced, err := k.resourceAt(ctx, at, gvk)
	if err != nil {
		return nil, err
	}
	if !namespaced && len(f.Namespaces) > 0 {
		return nil, model.BadInput("namespaces", "may not be given: %s is cluster-scoped", gvk.Kind)
	}
	if k.source.Fleet.Synced(at.Instance, at.cluster(), gvr) != nil {
		return k.resourcesFromAPI(ctx, at, gvk, f, opts)
	}
	asked := resourcesAsked{rowsAsked{ListOptions: opts, gvrs: []schema.GroupVersionResource{gvr}, where: where.all}, gvk}
	return resourcesAt.Of(ctx, k, at.batch(k), asked, at)
}

// resourcesAsked is a request for a list of objects of one kind, shown as the generic type.
type resourcesAsked struct {
	rowsAsked
	gvk schema.GroupVersionKind
}

var resourcesAt = &edge[resourcesAsked, Place, *model.KubernetesResourceConnection]{
	From: placesOf,
	Read: func(ctx context.Context, k *Loaders, asked resourcesAsked, places []Place) (map[Place]*model.KubernetesResourceConnection, error) {
		return listsAt(ctx, k, "resources "+asked.gvk.String(), asked.rowsAsked, places, func(r sql.Row) (*model.KubernetesResource, sql.Key, error) {
			instance, cluster, _ := pediacluster.Parse(r.Cluster)
			obj, err := objects.DecodeResource(instance, cluster, asked.gvk, r.Raw)
			if err != nil {
				return nil, sql.Key{}, err
			}
			return obj, sql.Key{Namespace: obj.Ref.Namespace, Name: obj.Ref.Name}, nil
		})
	},
}

func (k *Loaders) resourcesFromAPI(ctx context.Context, at Place, gvk schema.GroupVersionKind, f *model.ResourceFilter, opts ListOptions) (*model.KubernetesResourceConnection, error) {
	of := list{"resources of the source", fmt.Sprint(at.id(), " ", gvk)}
	q := kubeapi.Query{Who: k.who(), Instance: at.Instance, Cluster: at.cluster(), GVK: gvk, Namespaces: f.Namespaces, Limit: opts.Page.First}
	if f.NameContains != nil {
		q.NameContains = *f.NameContains
	}
	if f.LabelSelector != nil {
		q.LabelSelector = *f.LabelSelector
	}
	if opts.Page.After != "" {
		position, err := of.parse(opts.Page.After, 1)
		if err != nil {
			return nil, err
		}
		q.After = position[0]
	}
	page, err := k.source.KubeAPI.List(ctx, q)
	if err != nil {
		return nil, err
	}
	conn := &model.KubernetesResourceConnection{PageInfo: model.PageInfo{HasNextPage: page.Next != "", HasPreviousPage: q.After != ""}}
	for _, row := range page.Rows {
		obj, err := objects.DecodeResource(at.Instance, at.cluster(), gvk, row.Raw)
		if err != nil {
			return nil, err
		}
		conn.Edges = append(conn.Edges, model.Edge[*model.KubernetesResource]{Cursor: of.cursor(row.Cursor), Node: obj})
	}
	if n := len(conn.Edges); n > 0 {
		conn.PageInfo.StartCursor, conn.PageInfo.EndCursor = &conn.Edges[0].Cursor, &conn.Edges[n-1].Cursor
	}
	if page.Next != "" {
		end := of.cursor(page.Next)
		conn.PageInfo.EndCursor = &end
	}
	if conn.Edges == nil {
		conn.Edges = []model.Edge[*model.KubernetesResource]{}
	}
	batch.Join(k.Operation, conn.Nodes())
	return conn, nil
}

func (k *Loaders) who() kubeapi.Who { return kubeapi.Who{Principal: k.principal, Scope: k.scope} }

// APIResources is the kinds that the API server of an instance serves.
func (k *Loaders) APIResources(ctx context.Context, instance string) ([]*model.APIResource, error) {
	return k.source.KubeAPI.APIResources(ctx, k.scope, instance)
}
