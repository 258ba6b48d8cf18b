package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// visitedOfEach is how many objects of a type are visited: a field that one has nothing to tell of may
	// have more at another. Those of the table of entries come first.
	visitedOfEach = 24
	// variantsAt is at how many objects the optional arguments are tried.
	variantsAt = 2
	// visitSettles is how long the fleet may take until what the demo makes of itself is there, such as
	// the first run of a schedule that runs every minute.
	visitSettles = 3 * time.Minute
)

func TestEveryFieldOfEveryTypeIsThere(t *testing.T) {
	if len(visitExceptions) > 16 {
		t.Errorf("%d exceptions, want at most 16", len(visitExceptions))
	}
	if !consoles() {
		delete(visitExceptions, "Console.reason")
	}
	demoSettles(t)
	makeVisitable(t)
	v := newVisitor(t, loadSchema(t))
	began := time.Now()
	v.root()
	v.crawl()
	t.Logf("%d queries in %s", v.asked, time.Since(began).Round(time.Second))
	// What the demo has to wait for is asked again; an error of the first visit stays one.
	for v.waits() && time.Since(began) < visitSettles {
		v.ids, v.known = map[string][]string{}, map[string]bool{}
		v.crawl()
	}
	t.Run("by both executors", func(t *testing.T) { compareExecutors(t, v.queries) })
	v.trouble()
	objections := v.judge()
	t.Logf("of interfaces, and nothing in any object: %s", strings.Join(v.lacking, " "))
	t.Logf("texts that were always empty: %s", strings.Join(v.silent(), " "))
	for _, o := range objections {
		t.Error(o)
	}
	t.Logf("%d of %d queries took too long and were asked again", len(v.timeouts), v.asked)
	if err := v.slow(); err != nil {
		t.Error(err)
	}
}

// waits tells whether something is missing that may come.
func (v *visitor) waits() bool {
	return len(v.errors) == 0 && slices.ContainsFunc(v.judge(), func(o string) bool {
		return !slices.ContainsFunc(visitTroubled, func(key string) bool { return strings.HasPrefix(o, key+" ") })
	})
}

// root visits the fields of Query.
func (v *visitor) root() {
	v.visit(v.Query, nil)
	v.below()
}

// below turns the pages of lists that stand below a field with arguments.
func (v *visitor) below() {
	for field, lists := range map[string][]string{
		"previewPropagationPolicy(" + visitRequired["Query.previewPropagationPolicy"][0] + ")": {"rows"},
		"previewOverridePolicy(" + visitRequired["Query.previewOverridePolicy"][0] + ")":       {"rows"},
		`search(text:"a")`:         {"instances", "clusters"},
		`search(text:"e2e-visit")`: {"accessBindings"},
	} {
		root, _, _ := strings.Cut(field, "(")
		for _, list := range lists {
			first := v.ask(fmt.Sprintf(`{%s{%s(first:1){pageInfo{endCursor}}}}`, field, list), nil, false)
			for _, cursor := range at(first, root, list, "pageInfo", "endCursor") {
				v.ask(fmt.Sprintf(`{%s{%s(first:1 after:%q){nodes{__typename}}}}`, field, list, cursor), nil, false)
			}
		}
	}
}

// trouble visits what tells of an instance that is not well.
func (v *visitor) trouble() {
	makeTrouble(v.t)
	// What nobody can ask there is told as errors beside what is known, which is right.
	before := maps.Clone(v.errors)
	defer func() { v.errors = before }()
	eventually(v.t, time.Minute, func() error {
		data := v.ask(`{overview{troubled{name} uncounted{name}} instances(filter:{names:["e2e-visit"]}){nodes{name description labels{key} settings`+
			v.plain(v.Types["InstanceSettings"])+`}}}`, nil, false)
		if len(at(data, "overview", "troubled", "name")) == 0 || len(at(data, "overview", "uncounted", "name")) == 0 {
			return fmt.Errorf("the overview does not tell of it: %v", data["overview"])
		}
		return nil
	})
}

// crawl visits the objects that the table of entries names, whatever is found there, and so on.
func (v *visitor) crawl() {
	for _, e := range visitEntries {
		v.ask(strings.ReplaceAll(e, "{id", "{__typename id"), nil, true)
	}
	for _, uid := range at(v.ask(visitEvents, nil, false), "instances", "nodes") {
		for _, path := range [][]string{{"events"}, {"clusters", "nodes", "events"}} {
			for _, u := range at(uid, append(path, "nodes", "regarding", "uid")...) {
				v.told[u.(string)] = true
			}
		}
	}
	visited := map[string]int{}
	for more := true; more; {
		more = false
		objects, _ := v.reachable()
		for _, d := range objects {
			ids := v.settle(d)
			until := min(len(ids), visitedOfEach)
			if from := visited[d.Name]; from < until {
				visited[d.Name] = until
				v.visit(d, ids[from:until])
				v.read(d, ids[from:until])
				more = true
			}
		}
	}
	// Each is found by `node` as it was by `nodes`.
	for _, name := range slices.Sorted(maps.Keys(v.ids)) {
		ids := v.settle(v.Types[name])
		if len(ids) == 0 {
			continue
		}
		query := fmt.Sprintf(`{node(id:%q){__typename id}}`, ids[0])
		for _, got := range at(v.ask(query, nil, false), "node", "__typename") {
			if got != name {
				v.errors[fmt.Sprintf("%s is a %v", query, got)] = true
			}
		}
	}
}

