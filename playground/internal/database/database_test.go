package database

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kairship-io/kairship/playground/internal/postgres"
)

func TestPlace(t *testing.T) {
	stranger := &postgres.User{Name: "stranger", UID: 4242, GID: 4242}
	self := &postgres.User{Name: "self", UID: uint32(os.Getuid()), GID: uint32(os.Getgid())}
	tests := map[string]struct {
		mode     os.FileMode
		user     *postgres.User
		fallback bool
	}{
		"whoever runs the fleet reaches its own folder": {mode: 0o700, user: nil},
		"an owner reaches a closed folder":              {mode: 0o700, user: self},
		"a stranger reaches an open folder":             {mode: 0o755, user: stranger},
		"a stranger does not reach a closed folder":     {mode: 0o700, user: stranger, fallback: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			//nolint:usetesting // Everybody may pass the folders above this one, unlike those above t.TempDir.
			root, err := os.MkdirTemp("/tmp", "place")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(root)
			if err := os.Chmod(root, tt.mode); err != nil {
				t.Fatal(err)
			}
			preferred, fallback := filepath.Join(root, "state", "data", "postgres"), "/var/tmp/elsewhere/postgres"
			want := preferred
			if tt.fallback {
				want = fallback
			}
			if got := Place(preferred, fallback, tt.user); got != want {
				t.Errorf("place is %s, want %s", got, want)
			}
		})
	}
}

func TestThePasswordIsMadeOnceAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "password")
	first, err := Password(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) < 32 {
		t.Errorf("%q is easily guessed", first)
	}
	again, err := Password(path)
	if err != nil || again != first {
		t.Errorf("asked again: %q, %v, want %q", again, err, first)
	}
	i, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if i.Mode().Perm() != 0o600 {
		t.Errorf("its file has mode %v", i.Mode().Perm())
	}
}

func TestADatabaseOfAnotherPasswordIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	c := Cluster{
		Server: postgres.Installation{BinDir: filepath.Join(dir, "none")}, // making it would fail
		Dir:    filepath.Join(dir, "data"), PasswordFile: filepath.Join(dir, "password"),
	}
	if _, err := Password(c.PasswordFile); err != nil {
		t.Fatal(err)
	}
	mark, err := c.mark()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		mark string
		made bool
	}{
		"one of this password is left alone":       {mark, false},
		"one of another password is made again":    {"other", true},
		"one that is only half made is made again": {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(c.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(c.Dir, ready), []byte(tt.mark), 0o600); err != nil {
				t.Fatal(err)
			}
			if made := c.Prepare(t.Context()) != nil; made != tt.made {
				t.Errorf("made again: %v, want %v", made, tt.made)
			}
		})
	}
}
