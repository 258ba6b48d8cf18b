package status_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const yes, no, unknown = metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown

// briefly is what an Instance says, without times.
type briefly struct {
	Phase      v1alpha1.InstancePhase
	Conditions []string
	Components []string
}

func brief(i *v1alpha1.Instance) briefly {
	b := briefly{Phase: i.Status.Phase}
	for _, c := range i.Status.Conditions {
		b.Conditions = append(b.Conditions, fmt.Sprintf("%s %s %s: %s", c.Type, c.Status, c.Reason, c.Message))
	}
	for _, c := range i.Status.Components {
		b.Components = append(b.Components, fmt.Sprintf("%s %s", c.Name, c.State))
	}
	slices.Sort(b.Conditions)
	return b
}

// becomes waits until an Instance says something.
func becomes(t *testing.T, name string, want briefly) {
	t.Helper()
	testenv.Eventually(t, func() string { return cmp.Diff(want, brief(instanceOf(t, name))) })
}

func TestAnInstanceWhoseKarmadaWorksIsRunning(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	k.Join("hangzhou", http.StatusOK)
	k.Join("singapore", http.StatusOK)
	newWebhook(t, first)
	newLeaders(t, first)
	start(t, nil)
	suite.Attach(t, host, "asia", k.Kubeconfig("asia"))
	othersSay(t, "asia", yes, yes)
	becomes(t, "asia", briefly{
		Phase: v1alpha1.PhaseRunning,
		Conditions: []string{
			"APIServerReachable True Answering: the Karmada API server answers",
			"AccessApplied True Said: by another",
			"AggregatedAPIAvailable True Answering: the API of clusters is served",
			"ControllersReady True LeaseHeld: karmada-controller-manager: Lease karmada-system/karmada-controller-manager is renewed; " +
				"kube-controller-manager: Lease kube-system/kube-controller-manager is renewed",
			"MembersReachable True Answering: all 2 members answer",
			"MembersUnique True Unique: no other instance holds one of the members",
			"ReadPathSynced True Said: by another",
			"Ready True Ready: the instance can be read and written",
			"SchedulerReady True LeaseHeld: Lease karmada-system/karmada-scheduler is renewed",
			"WebhookReady True Answering: the admission webhook of policies answers",
		},
		Components: []string{
			"APIServer Ready", "AggregatedAPI Ready", "Scheduler Ready", "KarmadaControllerManager Ready", "KubeControllerManager Ready",
			"Webhook Ready", "ReadSync Ready",
		},
	})
	testenv.Eventually(t, func() string {
		if version := instanceOf(t, "asia").Status.KubernetesVersion; !strings.HasPrefix(version, "v1.") {
			return "Kubernetes' version: " + version
		}
		return ""
	})
	i := instanceOf(t, "asia")
	if i.Status.ObservedGeneration != i.Generation {
		t.Errorf("generation: want %d, got %d", i.Generation, i.Status.ObservedGeneration)
	}
	for _, c := range i.Status.Components {
		if c.Since.IsZero() {
			t.Errorf("nothing says since when %s is so", c.Name)
		}
	}
	var policies unstructured.UnstructuredList
	policies.SetAPIVersion("policy.karmada.io/v1alpha1")
	policies.SetKind("PropagationPolicyList")
	if err := first.Client.List(t.Context(), &policies); err != nil || len(policies.Items) > 0 {
		t.Errorf("policies that are left in Karmada: %v (%v)", policies.Items, err)
	}
}

