package promotion

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func isAbsent(err error) bool { return errors.Is(err, errAbsent) }

// refusedAs fails the test unless an error refuses something in words that hold all of some texts.
func refusedAs(t *testing.T, err error, want ...string) {
	t.Helper()
	if refused := (*RefusedError)(nil); !errors.As(err, &refused) {
		t.Fatalf("error %v, want a refusal", err)
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q does not say %q", err, text)
		}
	}
}

// hostile is a member that answers with whatever it likes, and counts how often it is asked.
type hostile struct {
	cluster

	answer func(ref model.Ref) string
	asked  int
}

func (h *hostile) Get(_ context.Context, ref model.Ref, most int) ([]byte, error) {
	h.asked++
	if most != MostObjectBytes {
		return nil, fmt.Errorf("%d bytes are asked for", most)
	}
	return []byte(h.answer(ref)), nil
}

func needing(n int) string {
	volumes := make([]string, n)
	for i := range volumes {
		volumes[i] = fmt.Sprintf(`{"name":"v%d","configMap":{"name":"c%d"}}`, i, i)
	}
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"cart"},"spec":{"template":{"spec":{"volumes":[` + strings.Join(volumes, ",") + `]}}}}`
}

func TestAMemberThatSendsMuchIsRefusedWhileItIsRead(t *testing.T) {
	large := func(data string) func(model.Ref) string {
		return func(ref model.Ref) string {
			if ref.GVK.Kind == "Deployment" {
				return needing(MostDependencies)
			}
			return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":%q},"data":%s}`, ref.Name, data)
		}
	}
	text := func(n int) string { return `{"a":"` + strings.Repeat("x", n) + `"}` }
	list := func(n int) string { return `{"a":[0` + strings.Repeat(",0", n) + `]}` }
	for name, tt := range map[string]struct {
		answer func(model.Ref) string
		asked  int
		want   []string
	}{
		"an object that is too large":              {large(text(MostObjectBytes)), 2, []string{`ConfigMap "c0" of cluster "hangzhou"`, "has 3145", "more than the 3145728 bytes"}},
		"an object of too many values":             {large(list(100_000)), 2, []string{`ConfigMap "c0" of cluster "hangzhou"`, "more than the 100000 values"}},
		"an object that is nested too deep":        {large(strings.Repeat("[", 1000)), 2, []string{"deeper than the 500 levels"}},
		"objects that are too large together":      {large(text(MostObjectBytes - 1000)), 7, []string{`Deployment "cart" and what it needs`, "at most 16777216 bytes"}},
		"objects of too many values, all together": {large(list(99_000)), 7, []string{`Deployment "cart" and what it needs`, "500000 values"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := &hostile{answer: tt.answer}
			_, err := Make(t.Context(), in, cluster{}, isAbsent, Request{Ref: deployment("cart"), Cluster: "hangzhou", Dependencies: true})
			refusedAs(t, err, tt.want...)
			if in.asked != tt.asked {
				t.Errorf("it was asked %d times, want %d", in.asked, tt.asked)
			}
		})
	}
}

