package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// fieldSeen is what the answers held of one field of one type.
type fieldSeen struct {
	asked bool
	// filled tells that it was neither null nor an empty list.
	filled bool
	// told tells that it was no empty string either.
	told bool
}

// visitor asks queries and remembers what of the schema their answers covered.
type visitor struct {
	*planner
	t *testing.T

	fields map[string]*fieldSeen
	// used is the arguments and input fields that were given: `Type.field(argument)`, `Input.field`.
	used map[string]bool
	// matched is the input fields with which some page had rows.
	matched map[string]bool
	// ids is what was found of every type, in the order in which it was found.
	ids map[string][]string
	// known is the types and ids found.
	known map[string]bool
	// errors is every error of every answer, once.
	errors map[string]bool
	asked  int
	// timeouts is the queries that took too long and were asked once more.
	timeouts []string
	// manifests is the objects themselves, by type, and told the kinds that events were about.
	manifests map[string][]map[string]any
	told      map[string]bool
	// queries are those that were asked.
	queries []recorded
	// lacking is the fields of interfaces of which no object of a type has anything: see lacks.
	lacking []string
}

func newVisitor(t *testing.T, p *planner) *visitor {
	t.Helper()
	return &visitor{planner: p, t: t, fields: map[string]*fieldSeen{}, used: map[string]bool{}, matched: map[string]bool{},
		ids: map[string][]string{}, known: map[string]bool{}, errors: map[string]bool{}, manifests: map[string][]map[string]any{}, told: map[string]bool{}}
}

// ask runs a query, remembers what it covers and returns the data. With collect, objects that it meets
// are to be visited, too.
func (v *visitor) ask(query string, variables map[string]any, collect bool) map[string]any {
	v.t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(v.Schema, query, rules.NewDefaultRules())
	if len(errs) > 0 {
		v.t.Fatalf("%s\n%v", query, errs)
	}
	v.asked++
	v.queries = append(v.queries, recorded{query, variables})
	out := ask(v.t, query, variables)
	if onlyTimeouts(out.Errors) { // a machine that is busy with something else is no fault of a field, once
		v.timeouts = append(v.timeouts, query)
		out = ask(v.t, query, variables)
	}
	for _, e := range out.Errors {
		where := make([]string, len(e.Path))
		for i, step := range e.Path {
			where[i] = fmt.Sprint(step)
		}
		v.errors[fmt.Sprintf("%s: %s at %s of %.300s", e.Extensions.Code, e.Message, strings.Join(where, "."), query)] = true
	}
	var data map[string]any
	if err := json.Unmarshal(out.Data, &data); err != nil {
		v.t.Fatalf("%.500s\nerrors: %+v: %v", query, out.Errors, err)
	}
	v.object(v.Query, doc.Operations[0].SelectionSet, data, collect)
	return data
}

// timeoutsAllowed is how many queries of a visit, in thousands of them, may take too long on a busy machine.
const timeoutsAllowed = 2

// slow objects when more queries took too long than a busy machine explains.
func (v *visitor) slow() error {
	allowed := max(1, v.asked*timeoutsAllowed/1000)
	if len(v.timeouts) <= allowed {
		return nil
	}
	return fmt.Errorf("%d of %d queries took too long at first, at most %d may; the first of them: %.300s", len(v.timeouts), v.asked, allowed, v.timeouts[0])
}

// onlyTimeouts tells whether a query failed, and for no other reason than time.
func onlyTimeouts(errs []gqlError) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(e gqlError) bool { return e.Extensions.Code != "TIMEOUT" })
}

// object remembers what an object of an answer holds.
func (v *visitor) object(static *ast.Definition, set ast.SelectionSet, data map[string]any, collect bool) {
	of := static
	if name, ok := data["__typename"].(string); ok {
		of = v.Types[name]
	}
	if id, ok := data["id"].(string); ok && collect && v.isNode(of) {
		v.find(of.Name, id)
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.InlineFragment:
			if s.TypeCondition == of.Name || slices.Contains(of.Interfaces, s.TypeCondition) {
				v.object(of, s.SelectionSet, data, collect)
			}
		case *ast.Field:
			if s.Name == "__typename" {
				continue
			}
			v.arguments(s)
			value := data[s.Alias]
			if of.Kind == ast.Object {
				v.remember(of.Name+"."+s.Name, value)
			}
			v.value(v.Types[s.Definition.Type.Name()], s.SelectionSet, value, collect)
		}
	}
}

