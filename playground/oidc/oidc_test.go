package oidc

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePackagesArePinned(t *testing.T) {
	var lock struct {
		Packages map[string]struct{ Resolved, Integrity string }
	}
	text, err := files.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	if len(lock.Packages) < 10 {
		t.Errorf("the lock file has only %d packages", len(lock.Packages))
	}
	for name, p := range lock.Packages {
		if name != "" && !strings.HasPrefix(p.Integrity, "sha512-") {
			t.Errorf("the lock file has no checksum for %s", name)
		}
		// Whoever uses a registry of their own must get it from there.
		if p.Resolved != "" {
			t.Errorf("the lock file names where %s comes from: %s", name, p.Resolved)
		}
	}
}

// programs puts a node and an npm on PATH; npm runs the given shell commands in the folder to install in.
func programs(t *testing.T, npm string) {
	t.Helper()
	bin := t.TempDir()
	for name, script := range map[string]string{"node": "true", "npm": npm} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestTheProviderIsInstalledOnce(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	programs(t, "test -f package-lock.json && mkdir node_modules && echo run >>"+runs)
	cache := t.TempDir()
	var first Program
	for i := range 2 {
		var out bytes.Buffer
		p, err := Install(t.Context(), cache, &out)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = p
		}
		if p != first {
			t.Errorf("it is %v at first and %v then", first, p)
		}
		if told := out.Len() > 0; told != (i == 0) {
			t.Errorf("run %d tells %q", i, out.String())
		}
	}
	for _, name := range []string{"server.js", "users.json", "../node_modules", "../package.json"} {
		if _, err := os.Stat(filepath.Join(first.Dir, name)); err != nil {
			t.Error(err)
		}
	}
	if b, err := os.ReadFile(runs); err != nil || string(b) != "run\n" {
		t.Errorf("npm ran %q (%v), want once", b, err)
	}
}

func TestAFailedInstallationLeavesNothing(t *testing.T) {
	programs(t, "mkdir node_modules; echo 'network is down'; exit 1")
	cache := t.TempDir()
	if _, err := Install(t.Context(), cache, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "network is down") {
		t.Errorf("error is %v, want that the network is down", err)
	}
	left, err := os.ReadDir(filepath.Join(cache, "oidc"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestWithoutNodeThereIsAnErrorOfItsOwn(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Install(t.Context(), t.TempDir(), &bytes.Buffer{}); !errors.Is(err, ErrNoNode) {
		t.Errorf("error is %v, want ErrNoNode", err)
	}
}

func TestASecretIsMadeOnceAndForItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	first, err := Secret(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Secret(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Secret(path + "-2")
	if err != nil {
		t.Fatal(err)
	}
	if first != again || first == other || len(first) != 26 {
		t.Errorf("secrets are %q, %q and %q; want the first two equal, the third another, of 26 characters", first, again, other)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o, want 600", info.Mode().Perm())
	}
}
