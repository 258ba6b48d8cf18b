package status

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// within is how soon a fault has to appear and to clear.
const within = 30 * time.Second

func TestAFaultAppearsAndClearsWithinHalfAMinute(t *testing.T) {
	for name, tt := range map[string]struct {
		process, condition string
		state              int
		reason, message    string
	}{
		"a stopped API server":         {apiServer, v1alpha1.ConditionAPIServerReachable, stopped, v1alpha1.ReasonUnreachable, "Karmada does not answer: dialing: connection refused"},
		"a hanging API server":         {apiServer, v1alpha1.ConditionAPIServerReachable, hanging, v1alpha1.ReasonUnreachable, "Karmada does not answer: no answer in time"},
		"a stopped aggregated API":     {aggregated, v1alpha1.ConditionAggregatedAPIAvailable, stopped, v1alpha1.ReasonNotAnswering, "the API of clusters is not served: answers 503 Service Unavailable"},
		"a hanging aggregated API":     {aggregated, v1alpha1.ConditionAggregatedAPIAvailable, hanging, v1alpha1.ReasonNotAnswering, "the API of clusters is not served: no answer in time"},
		"a stopped webhook":            {webhook, v1alpha1.ConditionWebhookReady, stopped, v1alpha1.ReasonNotAnswering, `failed calling webhook "propagationpolicy.karmada.io": refused`},
		"a hanging webhook":            {webhook, v1alpha1.ConditionWebhookReady, hanging, v1alpha1.ReasonNotAnswering, "the admission of a policy was not answered in time"},
		"a stopped scheduler":          {scheduler, v1alpha1.ConditionSchedulerReady, stopped, v1alpha1.ReasonLeaseExpired, "Lease karmada-system/karmada-scheduler is no longer renewed"},
		"a stopped controller manager": {controllerManager, v1alpha1.ConditionControllersReady, stopped, v1alpha1.ReasonLeaseExpired, "karmada-controller-manager: Lease karmada-system/karmada-controller-manager is no longer renewed"},
		"Kubernetes' own":              {kubeManager, v1alpha1.ConditionControllersReady, stopped, v1alpha1.ReasonLeaseExpired, "kube-controller-manager: Lease kube-system/kube-controller-manager is no longer renewed"},
		"a stopped member":             {"hangzhou", v1alpha1.ConditionMembersReachable, stopped, v1alpha1.ReasonNotAnswering, "hangzhou: answers 503 Service Unavailable"},
		"a hanging member":             {"hangzhou", v1alpha1.ConditionMembersReachable, hanging, v1alpha1.ReasonNotAnswering, "hangzhou: no answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			// Whenever it happens between two looks.
			for after := 20 * time.Second; after < 32*time.Second; after += 1300 * time.Millisecond {
				bubble(t, func(t *testing.T, start starter) {
					k := newStandIn("hangzhou", "singapore")
					p := start("asia", k)
					time.Sleep(after)
					if c := p.condition(tt.condition); c.Status != metav1.ConditionTrue {
						t.Fatalf("in the beginning: %+v", c)
					}
					k.set(tt.process, tt.state)
					if d := p.until(t, tt.condition, metav1.ConditionFalse); d >= within {
						t.Errorf("it appeared after %s", d)
					}
					c := p.condition(tt.condition)
					if diff := cmp.Diff([]string{tt.reason, tt.message}, []string{c.Reason, c.Message}); diff != "" {
						t.Errorf("said (-want +got):\n%s", diff)
					}
					time.Sleep(after + time.Minute)
					k.set(tt.process, running)
					if d := p.until(t, tt.condition, metav1.ConditionTrue); d >= within {
						t.Errorf("it cleared after %s", d)
					}
				})
			}
		})
	}
}

