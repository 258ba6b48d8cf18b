package sql

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Conditions on other rows than the current one.

// OwnedByObjects holds for rows that belong to one of the objects in the same cluster, directly or through one other:
// pods of Deployments through their ReplicaSets, pods of CronJobs through their Jobs.
func OwnedByObjects(owners ...Key) Condition { return ownedByObjects(owners) }

type ownedByObjects []Key

func (c ownedByObjects) sql(s *builder) {
	// uids of two clusters may be equal where one was restored from the other's backup, so the owner's cluster has to
	// match too.
	s.write("owner_uid <> '' AND owner_uid = ANY(ARRAY(")
	c.uids(s, "uid")
	s.write("))")
	if s.cluster == "" {
		s.write(" AND cluster || ' ' || owner_uid = ANY(ARRAY(")
		c.uids(s, "cluster || ' ' || uid")
		s.write("))")
	}
}

// uids writes the uids of possible owners: the objects at the top, and those between them and the rows.
func (c ownedByObjects) uids(s *builder, column string) {
	s.write("WITH tops AS MATERIALIZED (")
	c.tops(s)
	s.write(") SELECT ", column, " FROM tops UNION ALL SELECT ", column, " FROM (SELECT i.uid, i.cluster FROM tops CROSS JOIN LATERAL ", beneath, ") i")
}

// tops writes the objects at the top.
func (c ownedByObjects) tops(s *builder) {
	type top struct {
		Group     string `json:"g"`
		Version   string `json:"v"`
		Resource  string `json:"r"`
		Cluster   string `json:"c"`
		Namespace string `json:"n"`
		Name      string `json:"m"`
	}
	tops := make([]top, 0, len(c))
	for _, k := range c {
		if Storable(k.Namespace, k.Name) {
			tops = append(tops, top{k.GVR.Group, k.GVR.Version, k.GVR.Resource, k.Cluster, k.Namespace, k.Name})
		}
	}
	s.write("SELECT o.id, o.uid, o.cluster FROM jsonb_to_recordset(")
	s.json(tops)
	s.write(`) AS w(g text, v text, r text, c text, n text, m text) CROSS JOIN LATERAL (SELECT id, uid, cluster FROM resources`+
		` WHERE "group" = w.g AND version = w.v AND resource = w.r AND `, at("w.c", "w.n", "w.m"), " LIMIT 1) o")
	if s.cluster != "" {
		s.write(" WHERE w.c = ", s.cluster)
	}
}

// beneath selects the objects between an object at the top and the rows.
const beneath = `(SELECT id, uid, cluster FROM resources WHERE owner_uid = tops.uid AND owner_uid <> '' AND cluster = tops.cluster` +
	` AND "group" IN ('apps', 'batch') AND resource IN ('replicasets', 'jobs') LIMIT 10000) i`

func (c ownedByObjects) searched() bool { return true }

// match knows from a row alone only that it has an owner. With the other rows of the answer it follows the owners.
func (c ownedByObjects) match(v *View) truth {
	if v.controller().UID == "" || !slices.ContainsFunc(c, func(k Key) bool { return k.Cluster == v.Key.Cluster && k.Namespace == v.Key.Namespace }) {
		return no
	}
	if v.Beside == nil {
		return unknown
	}
	parent := v.Beside.of(v.Cluster, v.controller().UID)
	return truthOf(c.own(v) || parent != nil && c.own(parent))
}

// own reports whether the controller of a row is one of the objects.
func (c ownedByObjects) own(v *View) bool {
	ref := v.controller()
	if v.Beside.Owners {
		top := v.Beside.of(v.Cluster, ref.UID)
		return ref.UID != "" && top != nil && slices.Contains(c, top.Key)
	}
	gv, _ := schema.ParseGroupVersion(ref.APIVersion) // an invalid one has no group
	return slices.ContainsFunc(c, func(k Key) bool {
		return k.Cluster == v.Key.Cluster && k.Namespace == v.Key.Namespace && k.Name == ref.Name &&
			k.GVR.Group == gv.Group && k.GVR.Resource == strings.ToLower(ref.Kind)+"s"
	})
}

// LooksBeside reports whether a condition depends on other rows than the current one, which may be in the same answer.
func LooksBeside(where []Condition) bool {
	return slices.ContainsFunc(where, func(c Condition) bool {
		_, ok := c.(ownedByObjects)
		return ok
	})
}

// between maps a workload's resource to the resource between it and its pods.
var between = map[schema.GroupResource]schema.GroupVersionResource{
	{Group: "apps", Resource: "deployments"}: {Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "batch", Resource: "cronjobs"}:   {Group: "batch", Version: "v1", Resource: "jobs"},
}

var betweens = slices.Collect(maps.Values(between))

// bindings is the resource of the bindings of namespaced objects.
var bindings = schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}

// Binding holds for templates whose ResourceBinding, found by its derived name, meets the conditions; without
// conditions, for those which have one. The name leaves out the API group, so both of two objects that share a
// binding's name may be returned: the reader checks whose it is.
func Binding(conditions ...Condition) Condition { return bindingCondition(conditions) }

type bindingCondition []Condition

func (c bindingCondition) sql(s *builder) {
	outside := s.row
	// Not EXISTS: the planner would turn it into a join and read all bindings of a cluster for the few rows of a page.
	s.write(`COALESCE((SELECT true FROM resources b WHERE b."group" = '`, bindings.Group, "' AND b.version = '", bindings.Version,
		"' AND b.resource = '", bindings.Resource, "' AND ", at(s.row+".cluster", s.row+".namespace",
			"lower(replace("+s.row+".name, ':', '.') || '-' || "+s.row+".kind)"))
	s.row = "b"
	s.all(c)
	s.row = outside
	s.write(" LIMIT 1), false)")
}

func (c bindingCondition) match(*View) truth { return unknown }
