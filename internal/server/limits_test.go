package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// bomb is fragments that each spread the next one twice: 2ⁿ fields from a line each.
func bomb(n int) string {
	return "query{node{...f0}}" + repeat(n, func(i int) string {
		return fmt.Sprintf("fragment f%d on Node{node{...f%d} node{...f%d}}", i, i+1, i+1)
	}) + fmt.Sprintf("fragment f%d on Node{name}", n)
}

func TestAbuse(t *testing.T) {
	deep := func(n int) string {
		return "{" + strings.Repeat("node{", n-1) + "name" + strings.Repeat("}", n)
	}
	for _, tc := range []struct {
		name, query string
		limit       string // empty: not refused by a limit
		code        string
	}{
		{"depth at the limit", deep(15), "", ""},
		{"depth beyond it", deep(16), "depth", "LIMIT_EXCEEDED"},
		{"depth far beyond it", deep(5000), "depth", "LIMIT_EXCEEDED"},
		{"depth hidden in fragments", "{node{...a}} fragment a on Node{" + strings.Repeat("node{", 8) + "...b" + strings.Repeat("}", 8) + "} fragment b on Node{" + strings.Repeat("node{", 8) + "name" + strings.Repeat("}", 8) + "}", "depth", "LIMIT_EXCEEDED"},
		{"30 aliases", "{node{" + repeat(30, func(i int) string { return fmt.Sprintf("a%d:name ", i) }) + "}}", "", ""},
		{"31 aliases", "{node{" + repeat(31, func(i int) string { return fmt.Sprintf("a%d:name ", i) }) + "}}", "aliases", "LIMIT_EXCEEDED"},
		{"1,000 aliases", "{node{" + repeat(1000, func(i int) string { return fmt.Sprintf("a%d:name ", i) }) + "}}", "aliases", "LIMIT_EXCEEDED"},
		{"aliases multiplied by fragments", "{node{...a node{...a node{...a node{...a}}}}} fragment a on Node{" + repeat(10, func(i int) string { return fmt.Sprintf("a%d:name ", i) }) + "}", "aliases", "LIMIT_EXCEEDED"},
		{"20 root fields", "{" + repeat(20, func(i int) string { return fmt.Sprintf("a%d:who ", i) }) + "}", "", ""},
		{"21 root fields", "{" + repeat(21, func(i int) string { return fmt.Sprintf("a%d:who ", i) }) + "}", "rootFields", "LIMIT_EXCEEDED"},
		{"root fields in a fragment", "{...q} fragment q on Query{" + repeat(21, func(i int) string { return fmt.Sprintf("a%d:who ", i) }) + "}", "rootFields", "LIMIT_EXCEEDED"},
		{"51 directives", "{node{name" + strings.Repeat(" @skip(if:false)", 51) + "}}", "directives", "LIMIT_EXCEEDED"},
		{"one directive on many fields", "{node{" + strings.Repeat("name @skip(if:false) ", 51) + "}}", "directives", "LIMIT_EXCEEDED"},
		{"tokens", "{" + strings.Repeat("who ", 15_000) + "}", "tokens", "LIMIT_EXCEEDED"},
		{"tokens that are no fields", "{echo(text:\"" + strings.Repeat("x", 10) + "\")}" + strings.Repeat("fragment x on Query{who}", 3000), "tokens", "LIMIT_EXCEEDED"},
		{"the same field over and over", "{node{" + strings.Repeat("name ", 14_000) + "}}", "fields", "LIMIT_EXCEEDED"},
		{"50 times the same field", "{node{" + strings.Repeat("name ", 50) + "}}", "", ""},
		{"51 times the same field", "{node{" + strings.Repeat("name ", 51) + "}}", "repeats", "LIMIT_EXCEEDED"},
		{"51 times the same field in inline fragments", "{node{" + strings.Repeat("...{name}", 51) + "}}", "repeats", "LIMIT_EXCEEDED"},
		{"51 times the same fragment", "{node{" + strings.Repeat("...a ", 51) + "}} fragment a on Node{name}", "repeats", "LIMIT_EXCEEDED"},
		{"fragments that multiply", bomb(11), "fields", "LIMIT_EXCEEDED"},
		{"fragments that multiply beyond counting", bomb(500), "depth", "LIMIT_EXCEEDED"},
		{"fragments that spread each other", "{node{...a}} fragment a on Node{node{...b}} fragment b on Node{node{...a}}", "", "BAD_USER_INPUT"},
		{"a fragment that spreads itself", "{...a} fragment a on Query{...a who}", "", "BAD_USER_INPUT"},
		{"a very long name", "{" + strings.Repeat("a", 500_000) + "}", "name", "LIMIT_EXCEEDED"},
		{"brackets without end", "{echo(text:" + strings.Repeat("[", 14_000) + ")}", "", "BAD_USER_INPUT"},
		{"an unused operation has to be paid for", "query a{who} query b{" + repeat(21, func(i int) string { return fmt.Sprintf("a%d:who ", i) }) + "}", "rootFields", "LIMIT_EXCEEDED"},
		{"unknown fields are told ten at a time", "{" + repeat(19, func(i int) string { return fmt.Sprintf("nothing%d ", i) }) + "}", "", "BAD_USER_INPUT"},
		{"a subscription to a type's name", "subscription{__typename}", "", "BAD_USER_INPUT"},
		{"an unknown fragment", "{...nowhere}", "", "BAD_USER_INPUT"},
		{"control characters", "{who\x00}", "", "BAD_USER_INPUT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			began := time.Now()
			a := f.query(tc.query)
			if a.code() != tc.code || a.limit() != tc.limit {
				t.Fatalf("%q by limit %q, want %q by %q: %.300s", a.code(), a.limit(), tc.code, tc.limit, a.raw)
			}
			if tc.limit != "" && !strings.Contains(a.Errors[0].Message, "(limit "+tc.limit+")") {
				t.Errorf("the message does not name the limit: %s", a.Errors[0].Message)
			}
			if len(a.Errors) > maxErrors+1 || len(a.raw) > 10_000 {
				t.Errorf("%d errors in %d bytes", len(a.Errors), len(a.raw))
			}
			if took := time.Since(began); took > patience {
				t.Errorf("it took %s", took)
			}
			if a := f.query("{who}"); a.Data["who"] != "ann" {
				t.Errorf("afterwards: %s", a.raw)
			}
		})
	}
}