// read keeps objects as they are, to compare with what the graph says of them.
func (v *visitor) read(d *ast.Definition, ids []string) {
	if d.Fields.ForName("manifest") == nil {
		return
	}
	for _, m := range at(v.of(d, ids, "manifest(format:JSON)"), "nodes", "manifest") {
		var object map[string]any
		if err := json.Unmarshal([]byte(m.(string)), &object); err != nil {
			v.t.Fatal(err)
		}
		v.manifests[d.Name] = append(v.manifests[d.Name], object)
	}
}

// settle returns the ids of a type. An object that was met as one of any kind (a KubernetesResource) may have
// a type of its own, which is what its id leads to.
func (v *visitor) settle(d *ast.Definition) []string {
	ids := v.ids[d.Name]
	if d.Name != "KubernetesResource" {
		return ids
	}
	var own []string
	for some := range slices.Chunk(ids, 50) {
		data := v.ask("query($ids:[ID!]!){nodes(ids:$ids){__typename id}}", map[string]any{"ids": some}, true)
		for _, one := range at(data, "nodes") {
			if n := one.(map[string]any); n["__typename"] == d.Name {
				own = append(own, n["id"].(string))
			}
		}
	}
	v.ids[d.Name] = own
	return own
}

// visit asks every field of objects of one type; without ids, of the query root.
func (v *visitor) visit(d *ast.Definition, ids []string) {
	plain, others := v.calls(d)
	v.of(d, ids, strings.TrimSuffix(strings.TrimPrefix(plain, "{"), "}"))
	for _, c := range others {
		if c.owner == v.Query && (c.field().Name == "node" || c.field().Name == "nodes") {
			continue // how everything else is asked
		}
		bases, of := []string{""}, ids
		if needs(c.field()) {
			var ok bool
			if bases, ok = visitRequired[c.key()]; !ok {
				v.errors[fmt.Sprintf("%s needs arguments: add some to visitRequired", c.key())] = true
				continue
			}
			// The table speaks of the first object.
			of = ids[:min(len(ids), 1)]
		}
		for _, base := range bases {
			v.plainly(d, of, c, base)
		}
		if len(c.field().Arguments) > 0 {
			v.variously(d, of[:min(len(of), variantsAt)], c, bases[0])
		}
	}
}

// needs tells whether a field has arguments that must be given.
func needs(f *ast.FieldDefinition) bool {
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			return true
		}
	}
	return false
}

// of asks something of objects of a type, by their ids; of the root when there are none.
func (v *visitor) of(d *ast.Definition, ids []string, selection string) map[string]any {
	if ids == nil {
		return v.ask("{"+selection+"}", nil, false)
	}
	query := "query($ids:[ID!]!){nodes(ids:$ids){__typename id ... on " + d.Name + "{" + selection + "}}}"
	return v.ask(query, map[string]any{"ids": ids}, true)
}

// plainly asks a field with the arguments it needs; of a page five rows, and where there are more, the
// page after it.
func (v *visitor) plainly(d *ast.Definition, ids []string, c call, base string) {
	if c.field().Arguments.ForName("after") == nil {
		v.of(d, ids, c.text(base))
		return
	}
	data := v.of(d, ids, c.text(with(base, "first:5")))
	if v.used[c.key()+"(after)"] {
		return
	}
	// A cursor belongs to one list, so an object is looked for that has one at this path.
	path := c.steps()
	objects := []any{data}
	if ids != nil {
		objects = data["nodes"].([]any)
	}
	for i, one := range objects {
		if lists := at(one, path...); len(lists) != 1 {
			continue
		}
		cursors := at(one, append(path, "pageInfo", "endCursor")...)
		if len(cursors) != 1 {
			continue
		}
		of := ids
		if ids != nil {
			of = ids[i : i+1]
		}
		v.of(d, of, c.text(with(base, "first:5", "after:"+strconv.Quote(cursors[0].(string)))))
		return
	}
}

// steps is the path of a call in what was answered for one object.
func (c *call) steps() (path []string) {
	for _, f := range c.path {
		path = append(path, f.Name)
	}
	return path
}

// variously asks a field with each of its optional arguments.
func (v *visitor) variously(d *ast.Definition, ids []string, c call, base string) {
	variants, unknown := v.variants(c.owner, c.field(), base)
	for _, u := range unknown {
		v.errors[fmt.Sprintf("%s of %s: add a value to visitInputs or visitArguments", u, c.key())] = true
	}
	for _, variant := range variants {
		args := with(base, variant.args)
		if c.field().Arguments.ForName("first") != nil {
			args = with(args, "first:5")
		}
		if visitRefused[c.key()+" "+variant.uses] {
			v.refused(d, ids, c.text(args))
			continue
		}
		data := v.of(d, ids, c.text(args))
		path := c.steps()
		if ids != nil {
			path = append([]string{"nodes"}, path...)
		}
		if variant.uses != "" && len(at(data, append(path, "nodes")...)) > 0 {
			v.matched[variant.uses] = true
		}
	}
}

// refused asks what has to be refused as bad input.
func (v *visitor) refused(d *ast.Definition, ids []string, selection string) {
	query := "query($ids:[ID!]!){nodes(ids:$ids){... on " + d.Name + "{" + selection + "}}}"
	variables := map[string]any{"ids": ids}
	if ids == nil {
		query, variables = "{"+selection+"}", nil
	}
	out := ask(v.t, query, variables)
	if len(out.Errors) == 0 || out.Errors[0].Extensions.Code != "BAD_USER_INPUT" {
		v.errors[fmt.Sprintf("%s is not refused: %+v", query, out.Errors)] = true
	}
}

// with joins arguments.
func with(args ...string) string {
	var out []string
	for _, a := range args {
		if a != "" {
			out = append(out, a)
		}
	}
	return strings.Join(out, " ")
}
