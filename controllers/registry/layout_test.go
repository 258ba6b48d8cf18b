package registry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

func TestALayoutIsReadOrRefusedByName(t *testing.T) {
	for name, tt := range map[string]struct {
		pairs   map[string]string
		want    Layout
		refusal string
	}{
		"nothing":                {nil, DefaultLayout, ""},
		"some":                   {map[string]string{"name": "spec.ref.name", "kind": "spec.ref.kind"}, Layout{Name: "spec.ref.name", Kind: "spec.ref.kind"}, ""},
		"no name":                {map[string]string{"kind": "spec.kind"}, Layout{}, "name"},
		"an unknown field":       {map[string]string{"name": "spec.name", "colour": "spec.colour"}, Layout{}, `"colour"`},
		"metadata":               {map[string]string{"name": "metadata.name"}, Layout{}, "metadata.name"},
		"status":                 {map[string]string{"name": "status.name"}, Layout{}, "status.name"},
		"a top-level field":      {map[string]string{"name": "name"}, Layout{}, "name"},
		"an empty part":          {map[string]string{"name": "spec..name"}, Layout{}, "spec..name"},
		"one path twice":         {map[string]string{"name": "spec.name", "kind": "spec.name"}, Layout{}, "two fields"},
		"one path below another": {map[string]string{"name": "spec.ref", "kind": "spec.ref.kind"}, Layout{}, "below"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseLayout(tt.pairs)
			if tt.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refusal) {
					t.Fatalf("want an error that names %s, got %v", tt.refusal, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsToldOfAnInstance(t *testing.T) {
	custom := rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{
		Name: "operator", Labels: map[string]string{v1alpha1.LabelRole: "true"}, Annotations: map[string]string{role.AnnotationDescription: "Restarts."},
	}}
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}}
	roles := []any{
		map[string]any{"name": "Admin", "description": "May do everything.", "namespaced": true},
		map[string]any{"name": "Editor", "description": "May change everything but permissions and member clusters.", "namespaced": true},
		map[string]any{"name": "Viewer", "description": "May read everything but Secrets.", "namespaced": true},
		map[string]any{"name": "operator", "description": "Restarts.", "namespaced": true},
	}
	want := map[string]any{"spec.kind": "Instance", "spec.name": "asia", "spec.displayName": "asia", "spec.roles": roles}
	got := DefaultLayout.values(instance, role.Descriptions([]rbacv1.ClusterRole{custom}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	instance.Spec.DisplayName = "Asia"
	if got := (Layout{DisplayName: "spec.title"}).values(instance, nil); !cmp.Equal(got, map[string]any{"spec.title": "Asia"}) {
		t.Errorf("got %v", got)
	}
}

func TestDiffering(t *testing.T) {
	values := map[string]any{"spec.name": "asia", "spec.roles": []any{map[string]any{"name": "Admin"}}}
	for name, tt := range map[string]struct {
		spec map[string]any
		want []string
	}{
		"the same":               {map[string]any{"name": "asia", "roles": []any{map[string]any{"name": "Admin"}}}, nil},
		"with fields beside":     {map[string]any{"name": "asia", "x": int64(1), "roles": []any{map[string]any{"name": "Admin", "x": true}}}, nil},
		"another name":           {map[string]any{"name": "europe", "roles": []any{map[string]any{"name": "Admin"}}}, []string{"spec.name"}},
		"one role more":          {map[string]any{"name": "asia", "roles": []any{map[string]any{"name": "Admin"}, map[string]any{"name": "X"}}}, []string{"spec.roles"}},
		"another role":           {map[string]any{"name": "asia", "roles": []any{map[string]any{"name": "X"}}}, []string{"spec.roles"}},
		"roles of another shape": {map[string]any{"name": "asia", "roles": "Admin"}, []string{"spec.roles"}},
		"nothing":                {nil, []string{"spec.name", "spec.roles"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, differing(map[string]any{"spec": tt.spec}, values)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatGlobalManagementSaysBecomesTheCondition(t *testing.T) {
	ref := reference{kind: v1alpha1.GlobalResourceKind, name: "instance-asia"}
	for name, tt := range map[string]struct {
		said map[string]any
		want verdict
	}{
		"nothing":                        {nil, verdict{"True", "Registered", `global management is told by GlobalResource "instance-asia"`}},
		"yes":                            {map[string]any{"type": "Registered", "status": "True", "reason": "Accepted", "message": "welcome"}, verdict{"True", "Accepted", "welcome"}},
		"no":                             {map[string]any{"type": "Registered", "status": "False", "reason": "QuotaExceeded", "message": "too many"}, verdict{"False", "QuotaExceeded", "too many"}},
		"no, without a word":             {map[string]any{"type": "Registered", "status": "False"}, verdict{"False", "NotRegistered", "global management says nothing more"}},
		"neither":                        {map[string]any{"type": "Registered", "status": "Unknown", "reason": "Waiting", "message": "m"}, verdict{"Unknown", "Waiting", "m"}},
		"a status that is none":          {map[string]any{"type": "Registered", "status": true}, verdict{"Unknown", "NotRegistered", "global management says nothing more"}},
		"a reason that the API refuses":  {map[string]any{"type": "Registered", "status": "True", "reason": "it is so", "message": "m"}, verdict{"True", "Registered", "m"}},
		"a condition of another meaning": {map[string]any{"type": "Billed", "status": "False"}, verdict{"True", "Registered", `global management is told by GlobalResource "instance-asia"`}},
	} {
		t.Run(name, func(t *testing.T) {
			object := &unstructured.Unstructured{Object: map[string]any{}}
			if tt.said != nil {
				object.Object["status"] = map[string]any{"conditions": []any{tt.said}}
			}
			if got := judge(ref, object); got != tt.want {
				t.Errorf("want %+v, got %+v", tt.want, got)
			}
		})
	}
}

func TestAReferenceIsReadAsItWasWritten(t *testing.T) {
	for _, ref := range []reference{
		{kind: v1alpha1.GlobalResourceKind, name: "instance-asia"},
		{kind: schema.GroupVersionKind{Group: "platform.example.com", Version: "v1beta1", Kind: "Workspace"}, namespace: "global", name: "instance-asia"},
		{kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, namespace: "global", name: "instance-asia"},
	} {
		if got, ok := parseReference(ref.String()); !ok || got != ref {
			t.Errorf("%s: got %+v", ref, got)
		}
	}
	for _, text := range []string{"", "GlobalResource", "GlobalResource.v1alpha1.kairship.io", "GlobalResource.v1alpha1.kairship.io//", "x/y/z", "A.v1.b/c/d/e"} {
		if got, ok := parseReference(text); ok {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestAKindIsReadOrRefused(t *testing.T) {
	for text, want := range map[string]schema.GroupVersionKind{
		"GlobalResource.v1alpha1.kairship.io": v1alpha1.GlobalResourceKind,
		"Workspace.v1.platform.example.com":   {Group: "platform.example.com", Version: "v1", Kind: "Workspace"},
		"":                                    {},
		"Workspace":                           {},
		"Workspace.v1":                        {},
		"Workspace.platform.example.com":      {},
		".v1.example.com":                     {},
		"Workspace.v1.":                       {},
	} {
		got, err := ParseKind(text)
		if got != want || (err == nil) != (want != schema.GroupVersionKind{}) {
			t.Errorf("%q: want %v, got %v, %v", text, want, got, err)
		}
	}
}
