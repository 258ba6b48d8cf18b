package operation

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func TestThoseThatEndedFirstGoFirst(t *testing.T) {
	at := func(name string, state v1alpha1.OperationState, second int64) v1alpha1.Operation {
		o := v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: v1alpha1.OperationStatus{State: state}}
		if state.Ended() {
			finished := metav1.Unix(second, 0)
			o.Status.FinishedAt = &finished
		}
		return o
	}
	all := []v1alpha1.Operation{
		at("d", v1alpha1.OperationFailed, 4), at("a", v1alpha1.OperationSucceeded, 1), at("runs", v1alpha1.OperationRunning, 0), at("c", v1alpha1.OperationCancelled, 2),
		at("b", v1alpha1.OperationSucceeded, 2),
	}
	for most, want := range map[int][]string{0: {"a", "b", "c", "d"}, 2: {"a", "b"}, 4: nil, 9: nil} {
		var names []string
		for _, o := range tooMany(all, most) {
			names = append(names, o.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("of at most %d, %q go; want %q", most, names, want)
		}
	}
}

func TestAStepThatLastsTooLongIsOverdue(t *testing.T) {
	now := time.Unix(1000, 0)
	began := metav1.NewTime(now.Add(-10 * time.Minute))
	s := &v1alpha1.OperationStatus{Steps: []v1alpha1.Step{{Name: "a", StartedAt: &began}, {Name: "b"}}}
	for _, tc := range []struct {
		name     string
		deadline time.Duration
		want     time.Duration
	}{{"a", time.Minute, time.Minute}, {"a", time.Hour, 0}, {"a", 0, DefaultDeadline}, {"b", time.Minute, 0}, {"c", time.Minute, 0}} {
		if got := overdue(s, tc.name, tc.deadline, now); got != tc.want {
			t.Errorf("%s within %s: %s, want %s", tc.name, tc.deadline, got, tc.want)
		}
	}
}

func TestStepsWithinAStepStandBehindItOnceAndHoldNoSecret(t *testing.T) {
	s := &v1alpha1.OperationStatus{Steps: []v1alpha1.Step{{Name: "Create"}, {Name: "Install"}, {Name: "Connect"}}}
	for range 2 {
		nest(s, "Install", []v1alpha1.Step{{Name: "Etcd", Message: "token: abcdefghijklmnopqrstuvwxyz0123456789ABCD"}, {Name: "APIServer"}})
	}
	var names []string
	for _, step := range s.Steps {
		names = append(names, step.Name)
	}
	if want := []string{"Create", "Install", "Install: Etcd", "Install: APIServer", "Connect"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if got := s.Steps[2].Message; got != "token: [redacted]" {
		t.Errorf("the message is %q", got)
	}
	nest(s, "Install", make([]v1alpha1.Step, 2*maxSteps))
	if len(s.Steps) > maxSteps {
		t.Errorf("there are %d steps", len(s.Steps))
	}
}
