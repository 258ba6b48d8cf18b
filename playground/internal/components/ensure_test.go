package components

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnsureBuildsEachComponentOnceAndThenNothing(t *testing.T) {
	f := newFake()
	f.moduleDir = "/go/mod/there"
	f.download = `{"Dir":"/go/mod/api"}`
	b, out := newTestBuilder(t, f)

	paths, err := b.ensure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, path := range paths {
		got = append(got, name)
		if !filepath.IsAbs(path) {
			t.Errorf("the path of %s is %s, want an absolute one", name, path)
		}
		if read(t, path) == "" {
			t.Errorf("%s is empty", path)
		}
	}
	want := slices.Sorted(slices.Values(Default()))
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(got))); diff != "" {
		t.Errorf("binaries (-want +got):\n%s", diff)
	}
	if text := read(t, paths["etcd"]); text != "go.etcd.io/etcd/server/v3" {
		t.Errorf("etcd was built from %s", text)
	}
	if text := read(t, paths["karmada-agent"]); text != "github.com/karmada-io/karmada/cmd/agent" {
		t.Errorf("karmada-agent was built from %s", text)
	}
	builds := slices.DeleteFunc(f.taken(), func(call string) bool { return !strings.HasSuffix(call, ": build") })
	wantBuilds := []string{"etcd: build", "kubernetes: build", "karmada: build", "clusterpedia: build", "kwok: build", "prometheus: build"}
	if diff := cmp.Diff(wantBuilds, builds); diff != "" {
		t.Errorf("builds (-want +got):\n%s", diff)
	}
	for _, line := range []string{"Building 15 programs of 6 components", "[2/6] kubernetes v1.35.3: built kube-apiserver, kube-controller-manager, kube-scheduler, kubectl in "} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("the progress lacks %q:\n%s", line, out)
		}
	}

	again, out := rebuilder(f, b.Options)
	warm, err := again.ensure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(paths, warm); diff != "" {
		t.Errorf("the second run's paths (-first +second):\n%s", diff)
	}
	if calls := f.taken(); len(calls) > 0 {
		t.Errorf("the second run called go: %v", calls)
	}
	if out.Len() > 0 {
		t.Errorf("the second run said %q, want nothing", out)
	}
}

func TestWhatIsBuiltAgain(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, f *fakeGo, b *builder, paths map[string]string)
		want   string // the packages built again, empty for none
	}{
		{
			name:   "nothing changed",
			change: func(*testing.T, *fakeGo, *builder, map[string]string) {},
		},
		{
			name: "a binary is gone",
			change: func(t *testing.T, _ *fakeGo, _ *builder, paths map[string]string) {
				if err := os.Remove(paths["kubectl"]); err != nil {
					t.Fatal(err)
				}
			},
			want: "k8s.io/kubernetes/cmd/kubectl",
		},
		{
			name: "go.sum changed",
			change: func(t *testing.T, _ *fakeGo, b *builder, _ map[string]string) {
				write(t, filepath.Join(b.Dir, "kubernetes", "go.sum"), "another sum\n")
			},
			want: "k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl",
		},
		{
			name:   "Go is another version",
			change: func(_ *testing.T, f *fakeGo, _ *builder, _ map[string]string) { f.version = "go1.26.9" },
			want:   "k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake()
			b, _ := newTestBuilder(t, f, "kube-apiserver", "kubectl")
			paths, err := b.ensure(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			f.args = nil
			tc.change(t, f, b, paths)
			again, _ := rebuilder(f, b.Options)
			if _, err := again.ensure(t.Context()); err != nil {
				t.Fatal(err)
			}
			args := f.argsOf("kubernetes: build")
			if tc.want == "" && args != "" {
				t.Errorf("go %s, want no build", args)
			}
			if !strings.HasSuffix(args, tc.want) {
				t.Errorf("go %s, want it to end in %s", args, tc.want)
			}
		})
	}
}

