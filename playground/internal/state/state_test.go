package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSocketIsShortEnoughForTheSystem(t *testing.T) {
	short, err := At("/srv/.playground")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := short.Socket(), "/srv/.playground/run/control.sock"; got != want {
		t.Errorf("in a short folder it is %s, want %s", got, want)
	}
	long, err := At("/" + strings.Repeat("deep/", 30) + "a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := At("/" + strings.Repeat("deep/", 30) + "b")
	if err != nil {
		t.Fatal(err)
	}
	if got := long.Socket(); len(got) > maxSocketPath {
		t.Errorf("in a deep folder it is %s, which is %d bytes long", got, len(got))
	}
	if long.Socket() == other.Socket() {
		t.Error("two deep folders share a socket")
	}
}

func TestRecord(t *testing.T) {
	d := made(t)
	if _, err := d.Load(); !errors.Is(err, ErrNoRecord) {
		t.Errorf("before the first start: %v, want ErrNoRecord", err)
	}
	want := Record{PortBase: 22000, HTTPPort: 1, HTTPSPort: 2, Kairship: true, DatabaseDir: "/x"}
	if err := d.Save(want); err != nil {
		t.Fatal(err)
	}
	got, err := d.Load()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestABrokenRecordIsAnErrorAndNotAFreshStart(t *testing.T) {
	d := made(t)
	if err := WriteFile(filepath.Join(d.Root(), "fleet.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load(); err == nil || errors.Is(err, ErrNoRecord) {
		t.Errorf("error is %v", err)
	}
}

func TestALockIsHeldByOneAtATime(t *testing.T) {
	d := made(t)
	first, err := d.Lock("up")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Lock("up"); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is held: %v, want ErrLocked", err)
	}
	other, err := d.Lock("supervisor")
	if err != nil {
		t.Errorf("another lock: %v", err)
	} else {
		other.Release()
	}
	first.Release()
	again, err := d.Lock("up")
	if err != nil {
		t.Fatalf("once it is free: %v", err)
	}
	again.Release()
}

func made(t *testing.T) Dir {
	t.Helper()
	d, err := At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDatabasesUserCanReachItsFolder(t *testing.T) {
	i, err := os.Stat(filepath.Dir(made(t).Data("postgres")))
	if err != nil {
		t.Fatal(err)
	}
	if i.Mode().Perm()&0o001 == 0 {
		t.Errorf("the folder above it has mode %v: etcd or PostgreSQL's user is shut out", i.Mode().Perm())
	}
}
