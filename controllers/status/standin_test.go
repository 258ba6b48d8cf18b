package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// The processes of a stand-in, besides its members.
const (
	apiServer         = "kube-apiserver"
	aggregated        = "aggregated-apiserver"
	webhook           = "webhook"
	scheduler         = "karmada-scheduler"
	controllerManager = "karmada-controller-manager"
	kubeManager       = "kube-controller-manager"
	leaseDuration     = 15 * time.Second
	renewalsApart     = 2 * time.Second
	// takeover is how long a candidate waits at most: the duration and one retry.
	takeover = 17400 * time.Millisecond
)

// How a process does.
const (
	running = iota
	stopped
	hanging
)

// standIn answers as a Karmada does whose processes can be stopped and paused. Its time is the test's.
type standIn struct {
	mu sync.Mutex
	// states of processes and members that do not run, by name.
	states map[string]int
	// leases by name: from when on they are renewed, and until when.
	leases   map[string]*renewals
	members  []string
	asked    map[string]int
	inFlight int
	most     int
	looks    []time.Time
}

// renewals are those of one Lease: every two seconds, between two times.
type renewals struct {
	from, until time.Time
	terms       int
	// predecessors is when the holder before renewed it last.
	predecessors time.Time
}

func newStandIn(members ...string) *standIn {
	s := &standIn{states: map[string]int{}, leases: map[string]*renewals{}, asked: map[string]int{}, members: members}
	for _, name := range []string{scheduler, controllerManager, kubeManager} {
		s.leases[name] = &renewals{from: time.Now().Add(-time.Minute)}
	}
	return s
}

// set stops, pauses or starts a process. Who held a Lease when it was stopped has to wait for it to
// expire when it is started again.
func (s *standIn) set(process string, state int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states[process] = state
	lease, now := s.leases[process], time.Now()
	switch {
	case lease == nil:
	case state == running:
		*lease = renewals{from: now.Add(takeover), terms: lease.terms + 1, predecessors: lease.until}
	default:
		lease.until = now
	}
}

func (s *standIn) lease(name string) *coordinationv1.Lease {
	lease, now := s.leases[name], time.Now()
	if !lease.until.IsZero() && lease.until.Before(now) {
		now = lease.until
	}
	term := lease.terms
	if now.Before(lease.from) {
		// The predecessor's still stands.
		term, now = term-1, lease.predecessors
	}
	l := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: name}}
	l.Spec.HolderIdentity = ptr.To(fmt.Sprint(name, term))
	l.Spec.LeaseDurationSeconds = ptr.To(int32(leaseDuration / time.Second))
	l.Spec.RenewTime = ptr.To(metav1.NewMicroTime(now.Truncate(renewalsApart)))
	return l
}

// enter notes a request and says how the processes that it needs do.
func (s *standIn) enter(ctx context.Context, path string, processes ...string) (leave func(), err error) {
	s.mu.Lock()
	s.asked[path]++
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	if path == readyPath {
		s.looks = append(s.looks, time.Now())
	}
	state := running
	for _, process := range processes {
		state = max(state, s.states[process])
	}
	down := s.states[apiServer] == stopped
	s.mu.Unlock()
	leave = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.inFlight--
	}
	// Nothing answers within no time.
	if err := wait(ctx, 10*time.Millisecond); err != nil {
		return leave, err
	}
	switch {
	case down:
		return leave, fmt.Errorf("dialing: %w", syscall.ECONNREFUSED)
	case state == hanging:
		<-ctx.Done()
		return leave, ctx.Err()
	case state == stopped:
		return leave, &connection.StatusError{Code: http.StatusServiceUnavailable, Status: "503 Service Unavailable"}
	}
	return leave, nil
}

