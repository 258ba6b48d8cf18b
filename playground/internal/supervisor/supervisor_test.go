package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	testclock "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// bench is a supervisor over programs that only exist in the test.
type bench struct {
	t     *testing.T
	sup   *Supervisor
	clock *testclock.FakeClock

	mu       sync.Mutex
	programs map[string]*program
	started  []string // names, in order
	signals  []string // "name SIGNAL", in order
	probes   map[string]error
	startErr error
}

type program struct {
	bench  *bench
	name   string
	ended  chan error
	deaf   bool // ignores polite signals
	frozen bool
}

func (p *program) PID() int    { return os.Getpid() } // a number that lives
func (p *program) Wait() error { return <-p.ended }
func (p *program) Signal(sig syscall.Signal) error {
	b := p.bench
	b.mu.Lock()
	defer b.mu.Unlock()
	b.signals = append(b.signals, p.name+" "+sig.String())
	switch {
	case sig == syscall.SIGSTOP:
		p.frozen = true
	case sig == syscall.SIGCONT:
		p.frozen = false
	case sig == syscall.SIGKILL, !p.deaf:
		p.ended <- errors.New("signal: " + sig.String())
	}
	return nil
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, clock: testclock.NewFakeClock(time.Unix(1e9, 0)), programs: map[string]*program{}, probes: map[string]error{}}
	processes, err := NewProcessList(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start := func(s process.Spec) (Process, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.startErr != nil {
			return nil, b.startErr
		}
		p := &program{bench: b, name: s.Name, ended: make(chan error, 2)}
		p.deaf = slices.Contains(s.Args, "deaf")
		b.programs[s.Name] = p
		b.started = append(b.started, s.Name)
		return p, nil
	}
	probe := func(_ context.Context, s process.Spec) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.probes[s.Name]
	}
	b.sup = newSupervisor(b.clock, start, probe, processes, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		b.each(func(p *program) { p.deaf = false })
		if err := b.sup.Close(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) each(do func(*program)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.programs {
		do(p)
	}
}

func spec(name string, tier process.Tier, args ...string) process.Spec {
	return process.Spec{Name: name, Path: "/bin/" + name, Args: args, Log: "/dev/null", Tier: tier}
}

func probed(name string) process.Spec {
	s := spec(name, process.TierController)
	s.Ready = &process.Endpoint{URL: "http://127.0.0.1/healthz"}
	return s
}

func (b *bench) ensure(specs ...process.Spec) {
	b.t.Helper()
	for _, s := range specs {
		if err := b.sup.Ensure(b.t.Context(), s); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) end(name string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.programs[name].ended <- err
}

func (b *bench) probe(name string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probes[name] = err
}

func (b *bench) status(name string) Status {
	for _, s := range b.sup.Status() {
		if s.Spec.Name == name {
			return s
		}
	}
	return Status{}
}

// eventually waits for real goroutines, never for time of the injected clock.
func (b *bench) eventually(what string, is func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !is(); {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s: not within 5 s; status: %+v", what, b.sup.Status())
		}
		time.Sleep(time.Millisecond) // poll
	}
}

func (b *bench) becomes(name string, want State) {
	b.t.Helper()
	b.eventually(fmt.Sprintf("%s becomes %s", name, want), func() bool { return b.status(name).State == want })
}

// pass lets time of the injected clock pass, once somebody waits for it.
func (b *bench) pass(d time.Duration) {
	b.t.Helper()
	b.eventually("somebody waits for the clock", b.clock.HasWaiters)
	b.clock.Step(d)
}

func TestACrashedProcessIsStartedAgainAfterAPause(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("etcd", process.TierStore))
	b.becomes("etcd", Running)

	b.end("etcd", errors.New("exit status 2"))
	b.becomes("etcd", BackOff)
	got := b.status("etcd")
	if got.Restarts != 1 || got.PID != 0 || !strings.Contains(got.Message, "exit status 2") {
		t.Errorf("after the crash: %+v, want one restart, no pid and how it ended", got)
	}
	b.pass(firstPause)
	b.becomes("etcd", Running)
	if diff := cmp.Diff([]string{"etcd", "etcd"}, b.started); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
}

func TestAProgramThatCannotStartIsTriedAgain(t *testing.T) {
	b := newBench(t)
	b.startErr = errors.New("no such file")
	if err := b.sup.Ensure(t.Context(), spec("etcd", process.TierStore)); err == nil {
		t.Error("Ensure hides that the program could not be started")
	}
	b.becomes("etcd", BackOff)
	b.mu.Lock()
	b.startErr = nil
	b.mu.Unlock()
	b.pass(firstPause)
	b.becomes("etcd", Running)
}