func TestAFaultAppearsInItsConditionAndClears(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	k.Join("hangzhou", http.StatusOK)
	k.Join("singapore", http.StatusOK)
	w := newWebhook(t, first)
	l := newLeaders(t, first)
	start(t, nil)
	suite.Attach(t, host, "asia", k.Kubeconfig("asia"))
	othersSay(t, "asia", yes, yes)
	says(t, "asia", v1alpha1.ConditionReady, yes, v1alpha1.ReasonReady)
	says(t, "asia", v1alpha1.ConditionMembersReachable, yes, v1alpha1.ReasonAnswering)
	healthy := brief(instanceOf(t, "asia"))
	if healthy.Phase != v1alpha1.PhaseRunning {
		t.Fatalf("phase: %s", healthy.Phase)
	}
	for _, tt := range []struct {
		name          string
		fail, heal    func()
		phase         v1alpha1.InstancePhase
		kind          string
		reason        string
		message       string
		ready         metav1.ConditionStatus
		readyIsAbout  string
		unknownOthers bool
	}{
		{
			name: "an API server that is down",
			fail: func() { k.Set(testenv.Down) }, heal: func() { k.Set(testenv.Answering) },
			phase: v1alpha1.PhaseUnavailable, kind: v1alpha1.ConditionAPIServerReachable, reason: v1alpha1.ReasonUnreachable, message: "Karmada does not answer: ",
			ready: no, readyIsAbout: "APIServerReachable: Karmada does not answer: ", unknownOthers: true,
		},
		{
			name: "an API server that hangs",
			fail: func() { k.Set(testenv.Hanging) }, heal: func() { k.Set(testenv.Answering) },
			phase: v1alpha1.PhaseUnavailable, kind: v1alpha1.ConditionAPIServerReachable, reason: v1alpha1.ReasonUnreachable, message: "Karmada does not answer: no answer in time",
			ready: no, readyIsAbout: "APIServerReachable: Karmada does not answer: no answer in time", unknownOthers: true,
		},
		{
			name: "an aggregated API server that is down",
			fail: func() { k.Set(testenv.WithoutClusters) }, heal: func() { k.Set(testenv.Answering) },
			phase: v1alpha1.PhaseRunning, kind: v1alpha1.ConditionAggregatedAPIAvailable, reason: v1alpha1.ReasonNotAnswering, message: "the API of clusters is not served: ",
			ready: no, readyIsAbout: "AggregatedAPIAvailable: ",
		},
		{
			name: "a webhook that is down",
			fail: func() { w.set(true, false) }, heal: func() { w.set(false, false) },
			phase: v1alpha1.PhaseRunning, kind: v1alpha1.ConditionWebhookReady, reason: v1alpha1.ReasonNotAnswering, message: `failed calling webhook "propagationpolicy.karmada.io"`,
			ready: no, readyIsAbout: "WebhookReady: failed calling webhook",
		},
		{
			name: "a scheduler that is down",
			// Whoever stops in an orderly way gives its Lease back.
			fail:  func() { l.elect(schedulerLease, "") },
			heal:  func() { l.elect(schedulerLease, "b") },
			phase: v1alpha1.PhaseRunning, kind: v1alpha1.ConditionSchedulerReady, reason: v1alpha1.ReasonLeaseExpired, message: "nobody holds Lease karmada-system/karmada-scheduler",
			ready: no, readyIsAbout: "SchedulerReady: ",
		},
		{
			name:  "a controller manager that is down",
			fail:  func() { l.elect(kubeManagerLease, "") },
			heal:  func() { l.elect(kubeManagerLease, "b") },
			phase: v1alpha1.PhaseRunning, kind: v1alpha1.ConditionControllersReady, reason: v1alpha1.ReasonLeaseExpired, message: "kube-controller-manager: nobody holds Lease kube-system/kube-controller-manager",
			ready: no, readyIsAbout: "ControllersReady: kube-controller-manager: ",
		},
		{
			name:  "a member that is down",
			fail:  func() { k.Answer("singapore", http.StatusServiceUnavailable) },
			heal:  func() { k.Answer("singapore", http.StatusOK) },
			phase: v1alpha1.PhaseRunning, kind: v1alpha1.ConditionMembersReachable, reason: v1alpha1.ReasonNotAnswering, message: "singapore: answers 503 Service Unavailable",
			ready: yes, readyIsAbout: "the instance can be read and written",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.fail()
			if message := says(t, "asia", tt.kind, no, tt.reason); !strings.HasPrefix(message, tt.message) {
				t.Errorf("said: %s", message)
			}
			testenv.Eventually(t, func() string {
				i := instanceOf(t, "asia")
				ready := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionReady)
				if i.Status.Phase != tt.phase || ready.Status != tt.ready || !strings.HasPrefix(ready.Message, tt.readyIsAbout) {
					return fmt.Sprintf("%s, %+v", i.Status.Phase, ready)
				}
				return ""
			})
			if tt.unknownOthers {
				for _, kind := range []string{v1alpha1.ConditionSchedulerReady, v1alpha1.ConditionWebhookReady, v1alpha1.ConditionMembersReachable} {
					says(t, "asia", kind, unknown, v1alpha1.ReasonNoEvidence)
				}
			}
			tt.heal()
			becomes(t, "asia", healthy)
		})
	}

	var events eventsv1.EventList
	testenv.Eventually(t, func() string {
		if err := host.Client.List(t.Context(), &events); err != nil {
			return err.Error()
		}
		// The Instances of other tests had the same name.
		uid := instanceOf(t, "asia").UID
		events.Items = slices.DeleteFunc(events.Items, func(e eventsv1.Event) bool { return e.Regarding.UID != uid })
		var notes []string
		for _, e := range events.Items {
			notes = append(notes, e.Type+" "+e.Reason+" "+e.Note)
		}
		for _, want := range []string{
			"Normal PhaseChanged Unavailable, was Running", "Normal PhaseChanged Running, was Un",
			"Warning LeaseExpired SchedulerReady is False: nobody holds", "Warning NotAnswering MembersReachable is False: singapore: answers 503",
		} {
			if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
				return "there is no event " + want + " among\n" + strings.Join(notes, "\n")
			}
		}
		return ""
	})
}

