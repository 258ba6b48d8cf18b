package kubelet

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	testclock "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

func httpProbe(path string, port any) *corev1.Probe {
	p := &corev1.Probe{}
	p.HTTPGet = &corev1.HTTPGetAction{Path: path, Scheme: corev1.URISchemeHTTPS}
	switch v := port.(type) {
	case int:
		p.HTTPGet.Port = intstr.FromInt32(int32(v))
	case string:
		p.HTTPGet.Port = intstr.FromString(v)
	}
	return p
}

func TestEndpoint(t *testing.T) {
	c := corev1.Container{Name: "c", Ports: []corev1.ContainerPort{{Name: "client", ContainerPort: 5443}}}
	patient := httpProbe("/livez", "client")
	patient.PeriodSeconds, patient.TimeoutSeconds, patient.FailureThreshold = 7, 15, 8
	tcp := &corev1.Probe{}
	tcp.TCPSocket = &corev1.TCPSocketAction{Port: intstr.FromInt32(2379)}
	tests := map[string]struct {
		probe *corev1.Probe
		want  *process.Endpoint
		error string
	}{
		"a page, with Kubernetes' own patience": {httpProbe("readyz", 8443), &process.Endpoint{URL: "https://127.1.1.1:8443/readyz",
			Every: process.Duration(10 * time.Second), Timeout: process.Duration(time.Second), Failures: 3}, ""},
		"a named port, with the pod's patience": {patient, &process.Endpoint{URL: "https://127.1.1.1:5443/livez",
			Every: process.Duration(7 * time.Second), Timeout: process.Duration(15 * time.Second), Failures: 8}, ""},
		"a port that must accept": {tcp, &process.Endpoint{Address: "127.1.1.1:2379",
			Every: process.Duration(10 * time.Second), Timeout: process.Duration(time.Second), Failures: 3}, ""},
		"a port that there is not": {httpProbe("/", "other"), nil, `no port "other"`},
		"a command":                {&corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{}}}, nil, "httpGet and tcpSocket only"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := endpoint(c, tt.probe, "127.1.1.1")
			if tt.error != "" {
				if err == nil || !strings.Contains(err.Error(), tt.error) {
					t.Errorf("error is %v, want one with %q", err, tt.error)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("endpoint (-want +got):\n%s (%v)", diff, err)
			}
		})
	}
}

func TestWhatIsAskedToKnowWhetherAContainerDoesItsWork(t *testing.T) {
	p := Program{Health: &Page{Scheme: "https", Port: 443, Path: "/own"}}
	ready, live := httpProbe("/readyz", 1), httpProbe("/livez", 1)
	for name, tt := range map[string]struct {
		container corev1.Container
		program   Program
		want      string
	}{
		"its readiness probe":     {corev1.Container{ReadinessProbe: ready, LivenessProbe: live}, p, "https://127.1.1.1:1/readyz"},
		"else its liveness probe": {corev1.Container{LivenessProbe: live}, p, "https://127.1.1.1:1/livez"},
		"else its own page":       {corev1.Container{}, p, "https://127.1.1.1:443/own"},
		"else nothing":            {corev1.Container{}, Program{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := readiness(tt.container, tt.program, "127.1.1.1")
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if e != nil {
				got = e.URL
			}
			if got != tt.want {
				t.Errorf("it asks %q, want %q", got, tt.want)
			}
		})
	}
}

// heart is a pulse over a container that only exists in the test.
type heart struct {
	clock *testclock.FakeClock

	mu     sync.Mutex
	state  supervisor.Status
	err    error
	asked  []string
	given  []string
	rounds chan struct{}
}

func (h *heart) set(do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	do()
}

// beat lets one round pass.
func (h *heart) beat(t *testing.T, d time.Duration) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for !h.clock.HasWaiters() {
		if time.Now().After(deadline) {
			t.Fatal("it does not wait for the clock")
		}
		time.Sleep(time.Millisecond)
	}
	h.clock.Step(d)
	<-h.rounds
	for !h.clock.HasWaiters() {
		if time.Now().After(deadline) {
			t.Fatal("it does not wait for the clock again")
		}
		time.Sleep(time.Millisecond)
	}
}

func startHeart(t *testing.T, startup, live *corev1.Probe) *heart {
	t.Helper()
	h := &heart{clock: testclock.NewFakeClock(time.Unix(1e9, 0)), rounds: make(chan struct{}, 1)}
	h.state = supervisor.Status{State: supervisor.Running, Began: h.clock.Now()}
	p := pulse{
		clock: h.clock, probes: [2]*corev1.Probe{startup, live},
		ask: func(_ context.Context, e process.Endpoint) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.asked = append(h.asked, e.URL)
			return h.err
		},
		status: func() (supervisor.Status, bool) {
			defer func() { h.rounds <- struct{}{} }()
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.state, true
		},
		give: func(reason string) { h.set(func() { h.given = append(h.given, reason) }) },
	}
	for i, probe := range p.probes {
		if probe != nil {
			e, err := endpoint(corev1.Container{}, probe, "h")
			if err != nil {
				t.Fatal(err)
			}
			p.targets[i] = e
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { p.run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	return h
}

func (h *heart) count() (asked, given int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.asked), len(h.given)
}

func TestAContainerThatDoesNotLiveIsGivenUpAfterItsThreshold(t *testing.T) {
	live := httpProbe("/livez", 1)
	live.InitialDelaySeconds = 15
	h := startHeart(t, nil, live)
	h.set(func() { h.err = errors.New("no answer") })
	h.beat(t, 10*time.Second) // it takes note of its life
	for range 3 {
		h.beat(t, 10*time.Second)
	}
	if asked, given := h.count(); asked != 3 || given != 1 {
		t.Errorf("asked %d times after the delay, given up %d times; want 3 and 1", asked, given)
	}
}

func TestAContainerThatIsPausedOrStoppedIsLeftAlone(t *testing.T) {
	for _, state := range []supervisor.Status{{State: supervisor.Paused, Began: time.Unix(1e9, 0)}, {State: supervisor.Stopped}} {
		h := startHeart(t, nil, httpProbe("/livez", 1))
		h.set(func() { h.err, h.state = errors.New("no answer"), state })
		for range 5 {
			h.beat(t, 10*time.Second)
		}
		if asked, given := h.count(); asked != 0 || given != 0 {
			t.Errorf("%s: asked %d times, given up %d times", state.State, asked, given)
		}
	}
}

func TestOneAnswerEndsARowOfFailures(t *testing.T) {
	h := startHeart(t, nil, httpProbe("/livez", 1))
	h.beat(t, 10*time.Second)
	for i := range 8 {
		h.set(func() { h.err = errors.New("no answer") })
		if i%3 == 2 {
			h.set(func() { h.err = nil })
		}
		h.beat(t, 10*time.Second)
	}
	if _, given := h.count(); given != 0 {
		t.Error("two failures in a row were too many, of three")
	}
}

func TestLivenessIsAskedForOnlyOnceAContainerHasStarted(t *testing.T) {
	h := startHeart(t, httpProbe("/startup", 1), httpProbe("/livez", 1))
	h.set(func() { h.err = errors.New("not yet") })
	h.beat(t, 10*time.Second)
	h.beat(t, 10*time.Second)
	h.set(func() { h.err = nil })
	h.beat(t, 10*time.Second)
	h.beat(t, 10*time.Second)
	h.mu.Lock()
	defer h.mu.Unlock()
	if diff := cmp.Diff([]string{"https://h:1/startup", "https://h:1/startup", "https://h:1/livez"}, h.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}
