package statistics_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// pause is the least time between two writes of an instance's numbers.
const pause = 2 * time.Second

func TestTheNumbersAreThoseOfTheControlPlane(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	suite.Attach(t, host, "asia", karmada.Kubeconfig("kairship"))
	reaches(t, "asia", numbers())

	karmada.Join("m1", http.StatusOK)
	report(t, first, "m1", reported(3, 2, "11500m", "1", "16417636Ki", "300Mi"))
	karmada.Join("m2", http.StatusOK)
	report(t, first, "m2", reported(1, 1, "500m", "250m", "1Gi", "0"))
	karmada.Join("silent", http.StatusOK)
	gone := statefulSet("gone", 1, 1)
	put(t, first,
		deployment("shrinking", 2, 2), deployment("b", 3, 2), deployment("c", 0, 0),
		gone, statefulSet("b", 2, 1),
		daemonSet("a", 4, 4), daemonSet("b", 4, 3),
		job("a", true), job("b", false),
		cronJob("a", false), cronJob("b", true),
		policy("PropagationPolicy", "a"), policy("PropagationPolicy", "b"),
		policy("ClusterPropagationPolicy", "a"), policy("OverridePolicy", "a"), policy("ClusterOverridePolicy", "a"),
	)
	want := numbers(members(3, 2, 4, 3, "12", "1250m", "17466212Ki", "300Mi"), func(s *v1alpha1.InstanceStatistics) {
		s.Workloads = map[string]v1alpha1.ReadyCount{
			"Deployment": {Total: 3, Ready: 2}, "StatefulSet": {Total: 2, Ready: 1}, "DaemonSet": {Total: 2, Ready: 1},
			"Job": {Total: 2, Ready: 1}, "CronJob": {Total: 2, Ready: 1},
		}
		s.Policies = map[string]int32{"PropagationPolicy": 2, "ClusterPropagationPolicy": 1, "OverridePolicy": 1, "ClusterOverridePolicy": 1}
	})
	reaches(t, "asia", want)

	// What changes, changes the numbers; what goes, goes.
	report(t, first, "m1", reported(4, 4, "15500m", "2", "20611940Ki", "1Gi"))
	report(t, first, "m2", func(status map[string]any) {
		status["conditions"] = []any{map[string]any{"type": "Ready", "status": "Unknown", "reason": "ClusterStatusUnknown", "message": "", "lastTransitionTime": "2026-01-02T03:04:05Z"}}
	})
	karmada.Leave("silent")
	if err := first.Client.Status().Update(t.Context(), deployment("shrinking", 2, 1)); err != nil {
		t.Fatal(err)
	}
	remove(t, first, gone)
	remove(t, first, policy("PropagationPolicy", "a"))
	members(2, 1, 5, 5, "16", "2250m", "21660516Ki", "1Gi")(want)
	want.Workloads["Deployment"] = v1alpha1.ReadyCount{Total: 3, Ready: 1}
	want.Workloads["StatefulSet"] = v1alpha1.ReadyCount{Total: 1}
	want.Policies["PropagationPolicy"] = 1
	reaches(t, "asia", want)
	if asOf := instanceOf(t, "asia").Status.Statistics.AsOf; time.Since(asOf.Time) > testenv.Timeout {
		t.Errorf("the numbers are said to be of %s", asOf)
	}
}

func TestWhatIsKnownStaysWhileAKarmadaIsAway(t *testing.T) {
	for name, mode := range map[string]testenv.Mode{"down": testenv.Down, "hanging": testenv.Hanging, "blinking": testenv.WithoutClusters} {
		t.Run(name, func(t *testing.T) {
			connections, stop := start(t, nil)
			karmada := testenv.NewKarmada(t, first)
			raw := karmada.Kubeconfig("kairship")
			karmada.Join("m1", http.StatusOK)
			report(t, first, "m1", reported(3, 3, "12", "1", "48Gi", "1Gi"))
			put(t, first, deployment("a", 1, 1))
			suite.Attach(t, host, name, raw)
			seen := follow(t, name)
			before := numbers(members(1, 1, 3, 3, "12", "1", "48Gi", "1Gi"), deployments(1, 1))
			reaches(t, name, before)

			karmada.Set(mode)
			away := func(s connection.State) bool { return s.Err != nil }
			known(t, connections, name, raw, away)

			// Neither does a controller that starts now, and has never heard of it, say anything else.
			stop()
			connections, _ = start(t, nil)
			known(t, connections, name, raw, away)
			report(t, first, "m1", reported(5, 5, "20", "1", "80Gi", "1Gi"))
			put(t, first, deployment("b", 1, 0))
			if diff := difference(before, instanceOf(t, name).Status.Statistics); diff != "" {
				t.Errorf("the numbers while it is away (-want +got):\n%s", diff)
			}

			karmada.Set(testenv.Answering)
			after := numbers(members(1, 1, 5, 5, "20", "1", "80Gi", "1Gi"), deployments(2, 1))
			if diff := cmp.Diff(2, len(seen.ends(t, after))); diff != "" {
				t.Errorf("how many numbers were told (-want +got):\n%s%+v", diff, seen.seen)
			}
		})
	}
}

