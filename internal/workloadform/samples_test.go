package workloadform

import (
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/model"
)

// The workloads that Karmada comes with, samples and its own components, are read, changed in one field and written back.
func TestWorkloadsOfKarmadaKeepAllElse(t *testing.T) {
	out, err := osexec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/karmada-io/karmada").Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	err = filepath.WalkDir(strings.TrimSpace(string(out)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, doc := range strings.Split(string(text), "\n---") {
			raw, err := yaml.YAMLToJSON([]byte(doc))
			var object map[string]any
			if err != nil || utiljson.Unmarshal(raw, &object) != nil {
				continue // a template of a chart
			}
			apiVersion, _ := object["apiVersion"].(string)
			name, _ := object["kind"].(string)
			kind, ok := model.WorkloadKindOf(schema.FromAPIVersionAndKind(apiVersion, name))
			if !ok {
				continue
			}
			count++
			changesOne(t, path, kind, object)
		}
		return nil
	})
	if err != nil || count < 5 {
		t.Errorf("%d workloads, %v", count, err)
	}
	t.Logf("%d workloads", count)
}

// changesOne changes the image of the first container.
func changesOne(t *testing.T, path string, kind model.WorkloadKind, before map[string]any) {
	t.Helper()
	after := again(t, before)
	form, hidden := Read(kind, before)
	if len(hidden) > 0 {
		t.Logf("%s: hidden %s", path, hidden)
	}
	if problems := Apply(kind, after, sent(form, kind)); len(problems) > 0 {
		t.Fatalf("%s: %v", path, problems)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("%s (-before +after):\n%s", path, diff)
	}
	form["containers"].([]any)[0].(map[string]any)["image"] = "registry.example/another:1"
	if problems := Apply(kind, after, sent(form, kind)); len(problems) > 0 {
		t.Fatalf("%s: %v", path, problems)
	}
	if got := different("", before, after); len(got) != 1 || !strings.HasSuffix(got[0], "/spec/containers/0/image") {
		t.Errorf("%s: %s differ", path, got)
	}
}
