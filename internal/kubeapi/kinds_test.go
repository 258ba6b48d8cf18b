package kubeapi_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestTheKindsOfAnInstance(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	all, err := r.APIResources(t.Context(), everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	find := func(gvk schema.GroupVersionKind) *model.APIResource {
		i := slices.IndexFunc(all, func(one *model.APIResource) bool { return one.GVK() == gvk })
		if i < 0 {
			t.Fatalf("%s is not there", gvk)
		}
		return all[i]
	}
	verbs := []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	for _, want := range []model.APIResource{
		{Version: "v1", Kind: "ConfigMap", Name: "configmaps", Scope: model.ScopeNamespaced, ShortNames: []string{"cm"}, Categories: []string{}, Verbs: verbs, Preferred: true},
		{Group: "acme.example", Version: "v1", Kind: "Widget", Name: "widgets", Scope: model.ScopeCluster, ShortNames: []string{"wdg"}, Categories: []string{}, Verbs: verbs, Preferred: true, Custom: true},
	} {
		if diff := cmp.Diff(&want, find(want.GVK())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if find(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}).APIVersion() != "apps/v1" {
		t.Error("it does not say its group and version")
	}
	for i, one := range all {
		if strings.Contains(one.Name, "/") {
			t.Errorf("%s is a subresource", one.Name)
		}
		if i > 0 && all[i-1].Group+"\x00"+all[i-1].Kind > one.Group+"\x00"+one.Kind {
			t.Errorf("%s %s is out of order", one.Group, one.Kind)
		}
	}
	if _, err := r.APIResources(t.Context(), rbac.Scope{}, "asia"); code(err) != model.CodeForbidden {
		t.Errorf("without a scope: %v", err)
	}
	if _, err := r.APIResources(t.Context(), everything, "europe"); code(err) != model.CodeNotFound {
		t.Errorf("of an instance that is not there: %v", err)
	}
}

func TestManyWhoAskForTheKindsAskOnce(t *testing.T) {
	r, d := start(t, 10*time.Second)
	d.seen("")
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if _, err := r.Kind(t.Context(), everything, "asia", "", schema.GroupVersionKind{Version: "v1", Kind: "Nonsense"}); code(err) != model.CodeNotFound {
		t.Errorf("an unknown kind: %v", err)
	}
	requests := d.seen("")
	n := 0
	for _, one := range requests {
		if one.path == "/apis" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the kinds were asked for %d times: %v", n, requests)
	}
}

func TestAKindThatIsNotServedSaysWhichVersionsAre(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	_, err := r.Kind(t.Context(), everything, "asia", "", schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"})
	if want := `the API server of instance "asia" serves no kind "Deployment" of "apps/v1beta1"; it serves apps/v1`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestANewKindIsFoundOnceWhatIsKnownIsOldEnough(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	gadget := schema.GroupVersionKind{Group: "acme.example", Version: "v1", Kind: "Gadget"}
	if _, err := r.Kind(t.Context(), everything, "asia", "", gadget); code(err) != model.CodeNotFound {
		t.Fatal(err)
	}
	crd := widgets()
	crd.Name = "gadgets.acme.example"
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "gadgets", Singular: "gadget", Kind: "Gadget", ListKind: "GadgetList"}
	make1(t, crd)
	testenv.Eventually(t, func() string {
		r.Age("asia", "", time.Minute)
		kind, err := r.Kind(t.Context(), everything, "asia", "", gadget)
		if err != nil {
			return err.Error()
		}
		if !kind.Custom {
			return "it is not known to be custom"
		}
		return ""
	})
}

func TestWhatIsKnownOutlivesAnAPIServerThatDoesNotAnswer(t *testing.T) {
	r, d := start(t, 10*time.Second)
	if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); err != nil {
		t.Fatal(err)
	}
	r.Age("asia", "", time.Hour)
	d.answer(only("/api", text(503)))
	if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); err != nil {
		t.Error(err)
	}
}

func TestAColdDiscoveryEndsInTime(t *testing.T) {
	r, d := start(t, time.Second)
	d.answer(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/apis" && r.URL.Path != "/api" {
			return false
		}
		<-r.Context().Done()
		return true
	})
	begun := time.Now()
	if _, err := r.Kind(t.Context(), everything, "asia", "", configMap); code(err) != model.CodeTimeout {
		t.Errorf("got %v", err)
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("took %s", took)
	}
	// One who has less time waits less, and takes the answer from nobody.
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := r.Kind(short, everything, "asia", "", configMap); code(err) != model.CodeTimeout {
		t.Errorf("got %v", err)
	}
}

func TestTheKindsOfAMemberAreItsOwn(t *testing.T) {
	r, d := start(t, 10*time.Second)
	d.answer(only("/clusters/tokyo/proxy/api", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		path := strings.TrimPrefix(r.URL.Path, clusters+"tokyo/proxy")
		switch path {
		case "/api":
			fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
		case "/apis":
			fmt.Fprint(w, `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`)
		case "/api/v1":
			fmt.Fprint(w, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"gizmos","kind":"Gizmo","namespaced":true,"verbs":["list"]}]}`)
		default:
			http.NotFound(w, r)
		}
	}))
	gizmo := schema.GroupVersionKind{Version: "v1", Kind: "Gizmo"}
	if kind, err := r.Kind(t.Context(), everything, "asia", "tokyo", gizmo); err != nil || kind.Name != "gizmos" || kind.Scope != model.ScopeNamespaced {
		t.Errorf("of the member: %+v, %v", kind, err)
	}
	if _, err := r.Kind(t.Context(), everything, "asia", "", gizmo); code(err) != model.CodeNotFound {
		t.Errorf("of the control plane: %v", err)
	}
}