func TestABodyThatIsTooLarge(t *testing.T) {
	for _, tc := range []struct {
		name string
		size int
		want int
	}{
		{"just at the limit", 1 << 20, 200},
		{"just beyond it", 1<<20 + 1, 413},
		{"10 MB", 10 << 20, 413},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			body := `{"query":"{who}"}`
			a := f.do("POST", "/graphql", body+strings.Repeat(" ", tc.size-len(body)))
			if a.status != tc.want {
				t.Fatalf("%d, want %d: %.200s", a.status, tc.want, a.raw)
			}
			if tc.want == 413 && (a.code() != "LIMIT_EXCEEDED" || a.limit() != "body") {
				t.Errorf("%q by %q", a.code(), a.limit())
			}
		})
	}
}

// untouched is a body that must not be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

func TestABodyThatSaysThatItIsTooLargeIsNotRead(t *testing.T) {
	f := newFixture(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", untouched{t})
	r.ContentLength = 10 << 20
	r.Header.Set("Authorization", "Bearer admin")
	r.Header.Set("Content-Type", mediaJSON)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `"limit":"body"`) || !strings.Contains(w.Body.String(), `"found":10485760`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// issuePage is the page that has to fit into the limits as they are.
const issuePage = `{instances{nodes{name state clusters{nodes{name state syncMode freshness{state}}}
	workloads(first:50){totalCount nodes{__typename namespace name state
	propagation{policy{__typename} scheduled{value} applied{value} healthy{value reason}
	targets{cluster{name} desiredReplicas status{ready} freshness{state}}}}}}}}`

// introspection is what GraphiQL and code generators send, with the options that make it deepest.
var introspection = func() string {
	ref := "kind name"
	for range 9 {
		ref = "kind name ofType{" + ref + "}"
	}
	return `query IntrospectionQuery{__schema{description queryType{name kind} mutationType{name kind} subscriptionType{name kind}
		types{...FullType} directives{name description isRepeatable locations args(includeDeprecated:true){...InputValue}}}}
		fragment FullType on __Type{kind name description specifiedByURL isOneOf
		fields(includeDeprecated:true){name description args(includeDeprecated:true){...InputValue} type{...TypeRef} isDeprecated deprecationReason}
		inputFields(includeDeprecated:true){...InputValue} interfaces{...TypeRef}
		enumValues(includeDeprecated:true){name description isDeprecated deprecationReason} possibleTypes{...TypeRef}}
		fragment InputValue on __InputValue{name description type{...TypeRef} defaultValue isDeprecated deprecationReason}
		fragment TypeRef on __Type{` + ref + `}`
}()

func TestCost(t *testing.T) {
	p := newPricing(realSchema().Schema())
	for _, tc := range []struct {
		name, query string
		variables   string
		want        int
	}{
		{"scalars are free", "{viewer{name groups} server{version}}", "", 0 + 0},
		{"an object costs one", `{instance(name:"a"){name}}`, "", 1},
		{"a list of plain values costs one", `{instance(name:"a"){labels{key value}}}`, "", 2},
		{"instances are taken to be ten", "{instances{nodes{name}}}", "", 1 + 10},
		{"fewer when fewer are asked for", "{instances(first:3){nodes{name}}}", "", 1 + 3},
		{"clusters are taken to be twenty", `{instance(name:"a"){clusters{nodes{name freshness{state}}}}}`, "", 1 + 1 + 20},
		{"a page is as long as its default", `{instance(name:"a"){workloads{nodes{name}}}}`, "", 1 + 1 + 50},
		{"a page is as long as asked", `{workloads(first:200){nodes{name}}}`, "", 1 + 200},
		{"an edge costs as much as its node", `{workloads(first:10){edges{cursor node{name}}}}`, "", 1 + 10*2},
		{"a page is as long as the variable says", `query($n:Int){workloads(first:$n){nodes{name}}}`, `{"n":7}`, 1 + 7},
		{"a variable that is not given leaves the default", `query($n:Int){workloads(first:$n){nodes{name}}}`, `{}`, 1 + 50},
		{"a page that is too long is for the resolver to refuse", `{workloads(first:100000){nodes{name}}}`, "", 1 + 200},
		{"a page of nothing too", `{workloads(first:0){nodes{name}} b:workloads(first:-5){nodes{name}}}`, "", 4},
		{"pages multiply", `{instances{nodes{workloads{nodes{name}}}}}`, "", 1 + 10*(1+1+50)},
		{"manifests cost five", `{workloads(first:10){nodes{manifest}}}`, "", 1 + 10*6},
		{"forms cost as much, whatever is asked of them", `{workloads(first:10){nodes{form{replicas containers{name env{name}}}}}}`, "", 1 + 10*6},
		{"metrics cost by their points", `query($r:MetricsRange!){instance(name:"a"){metrics(range:$r){series{points{at value}}} clusters{nodes{metrics(range:$r,step:null){step}}}}}`,
			`{"r":{"from":"2026-01-01T00:00:00Z"}}`, 1 + 31 + 1 + 20*(1+31)},
		{"as many as there may be where their step is given", `query($s:Int){instance(name:"a"){metrics(range:{from:"2026-01-01T00:00:00Z"},step:$s){available}}}`, `{"s":60}`, 1 + 251},
		{"a count costs nothing beside its page", `{workloads(first:10){totalCount pageInfo{endCursor}}}`, "", 1},
		{"ids cost one each", `{nodes(ids:["a","b","c"]){id}}`, "", 3},
		{"fragments cost where they are spread", `{a:workloads(first:10){...c} b:workloads(first:20){...c}} fragment c on WorkloadConnection{nodes{name}}`, "", 11 + 21},
		{"introspection costs a thousand", introspection, "", 1000},
		{"the page of the UI", issuePage, "", 1 + 10*(1+(1+20*1)+(1+50*(1+1+1+5*2)))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, errs := gqlparser.LoadQueryWithRules(realSchema().Schema(), tc.query, rules.NewDefaultRules())
			if errs != nil {
				t.Fatal(errs)
			}
			given := map[string]any{}
			if tc.variables != "" {
				d := json.NewDecoder(strings.NewReader(tc.variables))
				d.UseNumber()
				if err := d.Decode(&given); err != nil {
					t.Fatal(err)
				}
			}
			variables, err := validator.VariableValues(realSchema().Schema(), doc.Operations[0], given)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.cost(doc, doc.Operations[0], variables); got != tc.want {
				t.Errorf("costs %d, want %d", got, tc.want)
			}
			if err := (Limits{}).withDefaults().check(tc.query); err != nil {
				t.Errorf("refused before it was counted: %v", err)
			}
		})
	}
}

func TestThePageFitsAndTwoDoNot(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Schema = realSchema() })
	limit := (Limits{}).withDefaults().Cost
	doc := gqlparser.MustLoadQueryWithRules(realSchema().Schema(), issuePage, rules.NewDefaultRules())
	if cost := f.pricing.cost(doc, doc.Operations[0], nil); cost > limit {
		t.Errorf("the page costs %d, more than %d", cost, limit)
	}
	all := `{instances{nodes{workloads(first:200){nodes{propagation{targets{clusterName}}}}}}}`
	if a := f.query(all); a.code() != "LIMIT_EXCEEDED" || a.limit() != "cost" {
		t.Errorf("a query of everything: %q by %q", a.code(), a.limit())
	}
}

