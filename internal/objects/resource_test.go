package objects

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

var (
	secretGVK    = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	configMapGVK = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	workGVK      = schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha1", Kind: "Work"}
	widgetGVK    = schema.GroupVersionKind{Group: "acme.example", Version: "v1", Kind: "Widget"}
)

func TestAnObjectOfAnyKindIsWhatItSays(t *testing.T) {
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name       string
		gvk        schema.GroupVersionKind
		raw        string
		conditions []model.Condition
		keys       []model.DataKey
	}{
		{"conditions come by type", widgetGVK,
			`{"status":{"conditions":[{"type":"Ready","status":"False","reason":"Why","message":"because","lastTransitionTime":"2026-01-02T03:04:05Z"},{"type":"Good","status":"True"},{"type":"New","status":"Unknown"}]}}`,
			[]model.Condition{{Type: "Good", Status: model.FactTrue}, {Type: "New", Status: model.FactUnknown}, {Type: "Ready", Status: model.FactFalse, Reason: "Why", Message: "because", Since: &since}}, nil},
		{"a status that is no object has none", widgetGVK, `{"status":"fine"}`, nil, nil},
		{"conditions that are no list are none", widgetGVK, `{"status":{"conditions":{"Ready":true}}}`, nil, nil},
		{"a condition in another form is left out", widgetGVK, `{"status":{"conditions":["Ready",{"type":7},{"type":"Good","status":"True","lastTransitionTime":"yesterday"}]}}`,
			[]model.Condition{{Type: "Good", Status: model.FactTrue}}, nil},
		{"no status at all", widgetGVK, `{}`, nil, nil},
		{"a ConfigMap has keys with lengths", configMapGVK, `{"data":{"b":"héllo","a":""},"binaryData":{"c":"AAEC"}}`,
			nil, []model.DataKey{{Name: "a"}, {Name: "b", Bytes: 6}, {Name: "c", Bytes: 3}}},
		{"a Secret has keys with decoded lengths", secretGVK, `{"data":{"password":"aHVudGVyMg==","empty":""}}`,
			nil, []model.DataKey{{Name: "empty"}, {Name: "password", Bytes: 7}}},
		{"a Secret that was masked before has the same", secretGVK, `{"data":{"password":"<hidden: 7 bytes>"}}`,
			nil, []model.DataKey{{Name: "password", Bytes: 7}}},
		{"data of another kind is not looked at", widgetGVK, `{"data":{"password":"aHVudGVyMg=="}}`, nil, nil},
		{"a namesake of another group is no Secret", schema.GroupVersionKind{Group: "acme.example", Version: "v1", Kind: "Secret"}, `{"data":{"a":"b"}}`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := DecodeResource("asia", "tokyo", c.gvk, []byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			want := &model.KubernetesResource{Conditions: append([]model.Condition{}, c.conditions...), Keys: append([]model.DataKey{}, c.keys...)}
			if diff := cmp.Diff(want.Conditions, r.Conditions); diff != "" {
				t.Errorf("conditions -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(want.Keys, r.Keys); diff != "" {
				t.Errorf("keys -want +got:\n%s", diff)
			}
			if r.Ref.Instance != "asia" || r.Ref.Cluster != "tokyo" || r.Ref.GVK != c.gvk {
				t.Errorf("it is %v", r.Ref)
			}
		})
	}
}

func TestAnObjectThatIsNoJSONIsAnError(t *testing.T) {
	for _, gvk := range []schema.GroupVersionKind{secretGVK, widgetGVK, workGVK} {
		if _, err := DecodeResource("asia", "", gvk, []byte(`{"data"`)); err == nil {
			t.Errorf("%s was decoded", gvk.Kind)
		}
	}
}

const lastApplied = `"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"p\":\"aHVudGVyMg==\"}}","kept":"yes"}`

func TestNoValueOfASecretIsShown(t *testing.T) {
	for _, c := range []struct {
		name string
		gvk  schema.GroupVersionKind
		raw  string
		want string
	}{
		{"its own", secretGVK, `{"type":"Opaque","metadata":{"name":"s",` + lastApplied + `},"data":{"p":"aHVudGVyMg=="},"stringData":{"q":"hunter2"}}`,
			`{"type":"Opaque","metadata":{"name":"s","annotations":{"kept":"yes"}},"data":{"p":"<hidden: 7 bytes>"},"stringData":{"q":"<hidden: 7 bytes>"}}`},
		{"in the manifest of a Work", workGVK,
			`{"spec":{"suspendDispatching":true,"workload":{"manifests":[{"apiVersion":"v1","kind":"Secret","metadata":{` + lastApplied + `},"data":{"p":"aHVudGVyMg=="}},{"apiVersion":"v1","kind":"ConfigMap","data":{"p":"shown"}}]}}}`,
			`{"spec":{"suspendDispatching":true,"workload":{"manifests":[{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"kept":"yes"}},"data":{"p":"<hidden: 7 bytes>"}},{"apiVersion":"v1","kind":"ConfigMap","data":{"p":"shown"}}]}}}`},
		{"a value that is no text", secretGVK, `{"data":{"p":7,"q":null}}`, `{"data":{"p":"<hidden: 0 bytes>","q":"<hidden: 0 bytes>"}}`},
		{"a name that comes twice", secretGVK, `{"data":{"p":"aHVudGVyMg=="},"data":{"p":"aHVudGVy"}}`, `{"data":{"p":"<hidden: 6 bytes>"}}`},
		{"a Secret without data", secretGVK, `{"data":null}`, `{"data":null}`},
		{"other kinds stay", configMapGVK, `{"data":{"p":"shown"}}`, `{"data":{"p":"shown"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			once, err := Mask(c.gvk.GroupKind(), []byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			twice, err := Mask(c.gvk.GroupKind(), once)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range [][]byte{once, twice} {
				if diff := cmp.Diff(decoded(t, c.want), decoded(t, string(got))); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
			r, err := DecodeResource("asia", "", c.gvk, []byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			for _, value := range []string{"aHVudGVy", "hunter"} {
				if strings.Contains(string(r.Raw), value) {
					t.Errorf("the object still says %s", value)
				}
			}
		})
	}
}

func TestASecretThatCannotBeReadIsNotShown(t *testing.T) {
	for _, raw := range []string{`{"data":"hunter2"}`, `{"stringData":["hunter2"]}`, `{"metadata":7}`, `["hunter2"]`} {
		if out, err := Mask(secretGVK.GroupKind(), []byte(raw)); err == nil {
			t.Errorf("%s became %s", raw, out)
		}
	}
	for _, raw := range []string{`{"spec":7}`, `{"spec":{"workload":{"manifests":{"kind":"Secret"}}}}`, `{"spec":{"workload":{"manifests":["hunter2"]}}}`} {
		if out, err := Mask(workGVK.GroupKind(), []byte(raw)); err == nil {
			t.Errorf("%s became %s", raw, out)
		}
	}
}

func TestWhatOnlyMachinesUseIsDropped(t *testing.T) {
	got, err := Prune(widgetGVK.GroupKind(), []byte(`{"metadata":{"name":"w","managedFields":[{"manager":"x"}],`+lastApplied+`},"spec":{"n":12345678901234567890,"managedFields":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"metadata":{"annotations":{"kept":"yes"},"name":"w"},"spec":{"n":12345678901234567890,"managedFields":1}}`; string(got) != want {
		t.Errorf("got %s", got)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