// find keeps an object to visit.
func (v *visitor) find(name, id string) {
	if key := name + " " + id; !v.known[key] {
		v.known[key] = true
		v.ids[name] = append(v.ids[name], id)
	}
}

func (v *visitor) value(of *ast.Definition, set ast.SelectionSet, value any, collect bool) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			v.value(of, set, one, collect)
		}
	case map[string]any:
		v.object(of, set, value, collect)
	}
}

func (v *visitor) remember(key string, value any) {
	seen := v.fields[key]
	if seen == nil {
		seen = &fieldSeen{}
		v.fields[key] = seen
	}
	seen.asked = true
	if page, ok := value.(map[string]any); ok && page["pageInfo"] != nil {
		value = page["nodes"] // a page without rows tells nothing
	}
	if list, ok := value.([]any); value == nil || ok && len(list) == 0 {
		return
	}
	seen.filled = true
	if value != "" {
		seen.told = true
	}
}

// arguments remembers what a field was given.
func (v *visitor) arguments(f *ast.Field) {
	for _, a := range f.Arguments {
		v.used[f.ObjectDefinition.Name+"."+f.Name+"("+a.Name+")"] = true
		v.input(f.Definition.Arguments.ForName(a.Name).Type.Name(), a.Value)
	}
}

func (v *visitor) input(of string, value *ast.Value) {
	for _, c := range value.Children {
		if value.Kind == ast.ListValue {
			v.input(of, c.Value)
			continue
		}
		v.used[of+"."+c.Name] = true
		v.input(v.Types[of].Fields.ForName(c.Name).Type.Name(), c.Value)
	}
}

// at returns every value at a path of an answer, through lists.
func at(value any, path ...string) []any {
	if list, ok := value.([]any); ok {
		var out []any
		for _, one := range list {
			out = append(out, at(one, path...)...)
		}
		return out
	}
	if len(path) == 0 {
		if value == nil {
			return nil
		}
		return []any{value}
	}
	if m, ok := value.(map[string]any); ok {
		return at(m[path[0]], path[1:]...)
	}
	return nil
}

// judge compares what was covered with the schema, and returns what is to object.
func (v *visitor) judge() (objections []string) {
	v.lacking = nil
	object := func(format string, args ...any) { objections = append(objections, fmt.Sprintf(format, args...)) }
	for _, e := range slices.Sorted(maps.Keys(v.errors)) {
		object("error: %s", e)
	}
	objects, inputs := v.reachable()
	managed := v.fields["Instance.steps"] != nil && v.fields["Instance.steps"].filled
	excused := map[string]bool{}
	for _, d := range objects {
		for _, f := range d.Fields {
			if builtin(f) {
				continue
			}
			key := d.Name + "." + f.Name
			seen := v.fields[key]
			_, exception := visitExceptions[key]
			excused[key] = exception
			if !managed && (visitManaged[key] || visitManaged[d.Name]) {
				continue
			}
			if seen != nil && !seen.filled && !exception && !neverHas(f) && v.lacks(d, f.Name) {
				v.lacking = append(v.lacking, key)
				continue
			}
			switch {
			case (seen == nil || !seen.asked) && exception:
			case seen == nil || !seen.asked:
				object("%s was never visited: nothing of the type was found", key)
			case neverHas(f):
				if seen.filled {
					object("%s is not null, but its description says that it always is", key)
				}
			case !seen.filled && !exception:
				object("%s was null or empty wherever it was asked", key)
			case seen.filled && exception:
				object("%s is an exception, but it has something to tell now", key)
			}
			for _, a := range f.Arguments {
				if !v.used[key+"("+a.Name+")"] && !exception {
					object("%s was never given %s", key, a.Name)
				}
			}
		}
	}
	for _, d := range inputs {
		for _, f := range d.Fields {
			key := d.Name + "." + f.Name
			if !v.used[key] {
				object("%s was never given", key)
			} else if strings.HasSuffix(d.Name, "Filter") && !v.matched[key] {
				object("no page with %s had a row", key)
			}
		}
	}
	for key := range visitExceptions {
		if _, ok := excused[key]; !ok {
			object("%s is an exception, but no field that a query reaches", key)
		}
	}
	return objections
}

// neverHas tells whether a field is there only because an interface has it: its description says so.
func neverHas(f *ast.FieldDefinition) bool {
	return !f.Type.NonNull && strings.HasPrefix(f.Description, "Always null") || strings.HasPrefix(f.Description, "Always empty")
}