func TestNothingIsToldBeforeAllOfItIsKnown(t *testing.T) {
	all := []string{
		"clusters", "deployments", "statefulsets", "daemonsets", "jobs", "cronjobs",
		"propagationpolicies", "clusterpropagationpolicies", "overridepolicies", "clusteroverridepolicies",
	}
	// One list is held back, or fails, until everything else is known.
	for _, tt := range []struct {
		held  string
		fails bool
	}{
		{"clusters", false}, {"clusters", true}, {"deployments", false}, {"deployments", true}, {"jobs", true}, {"overridepolicies", false},
	} {
		name := fmt.Sprintf("%s-%v", tt.held, tt.fails)
		t.Run(name, func(t *testing.T) {
			released := make(chan struct{})
			var mu sync.Mutex
			asked, watched := map[string]bool{}, map[string]bool{}
			start(t, func(next http.RoundTripper) http.RoundTripper {
				return roundTripper(func(r *http.Request) (*http.Response, error) {
					what, watching := resourceOf(r), r.URL.Query().Get("watch") != ""
					mu.Lock()
					asked[what] = true
					// A watch begins when the list has been taken in.
					watched[what] = watched[what] || watching
					mu.Unlock()
					if what != tt.held {
						return next.RoundTrip(r)
					}
					select {
					case <-released:
						return next.RoundTrip(r)
					default:
					}
					if tt.fails {
						return errorOf(r, http.StatusServiceUnavailable), nil
					}
					select {
					case <-released:
						return next.RoundTrip(r)
					case <-r.Context().Done():
						return nil, r.Context().Err()
					}
				})
			})
			karmada := testenv.NewKarmada(t, first)
			karmada.Join("m1", http.StatusOK)
			report(t, first, "m1", reported(3, 3, "12", "1", "48Gi", "1Gi"))
			put(t, first, deployment("a", 1, 1), job("a", true), policy("OverridePolicy", "a"))
			suite.Attach(t, host, name, karmada.Kubeconfig("kairship"))
			seen := follow(t, name)
			testenv.Eventually(t, func() string {
				mu.Lock()
				defer mu.Unlock()
				for _, what := range all {
					if !watched[what] && (what != tt.held || !asked[what]) {
						return what + " is not watched"
					}
				}
				return ""
			})
			close(released)
			got := seen.ends(t, numbers(members(1, 1, 3, 3, "12", "1", "48Gi", "1Gi"), deployments(1, 1), func(s *v1alpha1.InstanceStatistics) {
				s.Workloads["Job"] = v1alpha1.ReadyCount{Total: 1, Ready: 1}
				s.Policies["OverridePolicy"] = 1
			}))
			if len(got) != 1 {
				t.Errorf("it told a part before: %+v", got)
			}
		})
	}
}

func TestAKindThatAKarmadaDoesNotHaveIsLeftOut(t *testing.T) {
	start(t, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if resourceOf(r) == "overridepolicies" {
				return errorOf(r, http.StatusNotFound), nil
			}
			return next.RoundTrip(r)
		})
	})
	karmada := testenv.NewKarmada(t, first)
	suite.Attach(t, host, "without", karmada.Kubeconfig("kairship"))
	reaches(t, "without", numbers(func(s *v1alpha1.InstanceStatistics) { delete(s.Policies, "OverridePolicy") }))
}

