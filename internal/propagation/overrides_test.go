package propagation

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
)

// overridden is a Deployment with what overriders change; as a row of a list it has no kind.
const overriddenTemplate = `{"metadata":{"namespace":"shop","name":"cart","generation":2,"labels":{"app":"cart","tier":"gold"}},
	"spec":{"replicas":6,"template":{"spec":{"containers":[
		{"name":"web","image":"registry.example.com:5000/shop/cart:1.2","args":["--a","--b"],"env":[{"name":"A","value":"1"}]},
		{"name":"side","image":"envoy@sha256:0123456789abcdef0123456789abcdef"}]}}},
	"data":{"app.yaml":"log:\n  level: info\n","app.json":"{\"level\":\"info\"}"}}`

// sentWith is a Work whose manifest is the template with replacements, and with Karmada's notes.
func sentWith(t *testing.T, cluster, own string, replace ...string) *model.Work {
	t.Helper()
	manifest := strings.NewReplacer(append([]string{`{"metadata":{`, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{`}, replace...)...).Replace(overriddenTemplate)
	raw := `{"metadata":{"namespace":"karmada-es-tokyo","name":"cart-1","annotations":{` +
		`"policy.karmada.io/applied-cluster-overrides":` + strconv.Quote(cluster) + `,"policy.karmada.io/applied-overrides":` + strconv.Quote(own) + `}},
		"spec":{"workload":{"manifests":[` + manifest + `]}}}`
	w, err := DecodeWork("asia", []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// told is an AppliedOverride in short.
type told struct {
	Kind, Namespace, Name string
	Changes               []string // "path: from → to"
	Incomplete            bool
}

func toldOf(all []model.AppliedOverride) []told {
	var out []told
	for _, o := range all {
		s := told{Kind: o.Ref.GVK.Kind, Namespace: o.Ref.Namespace, Name: o.Ref.Name, Incomplete: o.Note != ""}
		for _, c := range o.Changes {
			s.Changes = append(s.Changes, c.Path+": "+changed(o.Ref, c).Value)
		}
		out = append(out, s)
	}
	return out
}

func TestExplain(t *testing.T) {
	const web = "/spec/template/spec/containers[name=web]"
	const side = "/spec/template/spec/containers[name=side]"
	rule := func(name, overriders string) string {
		return `{"policyName":"` + name + `","overriders":{` + overriders + `}}`
	}
	image := func(component, operator, value string) string {
		return `"imageOverrider":[{"component":"` + component + `","operator":"` + operator + `","value":"` + value + `"}]`
	}
	cases := []struct {
		name         string
		cluster, own string
		replaced     []string
		replicas     *int32
		want         []told
	}{
		{name: "nothing was applied", own: "", want: nil},
		{
			name: "another registry, for every container", own: "[" + rule("mirror", image("Registry", "replace", "mirror.local")) + "]",
			replaced: []string{"registry.example.com:5000/shop", "mirror.local/shop", `"envoy@`, `"mirror.local/envoy@`},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "mirror", Changes: []string{
				web + "/image: registry.example.com:5000/shop/cart:1.2 → mirror.local/shop/cart:1.2",
				side + "/image: envoy@sha256:0123456789abcdef0123456789abcdef → mirror.local/envoy@sha256:0123456789abcdef0123456789abcdef"}}},
		},
		{
			name: "the version of one image", own: "[" + rule("old", `"imageOverrider":[{"predicate":{"path":"/spec/template/spec/containers/0/image"},"component":"Tag","operator":"replace","value":"1.1"}]`) + "]",
			replaced: []string{"cart:1.2", "cart:1.1"},
			want:     []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "old", Changes: []string{web + "/image: registry.example.com:5000/shop/cart:1.2 → registry.example.com:5000/shop/cart:1.1"}}},
		},
		{
			name: "arguments and the command of one container",
			own: "[" + rule("args", `"argsOverrider":[{"containerName":"web","operator":"add","value":["--c"]},{"containerName":"web","operator":"remove","value":["--a"]}],
				"commandOverrider":[{"containerName":"side","operator":"add","value":["run"]}]`) + "]",
			replaced: []string{`["--a","--b"]`, `["--b","--c"]`, `"name":"side",`, `"name":"side","command":["run"],`},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "args", Changes: []string{
				web + `/args: ["--a","--b"] → ["--b","--c"]`, side + `/command: nothing → ["run"]`}}},
		},
		{
			name: "labels and annotations: what is not there is neither replaced nor removed",
			own: "[" + rule("labels", `"labelsOverrider":[{"operator":"add","value":{"reached/by":"agent"}},{"operator":"replace","value":{"tier":"silver","zone":"a"}},{"operator":"remove","value":{"app":"","other":""}}],
				"annotationsOverrider":[{"operator":"add","value":{"note":"x"}}]`) + "]",
			replaced: []string{`{"app":"cart","tier":"gold"}`, `{"reached/by":"agent","tier":"silver"},"annotations":{"note":"x"}`},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "labels", Changes: []string{
				"/metadata/annotations: nothing → {\"note\":\"x\"}", "/metadata/labels/app: cart → nothing",
				"/metadata/labels/reached~1by: nothing → agent", "/metadata/labels/tier: gold → silver"}}},
		},
		{
			name: "any field", own: "[" + rule("plain", `"plaintext":[{"path":"/spec/template/spec/containers/0/env/-","operator":"add","value":{"name":"B","value":"2"}},
				{"path":"/spec/template/spec/containers/0/env/0","operator":"remove"},{"path":"/spec/paused","operator":"add","value":true},{"path":"/metadata/labels/app","operator":"replace","value":"web"}]`) + "]",
			replaced: []string{`{"name":"A","value":"1"}`, `{"name":"B","value":"2"}`, `"replicas":6,`, `"replicas":6,"paused":true,`, `"app":"cart"`, `"app":"web"`},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "plain", Changes: []string{
				"/metadata/labels/app: cart → web", "/spec/paused: nothing → true",
				web + `/env[name=B]: nothing → {"name":"B","value":"2"}`, web + `/env[name=A]: {"name":"A","value":"1"} → nothing`}}},
		},
		{
			name: "what is inside of a text", own: "[" + rule("texts", `"fieldOverrider":[{"fieldPath":"/data/app.yaml","yaml":[{"subPath":"/log/level","operator":"replace","value":"debug"}]},
				{"fieldPath":"/data/app.json","json":[{"subPath":"/level","operator":"replace","value":"debug"}]}]`) + "]",
			replaced: []string{`level: info`, `level: debug`, `\"level\":\"info\"`, `\"level\":\"debug\"`},
			want:     []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "texts", Changes: []string{"/data/app.yaml#/log/level: info → debug", "/data/app.json#/level: info → debug"}}},
		},
		{
			name:    "ClusterOverridePolicies come first, and the next one finds what they left",
			cluster: "[" + rule("base", image("Tag", "replace", "2.0")) + "]", own: "[" + rule("more", image("Tag", "add", "-tokyo")) + "]",
			replaced: []string{"cart:1.2", "cart:2.0-tokyo", "envoy@sha256:0123456789abcdef0123456789abcdef", "envoy:2.0-tokyo"},
			want: []told{
				{Kind: "ClusterOverridePolicy", Name: "base", Changes: []string{web + "/image: registry.example.com:5000/shop/cart:1.2 → registry.example.com:5000/shop/cart:2.0", side + "/image: envoy@sha256:0123456789abcdef0123456789abcdef → envoy:2.0"}},
				{Kind: "OverridePolicy", Namespace: "shop", Name: "more", Changes: []string{web + "/image: registry.example.com:5000/shop/cart:2.0 → registry.example.com:5000/shop/cart:2.0-tokyo", side + "/image: envoy:2.0 → envoy:2.0-tokyo"}},
			},
		},
		{
			name:     "the order that Karmada did not note is the one that leads to what was sent",
			own:      "[" + rule("a", `"plaintext":[{"path":"/metadata/labels/tier","operator":"replace","value":"last"}]`) + "," + rule("b", `"plaintext":[{"path":"/metadata/labels/tier","operator":"replace","value":"first"}]`) + "]",
			replaced: []string{`"tier":"gold"`, `"tier":"last"`},
			want: []told{
				{Kind: "OverridePolicy", Namespace: "shop", Name: "b", Changes: []string{"/metadata/labels/tier: gold → first"}},
				{Kind: "OverridePolicy", Namespace: "shop", Name: "a", Changes: []string{"/metadata/labels/tier: first → last"}},
			},
		},
		{
			name: "several rules of one policy are one override", own: "[" + rule("two", image("Tag", "replace", "3")) + "," + rule("two", `"labelsOverrider":[{"operator":"add","value":{"x":"y"}}]`) + "]",
			replaced: []string{"cart:1.2", "cart:3", "envoy@sha256:0123456789abcdef0123456789abcdef", "envoy:3", `"tier":"gold"`, `"tier":"gold","x":"y"`},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "two", Changes: []string{"/metadata/labels/x: nothing → y",
				web + "/image: registry.example.com:5000/shop/cart:1.2 → registry.example.com:5000/shop/cart:3", side + "/image: envoy@sha256:0123456789abcdef0123456789abcdef → envoy:3"}}},
		},
		{
			name: "assigned replicas and Karmada's own labels are no override", own: "[" + rule("more", `"plaintext":[{"path":"/spec/replicas","operator":"replace","value":9}]`) + "]",
			replaced: []string{`"replicas":6`, `"replicas":9`, `"tier":"gold"`, `"tier":"gold","karmada.io/managed":"true"`}, replicas: ptr(int32(2)),
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "more", Changes: []string{"/spec/replicas: 2 → 9"}}},
		},
		{
			name: "a policy that changes nothing is told of all the same", own: "[" + rule("idle", `"labelsOverrider":[{"operator":"add","value":{"tier":"gold"}}]`) + "]",
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "idle"}},
		},
		{
			name: "the template has changed since: what it was sent is something else", own: "[" + rule("mirror", image("Tag", "add", "-x")) + "]",
			replaced: []string{"cart:1.2", "cart:1.1-x"},
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "mirror", Incomplete: true, Changes: []string{
				web + "/image: registry.example.com:5000/shop/cart:1.2 → registry.example.com:5000/shop/cart:1.2-x"}}},
		},
		{
			name: "an overrider does not fit the template any more", own: "[" + rule("gone", `"plaintext":[{"path":"/spec/strategy/type","operator":"replace","value":"Recreate"}]`) + "]",
			want: []told{{Kind: "OverridePolicy", Namespace: "shop", Name: "gone", Incomplete: true}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Explain([]byte(overriddenTemplate), sentWith(t, c.cluster, c.own, c.replaced...), c.replicas)
			if err != nil || got == nil {
				t.Fatalf("got %v, error %v", got, err)
			}
			if diff := cmp.Diff(c.want, toldOf(got)); diff != "" {
				t.Errorf("overrides (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExplainSaysWhatItCannotRead(t *testing.T) {
	if _, err := Explain([]byte(overriddenTemplate), sentWith(t, "", "no list"), nil); err == nil || !strings.Contains(err.Error(), "policy.karmada.io/applied-overrides") {
		t.Errorf("error %v", err)
	}
	if _, err := Explain([]byte(`[`), sentWith(t, `[{"policyName":"a"}]`, ""), nil); err == nil || !strings.Contains(err.Error(), "template shop/cart") {
		t.Errorf("error %v", err)
	}
}

func TestAppliedPolicies(t *testing.T) {
	w := sentWith(t, `[{"policyName":"b"},{"policyName":"b"}]`, `[{"policyName":"a"}]`)
	want := []model.Ref{policyRef(model.PolicyClusterOverride, "", "b"), policyRef(model.PolicyOverride, "shop", "a")}
	if diff := cmp.Diff(want, AppliedPolicies(w)); diff != "" {
		t.Errorf("policies (-want +got):\n%s", diff)
	}
	if got := AppliedPolicies(sentWith(t, "?", "")); got != nil {
		t.Errorf("notes that cannot be read name %v", got)
	}
}

func TestOverriddenImages(t *testing.T) {
	cases := []struct {
		image string
		want  imageName
	}{
		{"nginx", imageName{"", "nginx", ""}},
		{"nginx:1", imageName{"", "nginx", "1"}},
		{"library/nginx", imageName{"", "library/nginx", ""}},
		{"localhost/nginx", imageName{"localhost", "nginx", ""}},
		{"host:5000/a/b:1", imageName{"host:5000", "a/b", "1"}},
		{"host:5000/a/b", imageName{"host:5000", "a/b", ""}},
		{"a.b/c@sha256:12", imageName{"a.b", "c", "sha256:12"}},
		{"a.b/c:1@sha256:12", imageName{"a.b", "c", "1"}},
	}
	for _, c := range cases {
		t.Run(c.image, func(t *testing.T) {
			if got := parseImage(c.image); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if got := c.want.String(); !strings.HasPrefix(c.image, got) {
				t.Errorf("written %q", got)
			}
		})
	}
}

func TestAVersionThatIsNoneChangesNoImage(t *testing.T) {
	for _, value := range []string{"", "a b", "sha256:12"} {
		o := &policyv1alpha1.ImageOverrider{Component: policyv1alpha1.Tag, Operator: policyv1alpha1.OverriderOpReplace, Value: value}
		if got := overriddenImage("web:1", o); got != "web:1" {
			t.Errorf("%q makes %q", value, got)
		}
	}
	if got := overriddenImage("web:1", &policyv1alpha1.ImageOverrider{Component: policyv1alpha1.Tag, Operator: policyv1alpha1.OverriderOpRemove}); got != "web" {
		t.Errorf("without a version: %q", got)
	}
}

func TestPatch(t *testing.T) {
	cases := []struct{ name, op, path, value, want string }{
		{"a field is added", "add", "/b", `2`, `{"a":[1,2],"b":2,"c":{"d/e":"f"}}`},
		{"a field that is there is replaced by adding it", "add", "/c", `2`, `{"a":[1,2],"c":2}`},
		{"an item is added at the end", "add", "/a/-", `3`, `{"a":[1,2,3],"c":{"d/e":"f"}}`},
		{"an item is added before another", "add", "/a/0", `0`, `{"a":[0,1,2],"c":{"d/e":"f"}}`},
		{"an item is replaced", "replace", "/a/1", `9`, `{"a":[1,9],"c":{"d/e":"f"}}`},
		{"an item is counted from the end", "replace", "/a/-2", `9`, `{"a":[9,2],"c":{"d/e":"f"}}`},
		{"a field with a slash is removed", "remove", "/c/d~1e", ``, `{"a":[1,2],"c":{}}`},
		{"an item is removed", "remove", "/a/0", ``, `{"a":[2],"c":{"d/e":"f"}}`},
		{"what is not there cannot be replaced", "replace", "/x", `1`, ``},
		{"what is not there cannot be removed", "remove", "/a/2", ``, ``},
		{"there is nothing below what is not there", "add", "/x/y", `1`, ``},
		{"there is nothing below a number", "add", "/a/0/x", `1`, ``},
		{"a value has to be JSON", "add", "/b", `{`, ``},
		{"the whole object is nobody's to change", "replace", "", `{}`, ``},
		{"an operation has to be known", "move", "/a", ``, ``},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, err := decodeDocument([]byte(`{"a":[1,2],"c":{"d/e":"f"}}`))
			if err != nil {
				t.Fatal(err)
			}
			before := d.clone()
			err = d.patch([]operation{{c.op, c.path, []byte(c.value)}})
			switch {
			case c.want == "" && err == nil:
				t.Errorf("no error, got %s", d.encode())
			case c.want == "":
				if diff := cmp.Diff(before, d); diff != "" {
					t.Errorf("changed in spite of the error:\n%s", diff)
				}
			case err != nil || string(d.encode()) != c.want:
				t.Errorf("got %s, error %v, want %s", d.encode(), err, c.want)
			}
		})
	}
}