func TestFlappingMakesAtMostTwoPhaseChanges(t *testing.T) {
	for outage := time.Second; outage <= 11*time.Second; outage += time.Second {
		t.Run(fmt.Sprintf("five outages of %s in a minute", outage), func(t *testing.T) {
			bubble(t, func(t *testing.T, start starter) {
				k := newStandIn()
				p := start("asia", k)
				time.Sleep(25 * time.Second)
				phase, changes, before := p.status().Phase, 0, running
				began := time.Now()
				for time.Since(began) < 2*time.Minute {
					into := time.Since(began)
					state := running
					if into < time.Minute && into%(12*time.Second) < outage {
						state = stopped
					}
					if k.set(apiServer, state); state != before {
						// The watches notice, which is a reason to look at once.
						p.prober.soon()
						before = state
					}
					if now := p.status().Phase; now != phase {
						phase, changes = now, changes+1
					}
					time.Sleep(250 * time.Millisecond)
				}
				if changes > 2 || phase != v1alpha1.PhaseRunning {
					t.Errorf("%d changes of the phase, %s in the end", changes, phase)
				}
			})
		})
	}
}

func TestInstancesThatHangDoNotDelayAnother(t *testing.T) {
	bubble(t, func(t *testing.T, start starter) {
		names := make([]string, 20)
		for i := range names {
			names[i] = fmt.Sprint("member", i)
		}
		var others []*standIn
		for i := range 199 {
			k := newStandIn(names...)
			k.set(apiServer, hanging)
			if i%2 == 0 {
				// Its API server answers, and every member hangs.
				k.set(apiServer, running)
				for _, name := range names {
					k.set(name, hanging)
				}
			}
			others = append(others, k)
			start(fmt.Sprint("other", i), k)
		}
		k := newStandIn(names...)
		p := start("asia", k)
		time.Sleep(45 * time.Second)
		if c := p.condition(v1alpha1.ConditionMembersReachable); c.Status != metav1.ConditionTrue || c.Message != "all 20 members answer" {
			t.Errorf("its members: %+v", c)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		for i, look := range k.looks[1:] {
			if pause := look.Sub(k.looks[i]); pause > 11200*time.Millisecond {
				t.Errorf("it was not looked at for %s", pause)
			}
		}
		for _, other := range others {
			other.mu.Lock()
			if other.most > atMost+5 {
				t.Errorf("%d requests at the same time to one Karmada", other.most)
			}
			other.mu.Unlock()
		}
	})
}

func TestALookCostsAFixedNumberOfRequests(t *testing.T) {
	bubble(t, func(t *testing.T, start starter) {
		k := newStandIn("hangzhou", "singapore")
		start("asia", k)
		const minutes = 10
		time.Sleep(minutes * time.Minute)
		// One look every 9 to 11 s.
		const most = minutes*60/9 + 2
		all := k.take()
		for path, times := range all {
			limit := most
			switch path {
			case versionPath, metricsPath, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations":
				limit = minutes + 1
			}
			if times > limit || times < limit/2 {
				t.Errorf("%s was asked %d times in %d minutes; want at most %d", path, times, minutes, limit)
			}
		}
		if n := len(all); n != 11 {
			t.Errorf("%d paths were asked, want 11: %v", n, all)
		}
		k.set(apiServer, stopped)
		time.Sleep(time.Minute)
		// The rest is from the looks before it was noticed.
		if asked := k.take(); asked[readyPath] > 60/3+1 || len(asked) > 4 {
			t.Errorf("while the API server is down these were asked in a minute: %v", asked)
		}
		time.Sleep(time.Minute)
		if asked := k.take(); asked[readyPath] > 60/3+1 || len(asked) != 1 {
			t.Errorf("in another minute: %v", asked)
		}
	})
}

func TestNothingIsSaidOfComponentsWhileTheAPIServerIsDown(t *testing.T) {
	bubble(t, func(t *testing.T, start starter) {
		k := newStandIn("hangzhou")
		p := start("asia", k)
		time.Sleep(20 * time.Second)
		k.set(apiServer, stopped)
		p.until(t, v1alpha1.ConditionAPIServerReachable, metav1.ConditionFalse)
		unknown := func() {
			t.Helper()
			for _, kind := range []string{
				v1alpha1.ConditionAggregatedAPIAvailable, v1alpha1.ConditionSchedulerReady, v1alpha1.ConditionControllersReady,
				v1alpha1.ConditionWebhookReady, v1alpha1.ConditionMembersReachable,
			} {
				if c := p.condition(kind); c.Status != metav1.ConditionUnknown || c.Reason != v1alpha1.ReasonNoEvidence || c.Message != withoutAPIServer {
					t.Errorf("%+v", c)
				}
			}
		}
		unknown()
		// The managers could not renew their Leases meanwhile.
		for _, process := range []string{scheduler, controllerManager, kubeManager} {
			k.set(process, stopped)
		}
		time.Sleep(5 * time.Minute)
		unknown()
		for _, process := range []string{apiServer, scheduler, controllerManager, kubeManager} {
			k.set(process, running)
		}
		p.until(t, v1alpha1.ConditionAPIServerReachable, metav1.ConditionTrue)
		for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(100 * time.Millisecond) {
			for _, kind := range []string{v1alpha1.ConditionSchedulerReady, v1alpha1.ConditionControllersReady} {
				if c := p.condition(kind); c.Status == metav1.ConditionFalse {
					t.Fatalf("it had no time to renew: %+v", c)
				}
			}
		}
		p.until(t, v1alpha1.ConditionSchedulerReady, metav1.ConditionTrue)
	})
}

func TestANewLeaderNeitherFlipsNorForgets(t *testing.T) {
	for name, tt := range map[string]struct {
		process, condition string
		before             metav1.ConditionStatus
	}{
		"what was well":         {"", v1alpha1.ConditionReadPathSynced, ""},
		"a scheduler that died": {scheduler, v1alpha1.ConditionSchedulerReady, metav1.ConditionFalse},
		"an API server":         {apiServer, v1alpha1.ConditionAPIServerReachable, metav1.ConditionFalse},
		"a member":              {"hangzhou", v1alpha1.ConditionMembersReachable, metav1.ConditionFalse},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, start starter) {
				k := newStandIn("hangzhou", "singapore")
				if tt.process != "" {
					k.set(tt.process, stopped)
				}
				p := start("asia", k)
				time.Sleep(time.Minute)
				before := p.status()
				if tt.process != "" {
					if c := p.condition(tt.condition); c.Status != tt.before {
						t.Fatalf("before: %+v", c)
					}
				}
				// Another prober, which knows only the status.
				next := start("asia again", k, before)
				for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(200 * time.Millisecond) {
					if diff := cmp.Diff(before, next.status()); diff != "" {
						t.Fatalf("%s later it says otherwise (-before +after):\n%s", time.Since(began), diff)
					}
				}
			})
		})
	}
}

