package components

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeGo stands in for the go command: it answers as go does and writes files
// where go would.
type fakeGo struct {
	mu    sync.Mutex
	calls []string // one line per command, without flags
	args  map[string][]string

	version string
	proxy   string
	// moduleDir is what `go list -m` prints; download what `go mod download` does.
	moduleDir string
	download  string
	// building is called while `go build` runs.
	building func(ctx context.Context, stderr io.Writer) error
	listing  func(stderr io.Writer) error
}

func (f *fakeGo) run(ctx context.Context, dir string, stdout, stderr io.Writer, args ...string) error {
	name := filepath.Base(dir)
	verb := args[0]
	switch {
	case verb == "env":
	case verb == "mod" || args[1] == "-m":
		verb += " " + args[1]
	}
	f.mu.Lock()
	if verb != "env" {
		f.calls = append(f.calls, name+": "+verb)
		if f.args == nil {
			f.args = map[string][]string{}
		}
		f.args[name+": "+verb] = args
	}
	f.mu.Unlock()

	switch verb {
	case "env":
		_, err := fmt.Fprintf(stdout, `{"GOVERSION":%q,"GOOS":"linux","GOARCH":"amd64","GOPROXY":%q,"GOCACHE":"/go/build","GOMODCACHE":"/go/mod"}`, f.version, f.proxy)
		return err
	case "list -m":
		_, err := fmt.Fprintln(stdout, f.moduleDir)
		return err
	case "mod download":
		_, err := io.WriteString(stdout, f.download)
		return err
	case "mod edit":
		modfile := args[len(args)-1]
		text, err := os.ReadFile(modfile)
		if err != nil {
			return err
		}
		return os.WriteFile(modfile, append(text, []byte("// "+args[2]+"\n")...), 0o644)
	case "list":
		if f.listing != nil {
			if err := f.listing(stderr); err != nil {
				return err
			}
		}
		_, err := io.WriteString(stdout, "example.com/a\n\nexample.com/b\n")
		return err
	case "build":
		if f.building != nil {
			if err := f.building(ctx, stderr); err != nil {
				return err
			}
		}
		out := args[slices.Index(args, "-o")+1]
		for _, pkg := range args[1:] {
			if strings.HasPrefix(pkg, "-") || pkg == out {
				continue
			}
			if err := os.WriteFile(filepath.Join(out, built(pkg)), []byte(pkg), 0o755); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("unexpected go " + strings.Join(args, " "))
}

// taken returns the calls since the last time.
func (f *fakeGo) taken() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls := f.calls
	f.calls = nil
	return calls
}

func (f *fakeGo) argsOf(call string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.args[call], " ")
}

func newFake() *fakeGo { return &fakeGo{version: "go1.26.8", proxy: "https://proxy.example,direct"} }

// newTestBuilder is a builder over a fresh checkout and cache.
func newTestBuilder(t *testing.T, f *fakeGo, names ...string) (*builder, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for _, c := range catalog {
		write(t, filepath.Join(dir, c.name, "go.mod"), "module "+c.name+"\n")
		write(t, filepath.Join(dir, c.name, "go.sum"), "sum of "+c.name+"\n")
	}
	return rebuilder(f, Options{Dir: dir, CacheDir: filepath.Join(t.TempDir(), "cache"), Names: names})
}

// rebuilder is another run over the same folders.
func rebuilder(f *fakeGo, o Options) (*builder, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return &builder{
		Options: o,
		run:     f.run,
		out:     newReport(out),
		free:    func(string) (int64, string, error) { return 1 << 50, "disk", nil },
		prepare: func(src, dst string) error { return os.MkdirAll(dst, 0o755) },
	}, out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
