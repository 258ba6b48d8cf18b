package statistics

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
)

func TestLooksAreAtLeastAPauseApart(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	clock := testclock.NewFakePassiveClock(now)
	c := &Controller{Base: controllers.Base{Clock: clock}, looked: map[string]time.Time{}}
	for _, step := range []struct {
		instance string
		after    time.Duration
		want     time.Duration
	}{
		{"asia", 0, 0},
		{"asia", 0, pause},
		{"europe", 0, 0},
		{"asia", pause / 2, pause / 2},
		{"asia", pause - 1, 1},
		{"asia", pause, 0},
		{"asia", pause + 1, pause - 1},
		{"asia", time.Hour, 0},
		// The clock was set back.
		{"asia", time.Minute, 0},
		{"asia", time.Minute, pause},
	} {
		clock.SetTime(now.Add(step.after))
		if got := c.untilNextLook(step.instance); got != step.want {
			t.Errorf("%s after %s: wait %s, want %s", step.instance, step.after, got, step.want)
		}
	}
	c.forget("asia")
	c.forget("europe")
	if len(c.looked) > 0 {
		t.Errorf("held of instances that are no more: %v", c.looked)
	}
}

func TestWhatOthersWriteOfAnInstanceIsNoReasonToLook(t *testing.T) {
	base := func() *v1alpha1.Instance {
		return &v1alpha1.Instance{
			ObjectMeta: metav1.ObjectMeta{Name: "asia", Generation: 1},
			Spec:       v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged},
			Status:     v1alpha1.InstanceStatus{Statistics: &v1alpha1.InstanceStatistics{Policies: map[string]int32{"PropagationPolicy": 1}}},
		}
	}
	got := map[string]bool{}
	for name, edit := range map[string]func(*v1alpha1.Instance){
		"nothing":            func(*v1alpha1.Instance) {},
		"a condition":        func(i *v1alpha1.Instance) { i.Status.Conditions = []metav1.Condition{{Type: "Ready"}} },
		"the phase":          func(i *v1alpha1.Instance) { i.Status.Phase = v1alpha1.PhaseRunning },
		"a finalizer":        func(i *v1alpha1.Instance) { i.Finalizers = []string{"a"} },
		"the spec":           func(i *v1alpha1.Instance) { i.Generation++ },
		"the credential":     func(i *v1alpha1.Instance) { i.Status.KubeconfigSecretRef = &v1alpha1.SecretReference{Name: "a"} },
		"the numbers":        func(i *v1alpha1.Instance) { i.Status.Statistics.Policies["PropagationPolicy"] = 2 },
		"the numbers' going": func(i *v1alpha1.Instance) { i.Status.Statistics = nil },
	} {
		after := base()
		edit(after)
		got[name] = instanceChanged(event.UpdateEvent{ObjectOld: base(), ObjectNew: after})
	}
	want := map[string]bool{
		"nothing": false, "a condition": false, "the phase": false, "a finalizer": false,
		"the spec": true, "the credential": true, "the numbers": true, "the numbers' going": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