func TestAMemberIsNamedWhenKarmadaGoesOnSayingThatItIsNotReady(t *testing.T) {
	bubble(t, func(t *testing.T, start starter) {
		k := &complaining{standIn: newStandIn("hangzhou")}
		p := start("asia", k)
		time.Sleep(15 * time.Second)
		if c := p.condition(v1alpha1.ConditionMembersReachable); c.Status != metav1.ConditionTrue {
			t.Fatalf("in the beginning: %+v", c)
		}
		k.complain(true)
		time.Sleep(45 * time.Second)
		if c := p.condition(v1alpha1.ConditionMembersReachable); c.Status != metav1.ConditionTrue {
			t.Errorf("Karmada was believed at once: %+v", c)
		}
		if d := p.until(t, v1alpha1.ConditionMembersReachable, metav1.ConditionFalse); d > within+15*time.Second {
			t.Errorf("Karmada was not believed for another %s", d)
		}
		if c := p.condition(v1alpha1.ConditionMembersReachable); c.Message != "hangzhou: answers, but Karmada says ClusterNotReachable: it is gone" {
			t.Errorf("said: %s", c.Message)
		}
		k.complain(false)
		if d := p.until(t, v1alpha1.ConditionMembersReachable, metav1.ConditionTrue); d > 12*time.Second {
			t.Errorf("it cleared after %s", d)
		}
	})
}
