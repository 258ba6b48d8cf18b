package operator

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module is a folder laid out as Karmada's module.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bases/work/works.yaml":     "works",
		"bases/policy/pp.yaml":      "policies",
		"patches/webhook_in_x.yaml": "{{caBundle}}",
		"kustomization.yaml":        "not part of it",
	} {
		path := filepath.Join(dir, "charts", "karmada", "_crds", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheOperatorFindsWhatItWouldFetch(t *testing.T) {
	data := t.TempDir()
	if err := Cache(module(t), data, "v1.18.2"); err != nil {
		t.Fatal(err)
	}
	// The folder is named by the hash of the address.
	found, err := filepath.Glob(filepath.Join(data, "cache", "*"))
	if err != nil || len(found) != 1 || len(filepath.Base(found[0])) != 64 {
		t.Fatalf("the cache holds %v (%v)", found, err)
	}
	dir := found[0]
	if b, err := os.ReadFile(filepath.Join(dir, "crds", "bases", "work", "works.yaml")); err != nil || string(b) != "works" {
		t.Errorf("unpacked: %q (%v)", b, err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "crds.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"crds/", "crds/bases/", "crds/bases/policy/", "crds/bases/policy/pp.yaml=policies",
		"crds/bases/work/", "crds/bases/work/works.yaml=works", "crds/patches/", "crds/patches/webhook_in_x.yaml={{caBundle}}",
	}
	if diff := cmp.Diff(want, list(t, b)); diff != "" {
		t.Errorf("archive (-want +got):\n%s", diff)
	}
}

// list is what an archive holds, in its order.
func list(t *testing.T, b []byte) []string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		entry := h.Name
		if h.Typeflag == tar.TypeReg {
			entry += "=" + string(content)
		}
		out = append(out, entry)
	}
}

func TestAnotherVersionHasAnotherPlace(t *testing.T) {
	data, from := t.TempDir(), module(t)
	for _, v := range []string{"v1.18.2", "v1.18.3", "v1.18.2"} {
		if err := Cache(from, data, v); err != nil {
			t.Fatal(err)
		}
	}
	found, err := filepath.Glob(filepath.Join(data, "cache", "*", "crds.tar.gz"))
	if err != nil || len(found) != 2 {
		t.Errorf("archives: %v (%v)", found, err)
	}
}

func TestAModuleWithoutResourceTypesIsNamed(t *testing.T) {
	dir := t.TempDir()
	err := Cache(dir, t.TempDir(), "v1.18.2")
	if err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error is %v", err)
	}
}
