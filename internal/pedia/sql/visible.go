package sql

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/rbac"
)

// The read store authorises nothing: every caller sees all. The limits of a scope are therefore part of every query.
// They become ordinary conditions, so that statements, counts, scans and the check of each returned row all apply them.

// namespaceObjects is the resource whose objects are the namespaces themselves: a role in a namespace shows that
// namespace.
var namespaceObjects = schema.GroupResource{Resource: "namespaces"}

// sees is where a scope may read a kind in a PediaCluster; nowhere in one that is not Kairship's.
func sees(scope rbac.Scope, cluster string, gvr schema.GroupVersionResource) rbac.Namespaces {
	instance, _, ok := pediacluster.Parse(cluster)
	if !ok {
		return rbac.Namespaces{}
	}
	return scope.Sees(instance, gvr.GroupResource())
}

// Restrict limits a query to what its scope may see; false when that is certainly nothing. The error is FORBIDDEN when
// the scope may read none of the kinds in any of the clusters.
func (q *Query) Restrict() (bool, error) {
	if q.Scope.All() {
		return true, nil
	}
	var v visible
	clusters, kinds := map[string]bool{}, map[schema.GroupVersionResource]bool{}
	for _, cluster := range q.Clusters {
		for _, gvr := range q.GVRs {
			if where := sees(q.Scope, cluster, gvr); !where.None() {
				clusters[cluster], kinds[gvr] = true, true
				v.add(cluster, gvr, where)
			}
		}
	}
	if len(v) == 0 {
		return false, forbidden(q)
	}
	q.Clusters = slices.DeleteFunc(slices.Clone(q.Clusters), func(c string) bool { return !clusters[c] })
	q.GVRs = slices.DeleteFunc(slices.Clone(q.GVRs), func(g schema.GroupVersionResource) bool { return !kinds[g] })
	// Of the kinds and clusters that are left, some kind may still be hidden in some cluster.
	if len(v) == 1 && v.pairs() == len(q.Clusters)*len(q.GVRs) {
		return q.within(v[0])
	}
	q.Where = append(slices.Clone(q.Where), v)
	return true, nil
}

// within limits a query to namespaces that are the same for all its clusters and kinds: it then has a partition for
// each namespace.
func (q *Query) within(same visibleIn) (bool, error) {
	switch {
	case same.where.All():
		return true, nil
	case same.named:
		q.Where = append(slices.Clone(q.Where), Names(same.where.Names()...))
		return true, nil
	}
	wanted, rest := splitNamespaces(q.Where)
	where := same.where.Among(wanted)
	if where.None() {
		return false, nil
	}
	q.Where = append([]Condition{Namespaces(where.Names()...)}, rest...)
	return true, nil
}

// forbidden is the error of a query whose rows are all hidden.
func forbidden(q *Query) error {
	instance, _, _ := pediacluster.Parse(q.Clusters[0])
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("you have no role that may list %s in instance %q", q.GVRs[0].GroupResource(), instance)}
}

// VisibleKeys removes the keys whose rows a scope may not see.
func VisibleKeys(scope rbac.Scope, keys []Key) []Key {
	if scope.All() {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return !Visible(scope, k) })
}

// Visible reports whether a scope may see the row at a key.
func Visible(scope rbac.Scope, k Key) bool {
	where := sees(scope, k.Cluster, k.GVR)
	if k.GVR.GroupResource() == namespaceObjects {
		return where.Has(k.Name)
	}
	return where.Has(k.Namespace)
}

// Restrict limits a group to what a scope may see; false when that is nothing.
func (g *Group) Restrict(scope rbac.Scope) bool {
	if scope.All() {
		return true
	}
	where := sees(scope, g.Cluster, g.GVR)
	switch {
	case where.None():
		return false
	case where.All():
	case g.GVR.GroupResource() == namespaceObjects:
		g.Where = append(slices.Clone(g.Where), Names(where.Names()...))
	default:
		g.Where = append(slices.Clone(g.Where), Namespaces(where.Names()...))
	}
	return true
}

// visible holds for rows of some kinds in some clusters, each where it may be read, where that differs from kind to
// kind or from cluster to cluster.
type visible []visibleIn

type visibleIn struct {
	where rbac.Namespaces
	// named says that the namespaces are the names of the rows.
	named bool
	of    map[string][]schema.GroupVersionResource // by cluster
	// clusters are in the order of the query.
	clusters []string
}

func (v *visible) add(cluster string, gvr schema.GroupVersionResource, where rbac.Namespaces) {
	named := gvr.GroupResource() == namespaceObjects && !where.All()
	i := slices.IndexFunc(*v, func(in visibleIn) bool {
		return in.named == named && in.where.All() == where.All() && slices.Equal(in.where.Names(), where.Names())
	})
	if i < 0 {
		i = len(*v)
		*v = append(*v, visibleIn{where: where, named: named, of: map[string][]schema.GroupVersionResource{}})
	}
	in := &(*v)[i]
	if in.of[cluster] == nil {
		in.clusters = append(in.clusters, cluster)
	}
	in.of[cluster] = append(in.of[cluster], gvr)
}

// pairs is the number of pairs of kind and cluster that may be seen.
func (v visible) pairs() int {
	n := 0
	for _, in := range v {
		for _, gvrs := range in.of {
			n += len(gvrs)
		}
	}
	return n
}

func (v visible) sql(s *builder) {
	s.write("(")
	for i, in := range v {
		if i > 0 {
			s.write(" OR ")
		}
		s.write("(")
		if !in.where.All() {
			if s.write("namespace"); in.named {
				s.write(" = '' AND name")
			}
			s.anyOf(in.where.Names())
			s.write(" AND ")
		}
		// Clusters with the same visible kinds share one term.
		s.write("(")
		for j, group := range in.groups() {
			if j > 0 {
				s.write(" OR ")
			}
			s.write("cluster")
			s.anyOf(group.clusters)
			s.write(` AND ("group" || '/' || resource)`)
			s.anyOf(group.resources)
		}
		s.write("))")
	}
	s.write(")")
}

type visibleGroup struct{ clusters, resources []string }

// groups groups the clusters of one part by the kinds that may be seen there.
func (in *visibleIn) groups() []visibleGroup {
	var out []visibleGroup
	for _, cluster := range in.clusters {
		var resources []string
		for _, gvr := range in.of[cluster] {
			resources = append(resources, gvr.Group+"/"+gvr.Resource)
		}
		i := slices.IndexFunc(out, func(g visibleGroup) bool { return slices.Equal(g.resources, resources) })
		if i < 0 {
			i = len(out)
			out = append(out, visibleGroup{resources: resources})
		}
		out[i].clusters = append(out[i].clusters, cluster)
	}
	return out
}

func (v visible) match(row *View) truth {
	return truthOf(slices.ContainsFunc(v, func(in visibleIn) bool {
		name := row.Key.Namespace
		if in.named {
			name = row.Key.Name
		}
		return in.where.Has(name) && slices.Contains(in.of[row.Key.Cluster], row.Key.GVR)
	}))
}
