package resolvers_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// entries lead to objects of the world, in a control plane and in a member where a type has both.
func entries(instance string) map[string][]schematest.Path {
	asia := schematest.Path{fmt.Sprintf(`instance(name: %q)`, instance)}
	member := append(slices.Clone(asia), `clusters`, `nodes`)
	then := func(p schematest.Path, steps ...string) schematest.Path { return slices.Concat(p, steps) }
	deployments := then(asia, "workloads(filter: {kinds: [DEPLOYMENT]})", "nodes", "... on Deployment")
	deployed := then(member, "workloads", "nodes", "... on Deployment")
	bindings := then(asia, `bindings(filter: {kinds: ["Deployment"]})`, "nodes")
	out := map[string][]schematest.Path{
		"Instance":                 {{"instances", "nodes"}},
		"Cluster":                  {member},
		"Deployment":               {deployments, deployed},
		"PropagationPolicy":        {then(asia, "policies", "nodes", "... on PropagationPolicy"), then(deployments, "propagation", "policy", "... on PropagationPolicy")},
		"ClusterPropagationPolicy": {then(asia, "policies", "nodes", "... on ClusterPropagationPolicy")},
		"OverridePolicy":           {then(asia, "policies", "nodes", "... on OverridePolicy"), then(deployments, "propagation", "overridePolicies", "... on OverridePolicy")},
		"ClusterOverridePolicy":    {then(asia, "policies", "nodes", "... on ClusterOverridePolicy")},
		"Propagation":              {then(deployments, "propagation")},
		"AppliedOverride":          {then(deployments, "propagation", "targets", "overrides")},
		"ResourceBinding":          {bindings},
		"Work":                     {then(bindings, "works", "nodes")},
		"Pod":                      {then(member, "pods", "nodes")},
		"ClusterNode":              {then(member, "nodeList", "nodes")},
		"Namespace":                {then(asia, "namespaces", "nodes"), then(member, "namespaces", "nodes")},
		"KubernetesEvent":          {then(asia, "events", "nodes"), then(member, "events", "nodes")},
		"Service":                  {then(deployments, "services", "nodes"), then(deployed, "services", "nodes")},
		"Autoscaler":               {then(deployments, "autoscaler")},
		"Revision":                 {then(deployments, "revisions", "nodes")},
		"Operation":                {{"operations", "nodes"}},
		"KubernetesResource": {then(asia, `resources(apiVersion: "apps/v1", kind: "Deployment")`, "nodes"), then(member, `resourceList(apiVersion: "apps/v1", kind: "Deployment")`, "nodes"),
			then(asia, `resources(apiVersion: "example.com/v1", kind: "Widget")`, "nodes")},
	}
	for _, kind := range []string{"STATEFUL_SET", "DAEMON_SET", "JOB", "CRON_JOB"} {
		name := map[string]string{"STATEFUL_SET": "StatefulSet", "DAEMON_SET": "DaemonSet", "JOB": "Job", "CRON_JOB": "CronJob"}[kind]
		out[name] = []schematest.Path{then(asia, "workloads(filter: {kinds: ["+kind+"]})", "nodes", "... on "+name)}
	}
	return out
}

// arguments are what fields are asked with.
func arguments(instance string) schematest.Values {
	return schematest.Values{
		"instance.name": strconv.Quote(instance), "Instance.cluster.name": `"member-00"`, "search.text": `"cart"`,
		"Instance.workload.kind": "DEPLOYMENT", "Instance.workload.namespace": `"shop"`, "Instance.workload.name": `"cart"`,
		"Instance.namespace.name": `"shop"`, "metrics.range": `{from: "2026-01-02T03:00:00Z", to: "2026-01-02T03:10:00Z"}`,
		"Instance.policy.kind": "PROPAGATION", "Instance.policy.namespace": `"shop"`, "Instance.policy.name": `"everywhere"`,
		"resource.apiVersion": `"example.com/v1"`, "resource.kind": `"Widget"`, "resource.namespace": `"shop"`, "resource.name": `"a"`,
		"resources.apiVersion": `"v1"`, "resources.kind": `"ConfigMap"`, "resourceList.apiVersion": `"v1"`, "resourceList.kind": `"Pod"`,
		"previewPropagationPolicy.input": `{instance: ` + strconv.Quote(instance) + `, manifest: "{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: everywhere}, spec: {propagateDeps: true, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: cart}, {apiVersion: apps/v1, kind: StatefulSet}], placement: {clusterAffinity: {clusterNames: [member-00]}}}}"}`,
		"previewOverridePolicy.input":    `{instance: ` + strconv.Quote(instance) + `, manifest: "{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: shop, name: more}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], overrideRules: [{overriders: {labelsOverrider: [{operator: add, value: {a: b}}]}}]}}"}`,
		"previewDeletion.ids":            `["` + (model.Ref{Instance: instance, Namespace: "shop", Name: "cart", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}}).ID() + `"]`,
		"node.id":                        `"` + (model.Ref{Instance: instance, Namespace: "shop", Name: "cart", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}}).ID() + `"`,
	}
}