func TestAKindThatCannotBeReadIsLeftOut(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	raw := karmada.PowerlessKubeconfig("reader")
	read := func(groups, resources []string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: groups, Resources: resources, Verbs: []string{"get", "list", "watch"}}
	}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "test:reader"}, Rules: []rbacv1.PolicyRule{
		read([]string{""}, []string{"namespaces"}),
		read([]string{"cluster.karmada.io"}, []string{"clusters"}),
		read([]string{"apps"}, []string{"deployments"}),
		read([]string{"policy.karmada.io"}, []string{"propagationpolicies"}),
	}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "test:reader"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "test:reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: metav1.NamespaceDefault, Name: "reader"}},
	}
	for _, o := range []client.Object{role, binding} {
		if err := first.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { remove(t, first, o) })
	}
	put(t, first, deployment("a", 1, 1), job("a", true), policy("PropagationPolicy", "a"), policy("ClusterPropagationPolicy", "a"))
	suite.Attach(t, host, "partial", raw)
	reaches(t, "partial", &v1alpha1.InstanceStatistics{
		Workloads: map[string]v1alpha1.ReadyCount{"Deployment": {Total: 1, Ready: 1}},
		Policies:  map[string]int32{"PropagationPolicy": 1},
	})

	role.Rules = append(role.Rules, read([]string{"batch"}, []string{"jobs"}))
	if err := first.Client.Update(t.Context(), role); err != nil {
		t.Fatal(err)
	}
	reaches(t, "partial", &v1alpha1.InstanceStatistics{
		Workloads: map[string]v1alpha1.ReadyCount{"Deployment": {Total: 1, Ready: 1}, "Job": {Total: 1, Ready: 1}},
		Policies:  map[string]int32{"PropagationPolicy": 1},
	})
}

func TestAMistakeInTheCredentialChangesNoNumber(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	raw := karmada.Kubeconfig("kairship")
	put(t, first, deployment("a", 1, 1))
	suite.Attach(t, host, "mistaken", raw)
	seen := follow(t, "mistaken")
	reaches(t, "mistaken", numbers(deployments(1, 1)))
	suite.WriteKubeconfig(t, host, "mistaken", []byte("hello"))
	put(t, first, deployment("b", 1, 1))
	suite.WriteKubeconfig(t, host, "mistaken", raw)
	if got := seen.ends(t, numbers(deployments(2, 2))); len(got) != 2 {
		t.Errorf("numbers: %+v", got)
	}
}

func TestInstancesDoNotMix(t *testing.T) {
	start(t, nil)
	asia, europe := testenv.NewKarmada(t, first), testenv.NewKarmada(t, second)
	suite.Attach(t, host, "asia", asia.Kubeconfig("kairship"))
	suite.Attach(t, host, "europe", europe.Kubeconfig("kairship"))
	seen := follow(t, "europe")
	put(t, first, deployment("a", 1, 1), deployment("b", 1, 0))
	reaches(t, "asia", numbers(deployments(2, 1)))
	put(t, second, deployment("c", 1, 1))
	reaches(t, "europe", numbers(deployments(1, 1)))

	// Another Karmada in the same place: no number is made of both.
	suite.WriteKubeconfig(t, host, "europe", asia.Kubeconfig("kairship"))
	got := seen.ends(t, numbers(deployments(2, 1)))
	for _, s := range got {
		if count := s.Workloads["Deployment"]; len(s.Workloads) != 5 || !slices.Contains([]v1alpha1.ReadyCount{{}, {Total: 1, Ready: 1}, {Total: 2, Ready: 1}}, count) {
			t.Errorf("numbers that were of no Karmada: %+v", s)
		}
	}
}

func TestNumbersThatAnotherLeaderLeftAreMended(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	put(t, first, deployment("a", 1, 1))
	suite.Attach(t, host, "mended", karmada.Kubeconfig("kairship"))
	want := numbers(deployments(1, 1))
	reaches(t, "mended", want)
	for name, wrong := range map[string]*v1alpha1.InstanceStatistics{"old": numbers(deployments(7, 7)), "none": nil} {
		t.Run(name, func(t *testing.T) {
			testenv.Eventually(t, func() string {
				i := instanceOf(t, "mended")
				i.Status.Statistics = wrong
				if wrong != nil {
					wrong.AsOf = metav1.Now()
				}
				return text(host.Client.Status().Update(t.Context(), i))
			})
			reaches(t, "mended", want)
		})
	}
}

