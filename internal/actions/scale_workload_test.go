package actions

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

func TestScaleWorkloadTakesAnyNumberThatIsAllowed(t *testing.T) {
	cart := model.Ref{Instance: "asia", GVK: model.KindStatefulSet.GVK(), Namespace: "shop", Name: "cart"}
	for _, replicas := range []int32{0, MaxReplicas} {
		_, r := start(t)
		reached := errors.New("the instance is asked")
		r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return nil, reached }
		if _, problems, err := Run(ann(t), r, &ScaleWorkload{OnWorkload{ID: cart.ID()}, replicas}, nil); !errors.Is(err, reached) {
			t.Errorf("%d: %v, %v", replicas, problems, err)
		}
	}
}

// What cannot be scaled, and to what nothing can be scaled, is refused before the instance is asked.
func TestScaleWorkloadNamesWhatIsWrong(t *testing.T) {
	cart := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}
	at := func(edit func(*model.Ref)) string {
		ref := cart
		edit(&ref)
		return ref.ID()
	}
	const notThese = "id: is the id of a DaemonSet, which cannot be scaled; these can: Deployment, StatefulSet"
	for _, tc := range []struct {
		name     string
		id       string
		replicas int32
		field    string
		message  string
	}{
		{"too few", cart.ID(), -1, "replicas", "replicas: -1 is out of range; 0 to 100000 are allowed"},
		{"too many", cart.ID(), 100_001, "replicas", "replicas: 100001 is out of range; 0 to 100000 are allowed"},
		{"a kind without replicas", at(func(r *model.Ref) { r.GVK = model.KindDaemonSet.GVK() }), 1, "id", notThese},
		{"an object of a member", at(func(r *model.Ref) { r.Cluster = "tokyo" }), 1, "id", ""},
		{"another kind of the same name", at(func(r *model.Ref) {
			r.GVK = schema.GroupVersionKind{Group: "apps.kruise.io", Version: "v1", Kind: "Deployment"}
		}), 1, "id", ""},
		{"what is no id", "cart", 1, "id", ""},
		{"a name that leads elsewhere", at(func(r *model.Ref) { r.Name = "../../secrets/x" }), 1, "id", ""},
		{"a namespace that leads elsewhere", at(func(r *model.Ref) { r.Namespace = ".." }), 1, "id", ""},
		{"no namespace", at(func(r *model.Ref) { r.Namespace = "" }), 1, "id", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, r := start(t)
			r.Connect = func(rbac.Scope, string) (karmada.Connection, error) {
				t.Error("the instance was connected to")
				return nil, &model.Error{Code: model.CodeUnavailable}
			}
			w, problems, err := Run(ann(t), r, &ScaleWorkload{OnWorkload{ID: tc.id}, tc.replicas}, nil)
			if w != nil || err != nil || len(problems) != 1 {
				t.Fatalf("got %v, %v, %v; want one user error", w, problems, err)
			}
			want := model.UserError{Code: "BAD_USER_INPUT", Field: []string{"input", tc.field}, Message: tc.message}
			if tc.message == "" { // in the words of the ids
				t.Log(problems[0].Message)
				want.Message = problems[0].Message
			}
			if diff := cmp.Diff(want, problems[0]); diff != "" {
				t.Errorf("user error (-want +got):\n%s", diff)
			}
		})
	}
}