// codeOf is the code of an error, as clients see it.
func codeOf(err error) model.Code {
	var e *model.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return model.CodeInternal
}

// typed are the codes that say that something failed upstream.
var typed = []model.Code{model.CodeUnavailable, model.CodeTimeout, model.CodeNotSynced}

// unknown are fields that cannot be null, with what they say instead when they do not know.
var unknown = map[string]any{"state": "UNKNOWN", "stateReason": "BindingUnavailable"}

// outage walks the schema with one upstream after the other failing.
type outage struct {
	*schematest.Schema
	*upstreams
}

// needs is what a field asks upstreams for beyond what leads to it.
func (o *outage) needs(base, with told) []upstreamCall {
	var out []upstreamCall
	for _, id := range slices.Sorted(maps.Keys(with.calls)) {
		for _, c := range with.calls[id] {
			if !base.has(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// eachType looks at every type that has resolvers, all at the same time: what another one shows came with it.
func eachType(t *testing.T, walk *schematest.Schema, look func(t *testing.T, typeName string)) {
	t.Helper()
	resolved := reflect.TypeFor[graph.ResolverRoot]()
	t.Run("types", func(t *testing.T) {
		for _, typeName := range walk.Types() {
			if _, ok := resolved.MethodByName(typeName); !ok {
				continue
			}
			t.Run(typeName, func(t *testing.T) {
				t.Parallel()
				look(t, typeName)
			})
		}
	})
}

func TestEachUpstreamFailsAlone(t *testing.T) {
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	var checked atomic.Int64
	eachType(t, walk, func(t *testing.T, typeName string) {
		t.Helper()
		o := &outage{walk, newUpstreams(t)}
		for _, entry := range walk.Entries(typeName) {
			t.Run(strings.Join(entry, " "), func(t *testing.T) { checked.Add(int64(o.visit(t, typeName, entry))) })
		}
	})
	t.Logf("fields failed with an upstream of theirs %d times", checked.Load())
	if checked.Load() < 1000 {
		t.Errorf("only %d failures were tried: the walk has lost its way", checked.Load())
	}
}

// needy is a field that something is asked for.
type needy struct {
	*ast.FieldDefinition
	selection string
	calls     []upstreamCall
}

// visit fails what each field of the objects at an entry needs.
func (o *outage) visit(t *testing.T, typeName string, entry schematest.Path) (checked int) {
	t.Helper()
	base := o.ask(t, entry.Query(""), nil)
	if objects := entry.Objects(base.Data); len(objects) == 0 || len(base.Errors) > 0 {
		t.Fatalf("the world has no %s: %v in %v", typeName, base.Errors, base.Data)
	}
	var free []string
	var fields []needy
	for _, f := range o.Fields(typeName) {
		selection, ok := o.Select(typeName, f)
		if !ok {
			continue
		}
		with := o.ask(t, entry.Query(selection), nil)
		if len(with.Errors) > 0 {
			t.Errorf("%s: %v", f.Name, with.Errors)
		}
		if calls := o.needs(base, with); len(calls) > 0 {
			fields = append(fields, needy{f, selection, calls})
		} else {
			free = append(free, selection)
		}
	}
	siblings := strings.Join(free, " ")
	well := entry.Objects(o.ask(t, entry.Query(siblings), nil).Data)
	for _, f := range fields {
		for _, fault := range faults(f.calls) {
			checked++
			if free := unharmed[typeName+"."+f.Name]; free != "" && fault.upstream == free || fault.part && (gathered[typeName+"."+f.Name] || f.Name == "timeline") {
				continue
			}
			var wrong []string
			// What is asked together is a matter of moments: on a busy machine the entry itself may be asked in
			// other requests than before, and fail.
			for range 3 {
				got := o.ask(t, entry.Query(siblings+" "+f.selection), func(c upstreamCall) bool {
					return !base.has(c) && fault.hits(c)
				})
				if wrong = failedAlone(typeName, f.Name, fault, entry, well, got); len(wrong) == 0 {
					break
				}
			}
			for _, w := range wrong {
				t.Errorf("%s without %s: %s", f.Name, fault.name, w)
			}
		}
	}
	return checked
}

// unharmed are fields that need no answer of an upstream that is asked beside.
var unharmed = map[string]string{
	// The clusters of an override policy are those that its rules are for; only propagation policies of the same
	// page need bindings.
	"OverridePolicy.clusters": readSync, "ClusterOverridePolicy.clusters": readSync,
	// Likewise the kinds that it names.
	"OverridePolicy.matched": readSync, "ClusterOverridePolicy.matched": readSync,
	// What the read store does not hold is read from the API server.
	"Instance.resources": readSync, "Cluster.resourceList": readSync,
}

// gathered are fields that are made of many things, and stand without one of them.
var gathered = map[string]bool{
	// Findings are about what could be read: of a pod or a dependency that could not be, none is made.
	"Propagation.diagnosis": true,
}

// sums are fields that add up what answers, beside an error for each that does not.
var sums = map[string]bool{"Query.overview": true, "SearchConnection.clusters": true}

// storySources is how many sources a timeline has that may fail for one reason: each is one error beside the others.
const storySources = 6

// alone are types whose objects come without a batch: each of them tells its own error.
var alone = map[string]bool{
	// In memory, and each with upstreams of its own.
	"Instance": true, "Cluster.resource": true,
	// Named by something else, and read one by one.
	"OverridePolicy": true, "DependentBinding": true,
	"WorkManifest": true, "PropagationPolicy.children": true, "PropagationPolicy.events": true,
	// One request a namespace.
	"Namespace.workloads": true, "Namespace.counts": true,
	// One error an instance.
	"Query.overview": true, "SearchConnection.clusters": true,
}

// fault is something that fails.
type fault struct {
	name, upstream string
	// part says that more of the same list can be had.
	part bool
	hits func(upstreamCall) bool
}

// faults is what of the upstreams of some calls can fail: each whole, and each part of it.
func faults(calls []upstreamCall) []fault {
	var out []fault
	seen := map[string]bool{}
	for _, c := range calls {
		if !seen[c.upstream] {
			seen[c.upstream] = true
			out = append(out, fault{c.upstream, c.upstream, false, func(other upstreamCall) bool { return other.upstream == c.upstream }})
		}
		for _, what := range c.what {
			if name := fmt.Sprint(what, " of ", c.upstream); !seen[name] {
				seen[name] = true
				out = append(out, fault{name, c.upstream, true, func(other upstreamCall) bool {
					return other.upstream == c.upstream && slices.Contains(other.what, what)
				}})
			}
		}
	}
	return out
}

// failedAlone holds an answer in which one field failed against the one in which nothing did, and says what is
// wrong with it.
func failedAlone(typeName, name string, f fault, entry schematest.Path, well []map[string]any, got told) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	objects := entry.Objects(got.Data)
	if len(objects) != len(well) {
		say("%d objects are left of %d: %v", len(objects), len(well), got.Errors)
		return wrong
	}
	for i, object := range objects {
		value := object[name]
		delete(object, name)
		if diff := cmp.Diff(well[i], object); diff != "" {
			say("siblings were harmed, -well +got:\n%s", diff)
		}
		if value == nil || value == unknown[name] || name == "timeline" {
			continue
		}
		// One kind that is not held leaves the others, and one instance those of others: with an error.
		if !f.part && !sums[typeName+"."+name] || f.upstream == readStore {
			say("it is %v in object %d, as if it were known", value, i)
		}
	}
	most := 1 // of a field, whatever the number of objects
	if alone[typeName] || alone[typeName+"."+name] {
		most = max(len(objects), 2)
	}
	if name == "timeline" {
		most = storySources
	}
	if n := len(got.Errors); n < 1 || n > most {
		say("%d errors, want one: %v", n, got.Errors)
	}
	for _, e := range got.Errors {
		if !slices.Contains(typed, e.Extensions.Code) {
			say("the error's code is %s: %s", e.Extensions.Code, e.Message)
		}
		if len(e.Path) == 0 || e.Path[len(e.Path)-1] != name {
			say("the error is at %v", e.Path)
		}
	}
	return wrong
}
