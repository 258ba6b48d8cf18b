package propagation

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

// withText is a template whose text a policy overrides, and the Work that it was sent with, unchanged.
func withText(tb testing.TB, text string, times int) ([]byte, *model.Work) {
	tb.Helper()
	object := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": "shop", "name": "a"}, "data": map[string]any{"app.yaml": text}}
	template, err := json.Marshal(object)
	if err != nil {
		tb.Fatal(err)
	}
	overrider := `{"fieldPath":"/data/app.yaml","yaml":[{"subPath":"/log","operator":"add","value":1}]}`
	notes := `[{"policyName":"p","overriders":{"fieldOverrider":[` + overrider + strings.Repeat(","+overrider, times-1) + `]}}]`
	work, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"namespace": "karmada-es-tokyo", "name": "a-1", "annotations": map[string]any{"policy.karmada.io/applied-overrides": notes}},
		"spec":     map[string]any{"workload": map[string]any{"manifests": []any{object}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	w, err := DecodeWork("asia", work)
	if err != nil {
		tb.Fatal(err)
	}
	return template, w
}

func TestABombInATextThatIsOverriddenIsNotMadeLarge(t *testing.T) {
	const most = 32 << 20
	// A small one first: should it be read, this machine has the memory.
	template, w := withText(t, bombs.LongText(64<<10), 1)
	if applied, err := Explain(template, w, nil); err != nil || len(applied) != 1 || !strings.Contains(applied[0].Note, "is not looked into") {
		t.Fatalf("a small one is looked into: %v", err)
	}
	for _, bomb := range bombs.All() {
		t.Run(bomb.Name, func(t *testing.T) {
			template, w := withText(t, bomb.Text(1<<20), 1)
			var applied []model.AppliedOverride
			var err error
			took := bombs.Allocated(t, func() { applied, err = Explain(template, w, nil) })
			refused := len(applied) == 1 && (strings.Contains(applied[0].Note, "is not looked into") || bomb.Broken && strings.Contains(applied[0].Note, "is not YAML"))
			if err != nil || !refused {
				t.Fatalf("got %.500s, %v", fmt.Sprint(applied), err)
			}
			if took > most {
				t.Errorf("%d bytes were allocated for it", took)
			}
			t.Logf("%s; %d KiB allocated", applied[0].Note, took>>10)
		})
	}
}

// A policy may name one text very often, and each time it is read anew.
func TestATextIsNotReadWithoutEnd(t *testing.T) {
	text := "log: 0\nlist: [0" + strings.Repeat(",0", textLimits.Values/2) + "]\n"
	// Of which the most has been used.
	left := newTextBudget()
	left.left.Values, left.left.Bytes = left.left.Values/4, left.left.Bytes/4
	d := document{"data": map[string]any{"app.yaml": text}}
	read := 0
	for ; read < 1_000; read++ {
		_, err := d.overrideText(&policyv1alpha1.FieldOverrider{FieldPath: "/data/app.yaml", YAML: []policyv1alpha1.YAMLPatchOperation{{SubPath: "/log", Operator: "remove"}}}, left)
		if err != nil {
			if !strings.Contains(err.Error(), "is not looked into") {
				t.Fatal(err)
			}
			break
		}
		d["data"] = map[string]any{"app.yaml": text}
	}
	if read < 5 || read > 15 {
		t.Errorf("it was read %d times", read)
	}
}

func BenchmarkATextThatIsABomb(b *testing.B) {
	template, w := withText(b, bombs.LongText(1<<20), 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Explain(template, w, nil); err != nil {
			b.Fatal(err)
		}
	}
}
