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