func TestAFailedBuildNamesTheComponentAndTheLog(t *testing.T) {
	tests := []struct {
		name string
		fail func(f *fakeGo)
		want []string
	}{
		{
			name: "a compile error",
			fail: func(f *fakeGo) {
				f.building = func(_ context.Context, stderr io.Writer) error {
					_, _ = io.WriteString(stderr, "example.com/a\n# example.com/b\nb.go:1: undefined: x\n")
					return errors.New("exit status 1")
				}
			},
			want: []string{"compile kwok v0.8.0: exit status 1", "logs/kwok.log", "b.go:1: undefined: x"},
		},
		{
			name: "a full disk",
			fail: func(f *fakeGo) {
				f.building = func(_ context.Context, stderr io.Writer) error {
					_, _ = io.WriteString(stderr, "write /tmp/x: no space left on device\n")
					return errors.New("exit status 1")
				}
			},
			want: []string{"compile kwok v0.8.0", "The disk is full", "GOCACHE"},
		},
		{
			name: "no network",
			fail: func(f *fakeGo) {
				f.listing = func(stderr io.Writer) error {
					_, _ = io.WriteString(stderr, "go: dial tcp: lookup proxy.example: no such host\n")
					return errors.New("exit status 1")
				}
			},
			want: []string{"fetch the modules of kwok v0.8.0", "module proxy cannot be reached", "GOPROXY"},
		},
		{
			name: "git is missing for a module that needs it",
			fail: func(f *fakeGo) {
				f.listing = func(stderr io.Writer) error {
					_, _ = io.WriteString(stderr, "go: example.com/x: git init: exec: \"git\": executable file not found in $PATH\n")
					return errors.New("exit status 1")
				}
			},
			want: []string{"git is not on PATH"},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake()
			tc.fail(f)
			b, _ := newTestBuilder(t, f, "kwok")
			_, err := b.ensure(t.Context())
			if err == nil {
				t.Fatal("it succeeded")
			}
			for _, text := range tc.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error lacks %q: %v", text, err)
				}
			}
			left, globErr := filepath.Glob(filepath.Join(b.CacheDir, "components", "kwok", "*", "bin", "*"))
			if globErr != nil || len(left) > 0 {
				t.Errorf("the cache has %v (%v), want no binary of a failed build", left, globErr)
			}

			f.building, f.listing = nil, nil
			again, _ := rebuilder(f, b.Options)
			if _, err := again.ensure(t.Context()); err != nil {
				t.Errorf("the next run fails too: %v", err)
			}
		})
	}
}

func TestAStoppedBuildIsTakenUpAgain(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	f := newFake()
	f.building = func(ctx context.Context, _ io.Writer) error {
		stop()
		<-ctx.Done()
		return ctx.Err()
	}
	b, _ := newTestBuilder(t, f, "kwok")
	_, err := b.ensure(ctx)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "compile kwok v0.8.0: stopped") {
		t.Fatalf("error is %v, want one that says it was stopped", err)
	}

	// A build that was killed leaves its folder.
	homes, err := filepath.Glob(filepath.Join(b.CacheDir, "components", "kwok", "v*"))
	if err != nil || len(homes) != 1 {
		t.Fatalf("the cache has %v (%v), want one folder of kwok", homes, err)
	}
	left := filepath.Join(homes[0], "building-killed")
	write(t, filepath.Join(left, "kwok"), "half a binary")

	f.building = nil
	again, _ := rebuilder(f, b.Options)
	paths, err := again.ensure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text := read(t, paths["kwok"]); text != "sigs.k8s.io/kwok/cmd/kwok" {
		t.Errorf("kwok is %q, want the whole one", text)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the killed build left is still there (%v)", err)
	}
}

func TestTwoRunsAtOnceBuildOnce(t *testing.T) {
	f := newFake()
	started, proceed := make(chan struct{}), make(chan struct{})
	f.building = func(context.Context, io.Writer) error {
		close(started) // a second build would panic here
		<-proceed
		return nil
	}
	first, _ := newTestBuilder(t, f, "kwok")
	second, _ := rebuilder(f, first.Options)
	waiting := make(chan string, 1)
	second.out = newReport(writerFunc(func(p []byte) (int, error) {
		waiting <- string(p)
		return len(p), nil
	}))

	results := make(chan error, 2)
	go func() { _, err := first.ensure(t.Context()); results <- err }()
	<-started
	go func() { _, err := second.ensure(t.Context()); results <- err }()
	if said := <-waiting; !strings.Contains(said, "Another build is running (process ") {
		t.Errorf("the second says %q, want whom it waits for", said)
	}
	close(proceed)
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestWaitingForAnotherBuildEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, stop := context.WithCancel(t.Context())
	if _, err := lock(ctx, path, func(string) { stop() }); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that the wait was cancelled", err)
	}
}

