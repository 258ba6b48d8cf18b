package status

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
)

var (
	answers  = well(v1alpha1.ReasonAnswering, "it answers")
	fails    = ill(v1alpha1.ReasonUnreachable, "refused")
	held     = well(v1alpha1.ReasonLeaseHeld, "renewed")
	expired  = ill(v1alpha1.ReasonLeaseExpired, "not renewed")
	untold   = noEvidence("no Lease")
	noSecret = health.Saying{Reason: v1alpha1.ReasonKubeconfigSecretNotFound, Message: "there is no Secret"}
)

func viewOf(components map[string]health.Saying) view {
	return view{findings: findings{looked: true, components: components}, membersLooked: true}
}

func TestThePhaseSumsUpWhatIsKnown(t *testing.T) {
	serverIs := func(s health.Saying) view { return viewOf(map[string]health.Saying{componentAPIServer: s}) }
	deleting := func(i *v1alpha1.Instance) { i.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }
	managed := func(i *v1alpha1.Instance) { i.Spec.Source = v1alpha1.InstanceManaged }
	installed := func(i *v1alpha1.Instance) {
		managed(i)
		i.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionInstalled, Status: metav1.ConditionTrue}}
	}
	for name, tt := range map[string]struct {
		edit       func(*v1alpha1.Instance)
		credential health.Saying
		view       view
		want       v1alpha1.InstancePhase
	}{
		"one that answers":                          {view: serverIs(answers), want: v1alpha1.PhaseRunning},
		"one that does not":                         {view: serverIs(fails), want: v1alpha1.PhaseUnavailable},
		"one that was not asked yet":                {want: v1alpha1.PhaseUnknown},
		"one without a credential":                  {credential: noSecret, want: v1alpha1.PhaseUnknown},
		"one that goes":                             {edit: deleting, view: serverIs(answers), want: v1alpha1.PhaseDeleting},
		"a managed one that has no kubeconfig yet":  {edit: managed, credential: noSecret, want: v1alpha1.PhaseInstalling},
		"a managed one that does not answer yet":    {edit: managed, view: serverIs(fails), want: v1alpha1.PhaseInstalling},
		"a managed one that answers before its end": {edit: managed, view: serverIs(answers), want: v1alpha1.PhaseRunning},
		"an installed one that does not answer":     {edit: installed, view: serverIs(fails), want: v1alpha1.PhaseUnavailable},
		"a managed one whose deletion is held back": {edit: func(i *v1alpha1.Instance) { managed(i); deleting(i) }, view: serverIs(fails), want: v1alpha1.PhaseDeleting},
	} {
		t.Run(name, func(t *testing.T) {
			instance := &v1alpha1.Instance{Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceAttached}}
			if tt.edit != nil {
				tt.edit(instance)
			}
			part := judge(observed{instance: instance, credential: tt.credential, view: tt.view, now: metav1.Now()})
			if part.Phase != tt.want {
				t.Errorf("phase: want %s, got %s", tt.want, part.Phase)
			}
			for _, c := range part.Conditions {
				if c.Reason == "" || c.Message == "" {
					t.Errorf("a condition without a reason or a message: %+v", c)
				}
			}
		})
	}
}

func TestBothControllerManagersHaveToWork(t *testing.T) {
	for name, tt := range map[string]struct {
		karmada, kubernetes health.Saying
		want                string
	}{
		"both do":                        {held, well(v1alpha1.ReasonLeaseHeld, "renewed too"), "True LeaseHeld karmada-controller-manager: renewed; kube-controller-manager: renewed too"},
		"one does not":                   {held, expired, "False LeaseExpired kube-controller-manager: not renewed"},
		"nor does the other":             {expired, ill(v1alpha1.ReasonLeaseExpired, "lost"), "False LeaseExpired karmada-controller-manager: not renewed; kube-controller-manager: lost"},
		"of one nothing is known":        {untold, held, "Unknown NoEvidence karmada-controller-manager: no Lease"},
		"of one nothing, and one is ill": {untold, expired, "False LeaseExpired kube-controller-manager: not renewed"},
		"nothing is known for a reason":  {noEvidence(withoutAPIServer), noEvidence(withoutAPIServer), "Unknown NoEvidence " + withoutAPIServer},
	} {
		t.Run(name, func(t *testing.T) {
			c := managers(map[string]health.Saying{componentControllerManager: tt.karmada, componentKubeControllerManager: tt.kubernetes})
			if diff := cmp.Diff(tt.want, string(c.Status)+" "+c.Reason+" "+c.Message); diff != "" {
				t.Errorf("condition (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMembersAreNamedInOrder(t *testing.T) {
	v := viewOf(map[string]health.Saying{componentAPIServer: answers, componentAggregatedAPI: answers})
	for name, tt := range map[string]struct {
		members []memberSaying
		want    string
	}{
		"none":             {nil, "True Answering there are no members"},
		"one":              {[]memberSaying{{"a", answers}}, "True Answering the one member answers"},
		"some that fail":   {[]memberSaying{{"a", fails}, {"b", answers}, {"c", fails}}, "False NotAnswering a: refused; c: refused"},
		"may not be asked": {[]memberSaying{{"a", untold}, {"b", answers}}, "Unknown NoEvidence a: no Lease"},
	} {
		t.Run(name, func(t *testing.T) {
			v := v
			v.members = tt.members
			part := judge(observed{instance: &v1alpha1.Instance{}, view: v, now: metav1.Now()})
			c := meta.FindStatusCondition(part.Conditions, v1alpha1.ConditionMembersReachable)
			if diff := cmp.Diff(tt.want, string(c.Status)+" "+c.Reason+" "+c.Message); diff != "" {
				t.Errorf("condition (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSinceIsWhenTheStateBecameWhatItIs(t *testing.T) {
	then, now := metav1.NewTime(time.Unix(1000, 0)), metav1.NewTime(time.Unix(2000, 0))
	instance := &v1alpha1.Instance{Status: v1alpha1.InstanceStatus{Components: []v1alpha1.ComponentStatus{
		{Name: componentAPIServer, State: v1alpha1.ComponentReady, Since: &then},
		{Name: componentScheduler, State: v1alpha1.ComponentReady, Since: &then},
		{Name: componentDescheduler, State: v1alpha1.ComponentReady, Since: &then},
	}}}
	part := judge(observed{instance: instance, now: now, view: viewOf(map[string]health.Saying{
		componentAPIServer: answers, componentScheduler: expired, componentMetricsAdapter: answers,
	})})
	got := map[string]int64{}
	for _, c := range part.Components {
		got[c.Name+" "+string(c.State)] = c.Since.Unix()
	}
	want := map[string]int64{
		"APIServer Ready": 1000, "Scheduler NotReady": 2000, "MetricsAdapter Ready": 2000, "AggregatedAPI Unknown": 2000,
		"KarmadaControllerManager Unknown": 2000, "KubeControllerManager Unknown": 2000, "Webhook Unknown": 2000,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
}
