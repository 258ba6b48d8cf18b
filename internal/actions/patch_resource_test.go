package actions

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// Whatever its type, a patch says which object and which version of it is meant, and keeps its numbers.
func TestAPatchSaysWhatItExpects(t *testing.T) {
	ref := model.Ref{Instance: "asia", GVK: namespaceKind.GroupVersion().WithKind("ConfigMap"), Namespace: "shop", Name: "cart"}
	for kind, tc := range map[model.PatchType]struct{ patch, want string }{
		model.PatchMerge:     {`{"n":9007199254740993}`, `{"metadata":{"resourceVersion":"7","uid":"u"},"n":9007199254740993}`},
		model.PatchStrategic: {`{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"a":"b"},"resourceVersion":"7","uid":"u"}}`},
		model.PatchJSON: {`[{"op":"add","path":"/n","value":9007199254740993}]`,
			`[{"op":"add","path":"/n","value":9007199254740993},{"op":"replace","path":"/metadata/uid","value":"u"},{"op":"replace","path":"/metadata/resourceVersion","value":"7"}]`},
		model.PatchApply: {`{"data":{"a":"1"}}`, `{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"name":"cart","namespace":"shop","resourceVersion":"7","uid":"u"}}`},
	} {
		got, err := (&PatchResource{OnResource: OnResource{UID: "u"}, Type: kind}).expecting(ref, []byte(tc.patch), "7")
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %s, %v; want %s", kind, got, err, tc.want)
		}
	}
	if got, err := (&PatchResource{Type: model.PatchApply}).expecting(ref, []byte(`{"kind":"Secret"}`), ""); err == nil {
		t.Errorf("another kind is applied: %s", got)
	}
}

// What a conflict cannot tell, it says why.
func TestAConflictSaysWhyAPartOfItIsNotKnown(t *testing.T) {
	const now = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"both","namespace":"shop","uid":"u","resourceVersion":"9"},"data":{"a":"2"}}`
	for name, tc := range map[string]struct {
		// before is what the list at the version that was read is answered with.
		code   int
		before string
		again  func(*karmada.Object) ([]byte, error)
		want   []string
	}{
		"all is known": {http.StatusOK, `{"items":[{"metadata":{"name":"both","uid":"u","resourceVersion":"7"},"data":{"a":"1"}}]}`,
			func(*karmada.Object) ([]byte, error) { return []byte(now), nil }, nil},
		"the version is too old, and the change is refused": {http.StatusGone, `{"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old resource version"}`,
			func(*karmada.Object) ([]byte, error) {
				return nil, &karmada.Refused{UserError: model.UserError{Message: "data is immutable"}}
			}, []string{"what others changed is not known", "too old", "it would be refused", "data is immutable"}},
		"it did not exist": {http.StatusOK, `{"items":[]}`, func(*karmada.Object) ([]byte, error) { return []byte(now), nil }, []string{"no such object at version 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				body := now
				switch {
				case r.URL.Query().Get("resourceVersion") != "":
					w.WriteHeader(tc.code)
					body = tc.before
				case r.URL.Path == "/version":
					body = `{}`
				}
				_, _ = w.Write([]byte(body))
			}))
			t.Cleanup(server.Close)
			ref := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "shop", Name: "both"}
			object, err := karmada.Open(t.Context(), toJobs{server.URL}, auth.Principal{Name: "kairship:oidc:ann"}, ref, false)
			if err != nil {
				t.Fatal(err)
			}
			got := conflictOf(t.Context(), nil, object, &karmada.Refused{UserError: model.UserError{Code: string(model.CodeConflict)}}, "7", tc.again)
			if got == nil || (got.Note == nil) != (tc.want == nil) {
				t.Fatalf("%+v", got)
			}
			for _, part := range tc.want {
				if !strings.Contains(*got.Note, part) {
					t.Errorf("%q does not say %q", *got.Note, part)
				}
			}
		})
	}
}

// The values of a Secret are written and never read: not by a copy of them, and not by asking whether they are what one guesses.
func TestAPatchDoesNotReadTheValuesOfASecret(t *testing.T) {
	secret := model.Ref{Instance: "asia", GVK: namespaceKind.GroupVersion().WithKind("Secret"), Namespace: "shop", Name: "keys"}
	other := secret
	other.GVK.Kind = "ConfigMap"
	for patch, allowed := range map[string]bool{
		`[{"op":"copy","from":"/data","path":"/metadata/annotations"}]`:                                                                     false,
		`[{"op":"copy","from":"/data/p","path":"/metadata/labels/p"}]`:                                                                      false,
		`[{"op":"move","from":"/stringData/p","path":"/type"}]`:                                                                             false,
		`[{"op":"copy","from":"","path":"/metadata/annotations"}]`:                                                                          false,
		`[{"op":"copy","from":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration","path":"/metadata/annotations/a"}]`: false,
		`[{"op":"copy","from":"/d~0ata","path":"/metadata/annotations"}]`:                                                                   false,
		`[{"op":"test","path":"/data/p","value":"Z3Vlc3M="}]`:                                                                               false,
		`[{"op":"add","path":"/data/q","value":"eA=="},{"op":"test","path":"","value":{}}]`:                                                 false,
		`[{"op":"add","path":"/data/q","value":"eA=="}]`:                                                                                    true,
		`[{"op":"remove","path":"/data/q"}]`:                                                                                                true,
		`[{"op":"test","path":"/metadata/labels/a","value":"b"},{"op":"remove","path":"/data"}]`:                                            true,
		`[{"op":"copy","from":"/metadata/labels/a","path":"/metadata/annotations/a"}]`:                                                      true,
	} {
		a := &PatchResource{Type: model.PatchJSON}
		if err := a.check(secret, []byte(patch)); (err == nil) != allowed {
			t.Errorf("%s: %v", patch, err)
		}
		if err := a.check(other, []byte(patch)); err != nil {
			t.Errorf("of a ConfigMap, %s: %v", patch, err)
		}
	}
}

func TestAVersionThatIsNoneIsNamed(t *testing.T) {
	for version, good := range map[string]bool{"7": true, "18446744073709551615": true, "abc": false, "-1": false, "0": false, "7\n": false, "": false, "184467440737095516150": false} {
		if err := versionForm(version); (err == nil) != good {
			t.Errorf("%q: %v", version, err)
		}
	}
}