func TestEnsureRestartsOnlyWhatRunsDifferently(t *testing.T) {
	b := newBench(t)
	first := spec("kwok", process.TierController, "--a=1")
	b.ensure(first)

	same := first
	same.Ports, same.Ready = []int{1}, nil
	b.ensure(same)
	if diff := cmp.Diff([]string{"kwok"}, b.started); diff != "" {
		t.Fatalf("starts after ensuring the same (-want +got):\n%s", diff)
	}
	other := spec("kwok", process.TierController, "--a=2")
	b.ensure(other)
	b.eventually("it runs the other way", func() bool {
		s := b.status("kwok")
		return s.State == Running && s.Hash == other.Hash()
	})
	if got := b.status("kwok").Restarts; got != 0 {
		t.Errorf("a restart on demand counts as %d crashes", got)
	}
}

func TestAProcessIsReadyWhenItsProbeSaysSo(t *testing.T) {
	b := newBench(t)
	b.probe("api", errors.New("connection refused"))
	b.ensure(probed("api"))
	b.becomes("api", Starting)
	b.pass(probeWhileStarting)
	b.eventually("the probe's words are shown", func() bool { return b.status("api").Message == "connection refused" })
	b.probe("api", nil)
	b.pass(probeWhileStarting)
	b.becomes("api", Running)
}

func TestAProcessIsUnhealthyAfterSeveralFailedProbesOnly(t *testing.T) {
	b := newBench(t)
	b.ensure(probed("api"))
	b.pass(probeWhileStarting)
	b.becomes("api", Running)

	b.probe("api", errors.New("timeout"))
	for n := 1; n < failuresUntilIll; n++ {
		b.pass(probeWhileRunning)
		b.eventually("the probe is asked again", b.clock.HasWaiters)
		if got := b.status("api").State; got != Running {
			t.Fatalf("after %d failed probes it is %s", n, got)
		}
	}
	b.pass(probeWhileRunning)
	b.becomes("api", Unhealthy)
	b.probe("api", nil)
	b.pass(probeWhileIll)
	b.becomes("api", Running)
}

func TestAProcessThatDoesNotStopIsKilled(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer, "deaf"))
	done := make(chan error, 1)
	go func() { done <- b.sup.Stop(t.Context(), []string{"api"}) }()
	b.becomes("api", Stopping)
	b.pass(defaultGrace)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := b.status("api").State; got != Stopped {
		t.Errorf("after Stop it is %s", got)
	}
	if diff := cmp.Diff([]string{"api terminated", "api killed"}, b.signals); diff != "" {
		t.Errorf("signals (-want +got):\n%s", diff)
	}
}

func TestStoppingEndsTheUpperTiersFirstAndStartingTheLower(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer), spec("postgres", process.TierDatabase), spec("kwok", process.TierController), spec("etcd", process.TierStore))
	all := []string{"postgres", "etcd", "api", "kwok"}
	if err := b.sup.Stop(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kwok terminated", "api terminated", "etcd terminated", "postgres terminated"}, b.signals); diff != "" {
		t.Errorf("order of stopping (-want +got):\n%s", diff)
	}
	b.started = nil
	if err := b.sup.Start(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"postgres", "etcd", "api", "kwok"}, b.started); diff != "" {
		t.Errorf("order of starting (-want +got):\n%s", diff)
	}
}

func TestAStoppedProcessStaysStopped(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer))
	b.end("api", errors.New("crash"))
	b.becomes("api", BackOff)
	if err := b.sup.Stop(t.Context(), []string{"api"}); err != nil {
		t.Fatal(err)
	}
	b.clock.Step(time.Hour)
	if got := b.status("api").State; got != Stopped {
		t.Errorf("an hour after Stop it is %s", got)
	}
	if len(b.started) != 1 {
		t.Errorf("it was started %d times", len(b.started))
	}
}

func TestAPausedProcessIsThawedBeforeItIsStopped(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer))
	if err := b.sup.Pause(t.Context(), []string{"api"}); err != nil {
		t.Fatal(err)
	}
	b.becomes("api", Paused)
	if err := b.sup.Stop(t.Context(), []string{"api"}); err != nil {
		t.Fatal(err)
	}
	want := []string{"api " + syscall.SIGSTOP.String(), "api terminated", "api " + syscall.SIGCONT.String()}
	if diff := cmp.Diff(want, b.signals); diff != "" {
		t.Errorf("signals (-want +got):\n%s", diff)
	}
}

func TestResumingWhatIsNotPausedIsAnError(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer))
	err := b.sup.Resume(t.Context(), []string{"api"})
	if err == nil || !strings.Contains(err.Error(), "not paused") {
		t.Errorf("error is %v, want one that says it is not paused", err)
	}
}