// silent is the texts that were empty wherever they were asked: no fault, but worth a look.
func (v *visitor) silent() (out []string) {
	for _, key := range slices.Sorted(maps.Keys(v.fields)) {
		if s := v.fields[key]; s.filled && !s.told {
			out = append(out, key)
		}
	}
	return out
}

// lacks tells whether no object of a type has anything for a field that it has for the sake of an interface:
// by the objects themselves, not by what the field says. Some type has to have something.
func (v *visitor) lacks(d *ast.Definition, field string) bool {
	has, ok := visitTruths[field]
	if !ok || len(v.manifests[d.Name]) == 0 {
		return false
	}
	for _, m := range v.manifests[d.Name] {
		if has(v, m) {
			return false
		}
	}
	for _, i := range d.Interfaces {
		for _, of := range v.PossibleTypes[i] {
			if seen := v.fields[of.Name+"."+field]; seen != nil && seen.filled {
				return true
			}
		}
	}
	return false
}

// visitTruths tells by an object whether a field of an interface has something to tell of it.
var visitTruths = map[string]func(v *visitor, object map[string]any) bool{
	"labels": func(_ *visitor, o map[string]any) bool { return len(at(o, "metadata", "labels")) > 0 },
	"annotations": func(_ *visitor, o map[string]any) bool {
		for _, a := range at(o, "metadata", "annotations") {
			for key := range a.(map[string]any) {
				if key != "kubectl.kubernetes.io/last-applied-configuration" {
					return true
				}
			}
		}
		return false
	},
	"deletedAt": func(_ *visitor, o map[string]any) bool { return len(at(o, "metadata", "deletionTimestamp")) > 0 },
	"owners":    func(_ *visitor, o map[string]any) bool { return len(at(o, "metadata", "ownerReferences")) > 0 },
	"replicas":  func(_ *visitor, o map[string]any) bool { return len(at(o, "spec", "replicas")) > 0 },
	// Jobs and what is no workload template never change what their pods are made from.
	"revisions": func(_ *visitor, o map[string]any) bool { return o["kind"] != "Job" },
	// What carries the id of the policy that claims it, but for what Karmada brought to a member.
	"propagation": func(_ *visitor, o map[string]any) bool {
		for _, l := range at(o, "metadata", "labels") {
			labels := l.(map[string]any)
			if labels["karmada.io/managed"] == nil &&
				(labels["propagationpolicy.karmada.io/permanent-id"] != nil || labels["clusterpropagationpolicy.karmada.io/permanent-id"] != nil) {
				return true
			}
		}
		return false
	},
	"services": func(v *visitor, o map[string]any) bool {
		for _, s := range v.manifests["Service"] {
			if fmt.Sprint(at(s, "metadata", "namespace")) == fmt.Sprint(at(o, "metadata", "namespace")) && selectsPodsOf(at(s, "spec", "selector"), o) {
				return true
			}
		}
		return false
	},
	"autoscaler": func(v *visitor, o map[string]any) bool {
		for _, a := range v.manifests["Autoscaler"] {
			if slices.Contains(at(a, "spec", "scaleTargetRef", "kind"), o["kind"]) &&
				fmt.Sprint(at(a, "spec", "scaleTargetRef", "name")) == fmt.Sprint(at(o, "metadata", "name")) {
				return true
			}
		}
		return false
	},
	"children": func(v *visitor, o map[string]any) bool {
		for _, all := range v.manifests {
			for _, other := range all {
				if slices.Contains(at(other, "metadata", "ownerReferences", "uid"), at(o, "metadata", "uid")[0]) {
					return true
				}
			}
		}
		return false
	},
	"events": func(v *visitor, o map[string]any) bool {
		return v.told[fmt.Sprint(at(o, "metadata", "uid")...)]
	},
}

// selectsPodsOf tells whether a Service selects a pod, or the pods that a workload makes.
func selectsPodsOf(selector []any, workload map[string]any) bool {
	if workload["kind"] == "Pod" {
		workload = map[string]any{"spec": map[string]any{"template": workload}}
	}
	for _, path := range [][]string{{"spec", "template", "metadata", "labels"}, {"spec", "jobTemplate", "spec", "template", "metadata", "labels"}} {
		for _, labels := range at(workload, path...) {
			for _, s := range selector {
				all := len(s.(map[string]any)) > 0
				for key, value := range s.(map[string]any) {
					all = all && labels.(map[string]any)[key] == value
				}
				if all {
					return true
				}
			}
		}
	}
	return false
}