func TestAKarmadaWithoutEvidenceIsReady(t *testing.T) {
	k := testenv.NewKarmada(t, second)
	start(t, nil)
	suite.Attach(t, host, "bare", k.Kubeconfig("bare"))
	othersSay(t, "bare", yes, yes)
	says(t, "bare", v1alpha1.ConditionReady, yes, v1alpha1.ReasonReady)
	for kind, want := range map[string]string{
		v1alpha1.ConditionSchedulerReady:   "there is no Lease karmada-system/karmada-scheduler that would tell",
		v1alpha1.ConditionControllersReady: "karmada-controller-manager: there is no Lease karmada-system/karmada-controller-manager that would tell; kube-controller-manager: there is no Lease kube-system/kube-controller-manager that would tell",
		v1alpha1.ConditionWebhookReady:     "Karmada has no admission webhook for policies",
	} {
		if got := says(t, "bare", kind, unknown, v1alpha1.ReasonNoEvidence); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
	if n := k.Writes(); n > 0 {
		t.Errorf("%d policies were tried where no webhook would see them", n)
	}

	// A webhook that denies has answered.
	newWebhook(t, second).set(false, true)
	says(t, "bare", v1alpha1.ConditionWebhookReady, yes, v1alpha1.ReasonAnswering)
}

func TestASchedulerThatDiedLongAgoIsSaidAtOnce(t *testing.T) {
	k := testenv.NewKarmada(t, second)
	renew(t, second, "karmada-system", "karmada-scheduler", "a", time.Hour)
	t.Cleanup(func() { forgo(t, second, "karmada-system", "karmada-scheduler") })
	start(t, nil)
	suite.Attach(t, host, "old", k.Kubeconfig("old"))
	if got := says(t, "old", v1alpha1.ConditionSchedulerReady, no, v1alpha1.ReasonLeaseExpired); got != "Lease karmada-system/karmada-scheduler is no longer renewed" {
		t.Errorf("said: %s", got)
	}
}

func TestACredentialIsMissingOrRefused(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	start(t, nil)
	suite.Attach(t, host, "poor", nil)
	says(t, "poor", v1alpha1.ConditionAPIServerReachable, unknown, v1alpha1.ReasonKubeconfigSecretNotFound)
	says(t, "poor", v1alpha1.ConditionReady, no, v1alpha1.ReasonKubeconfigSecretNotFound)
	phase := func(want v1alpha1.InstancePhase) {
		t.Helper()
		testenv.Eventually(t, func() string { return cmp.Diff(want, instanceOf(t, "poor").Status.Phase) })
	}
	phase(v1alpha1.PhaseUnknown)

	suite.WriteKubeconfig(t, host, "poor", withToken(t, k.Kubeconfig("rich"), "nobodys"))
	if got := says(t, "poor", v1alpha1.ConditionAPIServerReachable, no, v1alpha1.ReasonRefused); !strings.HasPrefix(got, "Karmada refuses the credential: ") {
		t.Errorf("said: %s", got)
	}
	phase(v1alpha1.PhaseUnavailable)

	suite.WriteKubeconfig(t, host, "poor", k.Kubeconfig("rich"))
	says(t, "poor", v1alpha1.ConditionAPIServerReachable, yes, v1alpha1.ReasonAnswering)
	phase(v1alpha1.PhaseRunning)

	suite.WriteKubeconfig(t, host, "poor", k.PowerlessKubeconfig("powerless"))
	says(t, "poor", v1alpha1.ConditionAPIServerReachable, no, v1alpha1.ReasonRefused)
	phase(v1alpha1.PhaseUnavailable)
}

func TestAnInstanceThatGoesIsDeleting(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	start(t, nil)
	suite.Attach(t, host, "going", k.Kubeconfig("going"))
	says(t, "going", v1alpha1.ConditionAPIServerReachable, yes, v1alpha1.ReasonAnswering)
	i := instanceOf(t, "going")
	if err := host.Client.Patch(t.Context(), i, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":["test/held"]}}`))); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	says(t, "going", v1alpha1.ConditionReady, no, v1alpha1.ReasonDeleting)
	// What becomes of its Karmada says nothing any more.
	k.Set(testenv.Down)
	testenv.Eventually(t, func() string { return cmp.Diff(v1alpha1.PhaseDeleting, instanceOf(t, "going").Status.Phase) })
	says(t, "going", v1alpha1.ConditionAPIServerReachable, yes, v1alpha1.ReasonAnswering)
}

func TestAMemberThatTwoInstancesHoldIsSaidInBoth(t *testing.T) {
	asia, europe := testenv.NewKarmada(t, first), testenv.NewKarmada(t, second)
	for _, name := range []string{"hangzhou", "singapore", "nameless"} {
		asia.Join(name, http.StatusOK)
	}
	for _, name := range []string{"hz", "frankfurt", "nameless"} {
		europe.Join(name, http.StatusOK)
	}
	identify(t, first, "hangzhou", "one")
	identify(t, first, "singapore", "two")
	identify(t, second, "hz", "one")
	identify(t, second, "frankfurt", "three")
	start(t, nil)
	suite.Attach(t, host, "asia", asia.Kubeconfig("asia"))
	suite.Attach(t, host, "europe", europe.Kubeconfig("europe"))

	both := func(asia, europe string) {
		t.Helper()
		for name, want := range map[string]string{"asia": asia, "europe": europe} {
			testenv.Eventually(t, func() string {
				c := meta.FindStatusCondition(instanceOf(t, name).Status.Conditions, v1alpha1.ConditionMembersUnique)
				if c == nil {
					return "it is not said yet"
				}
				got := string(c.Status) + " " + c.Reason + " " + c.Message
				return cmp.Diff(want, got)
			})
		}
	}
	const unique = "True Unique no other instance holds one of the members"
	both(`False HeldTwice hangzhou is also held by instance "europe" as hz`, `False HeldTwice hz is also held by instance "asia" as hangzhou`)

	europe.Leave("hz")
	both(unique, unique)

	identify(t, second, "frankfurt", "two")
	both(`False HeldTwice singapore is also held by instance "europe" as frankfurt`, `False HeldTwice frankfurt is also held by instance "asia" as singapore`)

	// A Karmada that is down still holds what it held.
	europe.Set(testenv.Down)
	says(t, "europe", v1alpha1.ConditionAPIServerReachable, no, v1alpha1.ReasonUnreachable)
	both(`False HeldTwice singapore is also held by instance "europe" as frankfurt`, `False HeldTwice frankfurt is also held by instance "asia" as singapore`)

	suite.Attach(t, host, "again", asia.Kubeconfig("asia"))
	if got := says(t, "again", v1alpha1.ConditionMembersUnique, no, v1alpha1.ReasonHeldTwice); got != `instance "asia" is the same Karmada; singapore is also held by instance "europe" as frankfurt` {
		t.Errorf("said: %s", got)
	}
	suite.Detach(t, host, "again")
	both(`False HeldTwice singapore is also held by instance "europe" as frankfurt`, `False HeldTwice frankfurt is also held by instance "asia" as singapore`)

	suite.Detach(t, host, "europe")
	says(t, "asia", v1alpha1.ConditionMembersUnique, yes, v1alpha1.ReasonUnique)
}

func TestNothingIsWrittenWhenNothingChanged(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	k.Join("hangzhou", http.StatusOK)
	k.Join("singapore", http.StatusBadGateway)
	newLeaders(t, first).elect(schedulerLease, "")
	w := &writes{}
	stop := start(t, w.wrap)
	suite.Attach(t, host, "asia", k.Kubeconfig("asia"))
	hook := newWebhook(t, first)
	says(t, "asia", v1alpha1.ConditionMembersReachable, no, v1alpha1.ReasonNotAnswering)
	says(t, "asia", v1alpha1.ConditionWebhookReady, yes, v1alpha1.ReasonAnswering)
	says(t, "asia", v1alpha1.ConditionSchedulerReady, no, v1alpha1.ReasonLeaseExpired)
	tenLooks := func() (wrote []string) {
		t.Helper()
		w.take()
		seen := hook.calls()
		testenv.Eventually(t, func() string {
			if n := hook.calls() - seen; n < 10 {
				return fmt.Sprintf("%d looks", n)
			}
			return ""
		})
		return w.take()
	}
	// What was found is written, and then nothing more.
	testenv.Eventually(t, func() string { return strings.Join(tenLooks(), "\n") })
	// Nor does another one, who begins to look.
	before := brief(instanceOf(t, "asia"))
	stop()
	start(t, w.wrap)
	if wrote := tenLooks(); len(wrote) > 0 {
		t.Errorf("another one wrote:\n%s", strings.Join(wrote, "\n"))
	}
	if diff := cmp.Diff(before, brief(instanceOf(t, "asia"))); diff != "" {
		t.Errorf("said by another (-before +after):\n%s", diff)
	}
}

func TestItMayDieAtAnyWrite(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			k := testenv.NewKarmada(t, first)
			k.Join("hangzhou", http.StatusOK)
			newLeaders(t, first)
			suite.Attach(t, host, "mortal", k.Kubeconfig("mortal"))
			othersSay(t, "mortal", yes, yes)
		},
		Start: start,
		Settled: func() string {
			var i v1alpha1.Instance
			if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "mortal"}, &i); err != nil {
				return err.Error()
			}
			for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionMembersReachable, v1alpha1.ConditionMembersUnique, v1alpha1.ConditionSchedulerReady} {
				if !meta.IsStatusConditionTrue(i.Status.Conditions, kind) {
					return kind + " is not True"
				}
			}
			return ""
		},
		State: func(t *testing.T) any { return brief(instanceOf(t, "mortal")) },
	}.Run(t)
}

func TestNothingIsLeftOfInstancesThatWent(t *testing.T) {
	k := testenv.NewKarmada(t, first)
	k.Join("hangzhou", http.StatusOK)
	start(t, nil)
	kubeconfig := k.Kubeconfig("visitor")
	visit := func() {
		suite.Attach(t, host, "visitor", kubeconfig)
		says(t, "visitor", v1alpha1.ConditionMembersReachable, yes, v1alpha1.ReasonAnswering)
		suite.Detach(t, host, "visitor")
	}
	visit()
	before := runtime.NumGoroutine()
	for range 10 {
		visit()
	}
	testenv.Eventually(t, func() string {
		if after := runtime.NumGoroutine(); after > before+5 {
			return fmt.Sprintf("%d goroutines, there were %d", after, before)
		}
		return ""
	})
}