// take returns how often each path was asked since the last call.
func (s *standIn) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = map[string]int{}
	return asked
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *standIn) Fetch(ctx context.Context, path string) ([]byte, error) {
	path, _, _ = strings.Cut(path, "?")
	needs := []string{apiServer}
	member, proxied := strings.CutPrefix(path, aggregatedPath+"/clusters/")
	if strings.HasPrefix(path, aggregatedPath) {
		needs = append(needs, aggregated)
	}
	if proxied {
		needs = append(needs, strings.TrimSuffix(member, "/proxy/readyz"))
	}
	leave, err := s.enter(ctx, path, needs...)
	defer leave()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const leases = "/apis/coordination.k8s.io/v1/namespaces/"
	switch path {
	case versionPath:
		return []byte(`{"gitVersion":"v1.35.0"}`), nil
	case leases + "karmada-system/leases":
		return json.Marshal(coordinationv1.LeaseList{Items: []coordinationv1.Lease{*s.lease(scheduler), *s.lease(controllerManager)}})
	case leases + "kube-system/leases/kube-controller-manager":
		return json.Marshal(s.lease(kubeManager))
	case metricsPath:
		return nil, &connection.StatusError{Code: http.StatusNotFound, Status: "404 Not Found"}
	case "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations":
		return []byte(`{"items":[{"webhooks":[{"name":"propagationpolicy.karmada.io","failurePolicy":"Fail",
			"rules":[{"operations":["CREATE"],"apiGroups":["policy.karmada.io"],"apiVersions":["*"],"resources":["propagationpolicies"]}]}]}]}`), nil
	}
	return []byte(`{}`), nil
}

func (s *standIn) TryPolicy(ctx context.Context) (map[string]string, error) {
	leave, err := s.enter(ctx, "policy", apiServer)
	defer leave()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	state := s.states[webhook]
	s.mu.Unlock()
	switch state {
	case stopped:
		return nil, errors.New(`Internal error occurred: failed calling webhook "propagationpolicy.karmada.io": refused`)
	case hanging:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, nil
}

func (s *standIn) Refused() error { return nil }

func (s *standIn) Members() ([]*clusterv1alpha1.Cluster, bool) {
	var out []*clusterv1alpha1.Cluster
	for _, name := range s.members {
		out = append(out, &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	return out, true
}

// probed runs the prober of a stand-in, in a bubble in which time passes at once.
type probed struct {
	instance *v1alpha1.Instance
	prober   *prober
}

// starter starts a prober, after another one that said what was before.
type starter = func(name string, k karmada, before ...v1alpha1.InstanceStatus) *probed

// bubble runs a test in which probers of stand-ins run.
func bubble(t *testing.T, test func(t *testing.T, start starter)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		all := newProbers(usual, clock.RealClock{}, func(string) {})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- all.Start(ctx) }()
		test(t, func(name string, k karmada, before ...v1alpha1.InstanceStatus) *probed {
			p := &probed{instance: &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1}}}
			for _, status := range before {
				p.instance.Status = status
			}
			p.prober = all.ensure(name, k, hint{}, func() seed { return seedOf(p.instance) })
			return p
		})
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// status is what is said now.
func (p *probed) status() v1alpha1.InstanceStatus {
	part := judge(observed{instance: p.instance, view: p.prober.view(), now: metav1.Now()})
	p.instance.Status = part
	return part
}

func (p *probed) condition(kind string) metav1.Condition {
	part := p.status()
	return *meta.FindStatusCondition(part.Conditions, kind)
}

// until is how long it takes until a condition has a status.
func (p *probed) until(t *testing.T, kind string, status metav1.ConditionStatus) time.Duration {
	t.Helper()
	start := time.Now()
	for time.Since(start) < 2*time.Minute {
		if c := p.condition(kind); c.Status == status {
			return time.Since(start)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s is not %s after two minutes: %+v", kind, status, p.condition(kind))
	return 0
}

// complaining is a stand-in that may say of its members that they are not ready.
type complaining struct {
	*standIn

	complains bool
}

func (c *complaining) complain(yes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complains = yes
}

func (c *complaining) Members() ([]*clusterv1alpha1.Cluster, bool) {
	members, known := c.standIn.Members()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range members {
		if c.complains {
			meta.SetStatusCondition(&m.Status.Conditions, metav1.Condition{
				Type: clusterv1alpha1.ClusterConditionReady, Status: metav1.ConditionFalse, Reason: "ClusterNotReachable", Message: "it is gone",
			})
		}
	}
	return members, known
}