func TestEnsureRefusesWhatCannotWork(t *testing.T) {
	tests := []struct {
		name    string
		names   []string
		arrange func(t *testing.T, f *fakeGo, b *builder)
		want    []string
	}{
		{
			name:  "an unknown binary",
			names: []string{"etcd", "kubelet"},
			want:  []string{`no component binary "kubelet"`, "kube-apiserver", "karmada-operator"},
		},
		{
			name:  "git is missing where modules come by git",
			names: []string{"etcd"},
			arrange: func(t *testing.T, f *fakeGo, _ *builder) {
				t.Setenv("PATH", t.TempDir())
				f.proxy = "direct"
			},
			want: []string{"git is not on PATH", "GOPROXY=direct"},
		},
		{
			name:  "one disk is too full for all of it",
			names: []string{"etcd"},
			arrange: func(_ *testing.T, _ *fakeGo, b *builder) {
				b.free = func(string) (int64, string, error) { return 10 << 20, "disk", nil }
			},
			want: []string{"too little disk", "10 MB free", "/go/build for compiled packages (GOCACHE)", "(XDG_CACHE_HOME)", "/go/mod for modules (GOMODCACHE)"},
		},
		{
			name:  "only the disk of the Go build cache is too full",
			names: []string{"etcd"},
			arrange: func(_ *testing.T, _ *fakeGo, b *builder) {
				b.free = func(path string) (int64, string, error) {
					if path == "/go/build" {
						return 1 << 20, "small", nil
					}
					return 1 << 50, "large", nil
				}
			},
			want: []string{"1 MB free", "GOCACHE"},
		},
		{
			name:  "a component's modules are not in the checkout",
			names: []string{"etcd"},
			arrange: func(t *testing.T, _ *fakeGo, b *builder) {
				if err := os.Remove(filepath.Join(b.Dir, "etcd", "go.sum")); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"read the modules of etcd", "go.sum"},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake()
			b, _ := newTestBuilder(t, f, tc.names...)
			if tc.arrange != nil {
				tc.arrange(t, f, b)
			}
			_, err := b.ensure(t.Context())
			if err == nil {
				t.Fatal("it succeeded")
			}
			for _, text := range tc.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error lacks %q: %v", text, err)
				}
			}
			if slices.Contains(f.taken(), "etcd: build") {
				t.Error("it built all the same")
			}
		})
	}
}

func TestClusterpediaIsBuiltWithItsPreparedAPIModule(t *testing.T) {
	f := newFake()
	f.download = `{"Dir":"/go/mod/api"}`
	b, _ := newTestBuilder(t, f, "clusterpedia-apiserver")
	var src string
	b.prepare = func(from, to string) error {
		src = from
		return os.MkdirAll(to, 0o755)
	}
	if _, err := b.ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if src != "/go/mod/api" {
		t.Errorf("the API module was prepared from %q, want the downloaded one", src)
	}
	home := filepath.Dir(filepath.Dir(mustGlob(t, filepath.Join(b.CacheDir, "components", "clusterpedia", "*", "bin", "clusterpedia-apiserver"))))
	modfile := filepath.Join(home, "mod", "go.mod")
	if args := f.argsOf("clusterpedia: build"); !strings.Contains(args, "-modfile="+modfile) {
		t.Errorf("go %s, want it to use %s", args, modfile)
	}
	replaced := "module clusterpedia\n// -replace=github.com/clusterpedia-io/api=" + filepath.Join(home, "api") + "\n"
	if diff := cmp.Diff(replaced, read(t, modfile)); diff != "" {
		t.Errorf("the go.mod of the build (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("module clusterpedia\n", read(t, filepath.Join(b.Dir, "clusterpedia", "go.mod"))); diff != "" {
		t.Errorf("the committed go.mod changed (-want +got):\n%s", diff)
	}
}

func TestModuleDir(t *testing.T) {
	tests := []struct {
		name      string
		component string
		moduleDir string
		download  string
		want      string
		wantErr   string
	}{
		{name: "a module in the module cache is found", component: "karmada", moduleDir: "/go/mod/karmada", want: "/go/mod/karmada"},
		{name: "one that is not is fetched", component: "karmada", download: `{"Dir":"/go/mod/fetched"}`, want: "/go/mod/fetched"},
		{name: "one that cannot be fetched says why", component: "karmada", download: `{"Error":"404 Not Found"}`, wantErr: "fetch module github.com/karmada-io/karmada: 404 Not Found"},
		{name: "an unknown component names the known ones", component: "istio", wantErr: `no component "istio"; there are etcd, kubernetes, karmada, clusterpedia, kwok`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake()
			f.moduleDir, f.download = tc.moduleDir, tc.download
			b, _ := newTestBuilder(t, f)
			got, err := b.moduleDir(t.Context(), tc.component)
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Fatalf("error is %v, want one with %q", err, tc.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("folder is %s, want %s", got, tc.want)
			}
		})
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func mustGlob(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s matches %v (%v), want one file", pattern, found, err)
	}
	return found[0]
}