func TestIntrospectionPasses(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Schema = realSchema() })
	a := f.query(introspection)
	if a.code() != "" || a.Data["__schema"] == nil {
		t.Fatalf("%.500s", a.raw)
	}
	if a := f.query("{" + repeat(11, func(i int) string { return fmt.Sprintf("a%d:__schema{queryType{name}} ", i) }) + "}"); a.limit() != "cost" {
		t.Errorf("the schema eleven times: %.300s", a.raw)
	}
	deep := "{__schema{types{" + strings.Repeat("ofType{", 30) + "name" + strings.Repeat("}", 30) + "}}}"
	if a := f.query(deep); a.limit() != "depth" {
		t.Errorf("endless introspection: %.300s", a.raw)
	}
}

// The dearest documents that the limits let through to the validator must be cheap enough.
func TestTheDearestDocumentIsValidatedInTime(t *testing.T) {
	for name, query := range map[string]string{
		"one field many times": "{node{" + repeat(19, func(i int) string { return fmt.Sprintf("...f%d ", i) }) + "}}" +
			repeat(19, func(i int) string { return fmt.Sprintf("fragment f%d on Node{", i) + strings.Repeat("name ", 50) + "}" }),
		"conflicting pairs":  "{" + repeat(19, func(i int) string { return "node{" + strings.Repeat("name ", 50) + "} " }) + "}",
		"fragments in pairs": bomb(8),
		"many fragments": "{node{" + repeat(300, func(i int) string { return fmt.Sprintf("...f%d ", i) }) + "}}" +
			repeat(300, func(i int) string { return fmt.Sprintf("fragment f%d on Node{name node{name}}", i) }),
	} {
		t.Run(name, func(t *testing.T) {
			if err := (Limits{}).withDefaults().check(query); err != nil {
				t.Fatalf("refused: %v", err)
			}
			f := newFixture(t)
			began := time.Now()
			a := f.query(query) // bounded by patience: what grows with every pair or path takes far longer
			t.Logf("%s: %s, %d bytes, code %q", name, time.Since(began), len(query), a.code())
		})
	}
}