func TestAMemberThatAnswersWithAnotherObjectIsRefused(t *testing.T) {
	const name = `"metadata":{"namespace":"shop","name":"cart"}`
	for field, answer := range map[string]string{
		"apiVersion is \"v1\", not \"apps/v1\"":         `{"apiVersion":"v1","kind":"Deployment",` + name + `}`,
		"kind is \"ClusterRole\", not \"Deployment\"":   `{"apiVersion":"apps/v1","kind":"ClusterRole",` + name + `}`,
		"metadata.namespace is \"infra\", not \"shop\"": `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"infra","name":"cart"}}`,
		"metadata.name is \"operator\", not \"cart\"":   `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"operator"}}`,
		"apiVersion is \"\", not \"apps/v1\"":           `null`,
		"metadata.namespace is \"\", not \"shop\"":      `{"apiVersion":"apps/v1","kind":"Deployment","metadata":7}`,
	} {
		in := &hostile{answer: func(model.Ref) string { return answer }}
		_, err := Make(t.Context(), in, cluster{}, isAbsent, Request{Ref: deployment("cart"), Cluster: "hangzhou"})
		refusedAs(t, err, `cluster "hangzhou" answers with another object than Deployment "cart"`, field)
	}
	dependency := &hostile{answer: func(ref model.Ref) string {
		if ref.GVK.Kind == "Deployment" {
			return needing(1)
		}
		return `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"namespace":"shop","name":"c0"}}`
	}}
	_, err := Make(t.Context(), dependency, cluster{}, isAbsent, Request{Ref: deployment("cart"), Cluster: "hangzhou", Dependencies: true})
	refusedAs(t, err, `answers with another object than ConfigMap "c0"`)
	service := cluster{"Deployment cart": cart, "Service cart": `{metadata: {namespace: infra, name: cart}, spec: {selector: {app: cart}}}`}
	_, err = Make(t.Context(), service, cluster{}, isAbsent, Request{Ref: deployment("cart"), Cluster: "hangzhou", Dependencies: true})
	refusedAs(t, err, `answers with another object than Service "cart"`, `"infra"`)
}

func TestWhatAnObjectWasIsKeptWhereItIsCompared(t *testing.T) {
	for _, compare := range []bool{false, true} {
		plan, err := Make(t.Context(), cluster{"Deployment cart": cart}, cluster{}, isAbsent, Request{Ref: deployment("cart"), Cluster: "hangzhou", Compare: compare})
		if err != nil || len(plan.Objects) != 1 || (plan.Objects[0].Was != nil) != compare {
			t.Errorf("compared %v: %+v, %v", compare, plan, err)
		}
	}
}

func TestAPlanIsNotMadeWhenAMemberAnswersOtherwiseThanWhenItWasChecked(t *testing.T) {
	const settings = `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: settings, resourceVersion: "1"}, data: {a: b}}`
	req := Request{Ref: deployment("cart"), Cluster: "hangzhou", Dependencies: true, MarkKey: "kairship.io/operation", Mark: "op-1"}
	plan := func(in, into cluster) *Plan {
		t.Helper()
		p, err := Make(t.Context(), in, into, isAbsent, req)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	checked, err := plan(cluster{"Deployment cart": cart, "ConfigMap settings": settings}, cluster{}).Hashes()
	if err != nil {
		t.Fatal(err)
	}
	made := `{metadata: {annotations: {kairship.io/operation: op-1}}}`
	for name, tt := range map[string]struct {
		in, into cluster
		want     string
	}{
		"nothing":                   {cluster{"Deployment cart": cart, "ConfigMap settings": settings}, nil, ""},
		"what is not in a template": {cluster{"Deployment cart": strings.Replace(cart, "generation: 3", "generation: 4", 1), "ConfigMap settings": settings}, nil, ""},
		"the object":                {cluster{"Deployment cart": strings.Replace(cart, "replicas: 2", "replicas: 3", 1), "ConfigMap settings": settings}, nil, `Deployment "cart" changed in the member`},
		"a dependency":              {cluster{"Deployment cart": cart, "ConfigMap settings": strings.Replace(settings, "a: b", "a: c", 1)}, nil, `ConfigMap "settings" changed in the member`},
		"a dependency that comes":   {cluster{"Deployment cart": cart, "ConfigMap settings": settings, "ConfigMap files": strings.Replace(settings, "settings", "files", 1)}, nil, `ConfigMap "files" changed in the member`},
		"a dependency that goes":    {cluster{"Deployment cart": cart}, nil, `v1 ConfigMap "settings" changed in the member`},
		"a template that is made":   {cluster{"Deployment cart": cart, "ConfigMap settings": strings.Replace(settings, "a: b", "a: c", 1)}, cluster{"ConfigMap settings": made}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := plan(tt.in, tt.into).Since(checked)
			conflict := (*ConflictError)(nil)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (!errors.As(err, &conflict) || err.Error() != tt.want+" since it was checked; promote it again"):
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