func TestTheNumbersOfAnInstanceThatIsHeldBackFromItsDeletionStayTrue(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	suite.Attach(t, host, "leaving", karmada.Kubeconfig("kairship"))
	karmada.Join("m1", http.StatusOK)
	report(t, first, "m1", reported(3, 3, "12", "1", "48Gi", "1Gi"))
	reaches(t, "leaving", numbers(members(1, 1, 3, 3, "12", "1", "48Gi", "1Gi")))
	i := instanceOf(t, "leaving")
	i.Finalizers = []string{"example.com/held"}
	if err := host.Client.Update(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	karmada.Leave("m1")
	reaches(t, "leaving", numbers())
}

func TestABurstOfChangesIsAHandfulOfWrites(t *testing.T) {
	asked := &requests{}
	start(t, asked.wrap)
	karmada := testenv.NewKarmada(t, first)
	suite.Attach(t, host, "busy", karmada.Kubeconfig("kairship"))
	reaches(t, "busy", numbers())
	asked.take()

	began := time.Now()
	var ready int32
	for n := range int32(100) {
		d := deployment(fmt.Sprintf("burst-%d", n), 2, n%2*2)
		put(t, first, d) // two changes
		switch {
		case n%3 == 0:
			remove(t, first, d)
		case n%2 == 1:
			ready++
		}
	}
	reaches(t, "busy", numbers(deployments(66, ready)))
	writes := asked.take()
	// One at once, and one for each pause that began.
	if most := int(time.Since(began)/pause) + 2; len(writes) > most {
		t.Errorf("%d requests for 300 changes in %s; want %d at most:\n%s", len(writes), time.Since(began), most, strings.Join(writes, "\n"))
	}
	karmadaWrites(t, karmada)
}

func TestAChangeIsOneRequestAndAHeartbeatNone(t *testing.T) {
	asked := &requests{}
	start(t, asked.wrap)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("m1", http.StatusOK)
	report(t, first, "m1", reported(3, 3, "12", "1", "48Gi", "1Gi"))
	put(t, first, deployment("a", 2, 1))
	suite.Attach(t, host, "counted", karmada.Kubeconfig("kairship"))
	reaches(t, "counted", numbers(members(1, 1, 3, 3, "12", "1", "48Gi", "1Gi"), deployments(1, 0)))
	asked.take()
	looks := reconciled(t)

	// What a Karmada says of a member every ten seconds, and what people do that changes no number. The
	// last of each is a change, before which all the others have been seen.
	want := []string{"PATCH /apis/kairship.io/v1alpha1/instances/counted/status"}
	for n := range 50 {
		report(t, first, "m1", func(status map[string]any) {
			reported(3, 3, "12000m", "1", "50331648Ki", "1Gi")(status)
			status["kubernetesVersion"] = fmt.Sprintf("v1.36.%d", n)
		})
	}
	report(t, first, "m1", reported(4, 3, "12", "1", "48Gi", "1Gi"))
	reaches(t, "counted", numbers(members(1, 1, 4, 3, "12", "1", "48Gi", "1Gi"), deployments(1, 0)))
	if diff := cmp.Diff(want, asked.take()); diff != "" {
		t.Errorf("requests for a member's change (-want +got):\n%s", diff)
	}
	for n := range 50 {
		d := deployment("a", 2, 1)
		d.Labels = map[string]string{"n": fmt.Sprint(n)}
		if err := first.Client.Update(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Client.Status().Update(t.Context(), deployment("a", 2, 2)); err != nil {
		t.Fatal(err)
	}
	reaches(t, "counted", numbers(members(1, 1, 4, 3, "12", "1", "48Gi", "1Gi"), deployments(1, 1)))
	if diff := cmp.Diff(want, asked.take()); diff != "" {
		t.Errorf("requests for a workload's change (-want +got):\n%s", diff)
	}
	// For each change at most: one look too early, the look, one for what was written, that one put off.
	if looks = reconciled(t) - looks; looks > 8 {
		t.Errorf("%v reconciles for two changes and a hundred heartbeats", looks)
	}
	karmadaWrites(t, karmada)
}

// karmadaWrites says that nothing was written to a Karmada.
func karmadaWrites(t *testing.T, karmada *testenv.Karmada) {
	t.Helper()
	if n := karmada.Writes(); n > 0 {
		t.Errorf("it wrote to Karmada %d times", n)
	}
}

// reconciled is how often the controller was woken.
func reconciled(t *testing.T) float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, f := range families {
		if f.GetName() == "controller_runtime_reconcile_total" {
			for _, m := range f.GetMetric() {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestADeathAtAnyWriteLosesNoNumber(t *testing.T) {
	want := numbers(members(1, 1, 3, 3, "12", "1", "48Gi", "1Gi"), deployments(2, 1))
	var settled func() string
	testenv.Crashes{
		Setup: func(t *testing.T) {
			karmada := testenv.NewKarmada(t, first)
			karmada.Join("m1", http.StatusOK)
			report(t, first, "m1", reported(3, 3, "12", "1", "48Gi", "1Gi"))
			put(t, first, deployment("a", 1, 1), deployment("b", 1, 0))
			suite.Attach(t, host, "mortal", karmada.Kubeconfig("kairship"))
			settled = func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "mortal"}, &i); err != nil {
					return err.Error()
				}
				return difference(want, i.Status.Statistics)
			}
		},
		Start: func(t *testing.T, wrap transport.WrapperFunc) (stop func()) {
			_, stop = start(t, wrap)
			return stop
		},
		Settled: func() string { return settled() },
		State: func(t *testing.T) any {
			s := instanceOf(t, "mortal").Status.Statistics.DeepCopy()
			s.AsOf = metav1.Time{}
			return s
		},
	}.Run(t)
}

func TestNothingIsLeftOfInstancesThatWent(t *testing.T) {
	watches := &open{}
	start(t, watches.wrap)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("m1", http.StatusOK)
	put(t, first, deployment("a", 1, 1))
	raw := karmada.Kubeconfig("kairship")
	want := numbers(deployments(1, 1), func(s *v1alpha1.InstanceStatistics) { s.Clusters.Total = 1 })
	cycle := func(names ...string) {
		t.Helper()
		for _, name := range names {
			suite.Attach(t, host, name, raw)
		}
		for _, name := range names {
			reaches(t, name, want)
		}
		for _, name := range names {
			suite.Detach(t, host, name)
		}
		testenv.Eventually(t, func() string {
			measured := series(t)
			for _, name := range names {
				if left := measured[name]; len(left) > 0 {
					return fmt.Sprintf("of %s is left: %v", name, left)
				}
			}
			return ""
		})
	}
	cycle("warm")
	var goroutines, watched int
	settle := func() {
		runtime.GC()
		goroutines, watched = runtime.NumGoroutine(), watches.count()
	}
	testenv.Eventually(t, func() string {
		// The manager's own watches: of Instances and of Secrets.
		if settle(); watched != 2 {
			return fmt.Sprintf("%d watches before", watched)
		}
		return ""
	})
	before := goroutines
	for round := range 10 {
		var names []string
		for n := range 5 {
			names = append(names, fmt.Sprintf("cycle-%d-%d", round, n))
		}
		cycle(names...)
	}
	// The stand-in for a Karmada pools some connections. One goroutine left of each instance would be 50.
	testenv.Eventually(t, func() string {
		if settle(); watched != 2 || goroutines > before+30 {
			return fmt.Sprintf("%d watches and %d goroutines are left; there were 2 and %d", watched, goroutines, before)
		}
		return ""
	})
}

// series is what is measured of each instance, by name and kind.
func series(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]float64{}
	for _, f := range families {
		name, ours := strings.CutPrefix(f.GetName(), "kairship_statistics_")
		if !ours {
			continue
		}
		for _, m := range f.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			instance := labels["instance"]
			if out[instance] == nil {
				out[instance] = map[string]float64{}
			}
			out[instance][strings.TrimSpace(name+" "+labels["kind"])] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return out
}

// open counts the watches that are under way.
type open struct {
	mu sync.Mutex
	n  int
}

func (o *open) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		if err != nil || r.URL.Query().Get("watch") == "" {
			return response, err
		}
		o.add(1)
		response.Body = &counted{ReadCloser: response.Body, closed: sync.OnceFunc(func() { o.add(-1) })}
		return response, nil
	})
}