func TestMeasureAgreesWithTheDocument(t *testing.T) {
	doc := &ast.QueryDocument{}
	m := measurer{fragments: doc.Fragments, known: map[string]size{}, open: map[string]bool{}}
	set := gqlparser.MustLoadQueryWithRules(newTiny().schema, "{a:who node{name ...{node{name}}}}", rules.NewDefaultRules()).Operations[0].SelectionSet
	if got, want := m.set(set), (size{fields: 5, aliases: 1, roots: 2, depth: 3, repeats: 1}); got != want {
		t.Errorf("measured %+v, want %+v", got, want)
	}
}

// What it takes to know what an operation costs, which is asked before each.
func BenchmarkCost(b *testing.B) {
	schema := realSchema().Schema()
	p := newPricing(schema)
	doc, errs := gqlparser.LoadQueryWithRules(schema, `query ($n: Int) { instance(name: "a") { workloads(first: $n) { totalCount pageInfo { endCursor hasNextPage } nodes {
		id kind namespace name state replicas images propagation { policy { name } scheduled { value } targets { clusterName status { replicas ready } applied { value } healthy { value reason } freshness { state } } } } } } }`, rules.NewDefaultRules())
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	variables := map[string]any{"n": int64(50)}
	for b.Loop() {
		if p.cost(doc, doc.Operations[0], variables) < 50 {
			b.Fatal("it costs less than its rows")
		}
	}
}
