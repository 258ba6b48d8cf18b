package npm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake puts an npm on PATH that runs the given shell commands.
func fake(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestPackagesAreInstalledWithoutTheirScripts(t *testing.T) {
	fake(t, `echo "$@" >arguments`)
	dir := t.TempDir()
	if err := CI(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(got), "ci --prefix "+dir) || !strings.Contains(string(got), "--ignore-scripts") {
		t.Errorf("npm was called with %s", got)
	}
}

func TestAFailureSaysWhatToDo(t *testing.T) {
	tests := map[string]struct{ script, want string }{
		"a full disk":         {"echo 'npm error code ENOSPC'; exit 1", "is full"},
		"a lock that is off":  {"echo 'npm error lock file is out of sync'; exit 1", "lock file is out of sync"},
		"only the end counts": {"yes noise | head -c 5000; echo 'the reason'; exit 1", "… "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			fake(t, tt.script)
			err := CI(t.Context(), t.TempDir())
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 1000 {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestWithoutNpmThereIsAnErrorOfItsOwn(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := CI(t.Context(), t.TempDir()); !errors.Is(err, ErrMissing) {
		t.Errorf("error is %v, want ErrMissing", err)
	}
}

func TestAnInstallationEndsWithItsContext(t *testing.T) {
	fake(t, "sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := CI(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that it was cancelled", err)
	}
}