func TestAnUnknownNameIsAnErrorThatListsTheKnown(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer), spec("etcd", process.TierStore))
	err := b.sup.Stop(t.Context(), []string{"apii"})
	if err == nil || !strings.Contains(err.Error(), `"apii"`) || !strings.Contains(err.Error(), "api, etcd") {
		t.Errorf("error is %v, want the unknown name and the known ones", err)
	}
}

func TestAForgottenProcessIsGone(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer))
	if err := b.sup.Forget(t.Context(), "api"); err != nil {
		t.Fatal(err)
	}
	if got := b.sup.Status(); len(got) != 0 {
		t.Errorf("still there: %+v", got)
	}
}

func TestNothingStartsWhileTheFleetGoesDown(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("api", process.TierAPIServer))
	if err := b.sup.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.sup.Ensure(t.Context(), spec("etcd", process.TierStore)); err == nil {
		t.Error("a process could be started after Close")
	}
}

func TestAProcessThatDoesNotDoItsWorkIsEndedAndStartedAgainAfterAPause(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("a", process.TierController))
	if err := b.sup.Retry(t.Context(), "a", "liveness probe failed"); err != nil {
		t.Fatal(err)
	}
	b.becomes("a", BackOff)
	st, ok := b.sup.Of("a")
	if !ok || st.Restarts != 1 || !strings.Contains(st.Message, "liveness probe failed") || st.Exit == nil || !st.Began.IsZero() {
		t.Errorf("it says %+v", st)
	}
	b.pass(firstPause)
	b.becomes("a", Running)
}

func TestWhatIsPausedOrStoppedIsNotStartedAgain(t *testing.T) {
	for _, do := range []func(*Supervisor, context.Context, []string) error{(*Supervisor).Stop, (*Supervisor).Pause} {
		b := newBench(t)
		b.ensure(spec("a", process.TierController))
		if err := do(b.sup, t.Context(), []string{"a"}); err != nil {
			t.Fatal(err)
		}
		before, _ := b.sup.Of("a")
		if err := b.sup.Retry(t.Context(), "a", "liveness probe failed"); err != nil {
			t.Fatal(err)
		}
		if after, _ := b.sup.Of("a"); after.State != before.State || after.Restarts != 0 {
			t.Errorf("it was %s and is %s", before.State, after.State)
		}
	}
}

func TestAProcessThatIsRenamedRunsOn(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("a-2", process.TierController), spec("b", process.TierController))
	var told []string
	b.sup.Watch(func(s process.Spec) { told = append(told, s.Name) })
	if err := b.sup.Rename(t.Context(), "a-2", spec("b", process.TierController)); err == nil {
		t.Error("it took the name of another")
	}
	if err := b.sup.Rename(t.Context(), "a-2", spec("a", process.TierController)); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.sup.Of("a-2"); ok {
		t.Error("it still has the old name")
	}
	st, ok := b.sup.Of("a")
	if !ok || st.State != Running || st.Restarts != 0 || st.Hash != st.Spec.Hash() {
		t.Errorf("under the new name: %+v", st)
	}
	if diff := cmp.Diff([]string{"a"}, told); diff != "" {
		t.Errorf("who watches was told (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a-2", "b"}, b.started); diff != "" {
		t.Errorf("started (-want +got):\n%s", diff)
	}
	alive, err := b.sup.processes.orphans()
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, e := range alive {
		written = append(written, e.Name)
	}
	slices.Sort(written)
	if diff := cmp.Diff([]string{"a", "b"}, written); diff != "" {
		t.Errorf("the ledger names (-want +got):\n%s", diff)
	}
	if err := b.sup.Stop(t.Context(), []string{"a"}); err != nil {
		t.Errorf("stopping it by its new name: %v", err)
	}
}

func TestAProcessThatIsForgottenIsGone(t *testing.T) {
	b := newBench(t)
	b.ensure(spec("a", process.TierController))
	if err := b.sup.Forget(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.sup.Of("a"); ok || len(b.sup.Status()) > 0 {
		t.Error("it is still there")
	}
	b.ensure(spec("a", process.TierController))
	b.becomes("a", Running)
}

func TestHowOftenAProcessIsAskedIsItsOwnChoice(t *testing.T) {
	b := newBench(t)
	s := probed("a")
	s.Ready.Every, s.Ready.Failures = process.Duration(3*time.Second), 1
	b.ensure(s)
	b.pass(probeWhileStarting)
	b.becomes("a", Running)
	b.probe("a", errors.New("no answer"))
	b.pass(3 * time.Second)
	b.becomes("a", Unhealthy)
}
