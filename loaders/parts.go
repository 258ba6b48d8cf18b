package loaders

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// rowsIn is the part with some kinds in one cluster, or control plane; kinds that the read store does not hold there
// are left out, and recorded in the part.
func (k *Loaders) rowsIn(instance, cluster string, gvrs []schema.GroupVersionResource, where ...sql.Condition) (part, error) {
	held, missing := make([]schema.GroupVersionResource, 0, len(gvrs)), error(nil)
	readable := slices.DeleteFunc(slices.Clone(gvrs), func(gvr schema.GroupVersionResource) bool { return !k.mayList(instance, gvr) })
	if len(readable) == 0 && len(gvrs) > 0 {
		return part{}, &model.Error{Code: model.CodeForbidden, Instance: instance, Cluster: cluster,
			Message: fmt.Sprintf("you have no role that may list %s in instance %q", gvrs[0].GroupResource(), instance)}
	}
	for _, gvr := range readable {
		if err := k.source.Fleet.Synced(instance, cluster, gvr); err == nil {
			held = append(held, gvr)
		} else if missing == nil {
			missing = err
		}
	}
	if len(held) == 0 && len(gvrs) > 0 {
		return part{}, missing
	}
	return part{clusters: []string{pediacluster.Name(instance, cluster)}, gvrs: held, where: where, missing: missing}, nil
}

// mayList reports whether the caller may see any objects of a kind in an instance: cluster-scoped objects, except
// Namespaces, are for those with a role in all of it.
func (k *Loaders) mayList(instance string, gvr schema.GroupVersionResource) bool {
	where := k.scope.Sees(instance, gvr.GroupResource())
	if known := catalog.ByGVR(gvr); known != nil && !known.Namespaced && gvr != namespaceResource[0] {
		return where.All()
	}
	return !where.None()
}

// members is the members of an instance by name; an error when they are not known.
func (k *Loaders) members(instance string) (map[string]*model.Cluster, error) {
	states := k.clusterStates(instance)
	if states == nil {
		return nil, model.InstanceUnavailable(instance, "its clusters are not known yet", nil)
	}
	return states, nil
}

// holds adds a cluster to a part of one kind when the read store holds it there.
func (k *Loaders) holds(p *part, instance, cluster string) bool {
	err := k.source.Fleet.Synced(instance, cluster, p.gvrs[0])
	if err != nil {
		p.missing = err
		return false
	}
	p.clusters = append(p.clusters, pediacluster.Name(instance, cluster))
	return true
}

// ifAny is the part as a list, empty when no cluster holds it: the error is why rows are missing that should be there.
func (p part) ifAny() ([]part, error) {
	if len(p.clusters) == 0 {
		return nil, p.missing
	}
	return []part{p}, nil
}

// nearby is one part in the cluster of an object.
func (k *Loaders) nearby(ref model.Ref, gvrs []schema.GroupVersionResource, where ...sql.Condition) ([]part, error) {
	p, err := k.rowsIn(ref.Instance, ref.Cluster, gvrs, where...)
	if err != nil {
		return nil, err
	}
	return []part{p}, nil
}

// kept drops the kinds that are held only for members, or only for control planes, where they are not.
func (k *Loaders) kept(ref model.Ref, gvrs []schema.GroupVersionResource) []schema.GroupVersionResource {
	return slices.DeleteFunc(slices.Clone(gvrs), func(gvr schema.GroupVersionResource) bool {
		return !catalog.ByGVR(gvr).KeptIn(ref.Cluster)
	})
}