func (o *open) add(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n += n
}

func (o *open) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}

type counted struct {
	io.ReadCloser

	closed func()
}

func (c *counted) Close() error {
	c.closed()
	return c.ReadCloser.Close()
}

func TestTheNumbersAreMeasured(t *testing.T) {
	start(t, nil)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("m1", http.StatusOK)
	report(t, first, "m1", reported(3, 2, "12", "1500m", "1Ki", "0"))
	put(t, first, deployment("a", 1, 1), policy("PropagationPolicy", "a"))
	suite.Attach(t, host, "measured", karmada.Kubeconfig("kairship"))
	reaches(t, "measured", numbers(members(1, 1, 3, 2, "12", "1500m", "1Ki", "0"), deployments(1, 1), func(s *v1alpha1.InstanceStatistics) { s.Policies["PropagationPolicy"] = 1 }))
	// Some of it.
	want := map[string]float64{
		"clusters": 1, "cpu_allocated_cores": 1.5, "memory_allocatable_bytes": 1024, "nodes_ready": 2, "writes_total": 1,
		"policies ClusterOverridePolicy": 0, "policies ClusterPropagationPolicy": 0, "policies OverridePolicy": 0, "policies PropagationPolicy": 1,
		"workloads_ready CronJob": 0, "workloads_ready DaemonSet": 0, "workloads_ready Deployment": 1, "workloads_ready Job": 0, "workloads_ready StatefulSet": 0,
	}
	got := series(t)["measured"]
	maps.DeleteFunc(got, func(name string, _ float64) bool {
		_, ok := want[name]
		return !ok
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("measured (-want +got):\n%s", diff)
	}
}
