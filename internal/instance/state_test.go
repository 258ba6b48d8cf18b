package instance

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

func TestTheControllersAreBelievedUntilTheyAreWrongForLong(t *testing.T) {
	at := func(state model.InstanceState, why string, ago time.Duration) sight {
		return sight{state: state, why: why, since: now.Add(-ago)}
	}
	const long, brief = doubt, doubt - time.Second
	for _, c := range []struct {
		name             string
		controllers, own sight
		blind            bool
		want             model.InstanceState
		why              string
	}{
		{"both see it run", at("RUNNING", "", long), at("RUNNING", "", long), false, "RUNNING", ""},
		{"it has just stopped answering here", at("RUNNING", "", long), at("UNAVAILABLE", "refused", brief), false, "RUNNING", ""},
		{"it has not answered here for long", at("RUNNING", "", 2*long), at("UNAVAILABLE", "refused", long), false, "UNAVAILABLE", "refused"},
		{"it has not answered for long, but was said to run only just now", at("RUNNING", "", brief), at("UNAVAILABLE", "refused", long), false, "RUNNING", ""},
		{"its credential has been away for long", at("RUNNING", "", long), at("UNAVAILABLE", "no Secret", long), true, "UNAVAILABLE", "no Secret"},
		{"it has just answered here again", at("UNAVAILABLE", "down", long), at("RUNNING", "", brief), false, "UNAVAILABLE", "down"},
		{"it has answered here for long", at("UNAVAILABLE", "down", long), at("RUNNING", "", long), false, "RUNNING", ""},
		{"both see it down, each for reasons of its own", at("UNAVAILABLE", "down", long), at("UNAVAILABLE", "refused", long), false, "UNAVAILABLE", "down"},
		{"it was not asked here yet", at("UNAVAILABLE", "down", long), at("UNKNOWN", "not asked yet", long), false, "UNAVAILABLE", "down"},
		{"nothing was said, and it answers", at("", "", 0), at("RUNNING", "", 0), false, "RUNNING", ""},
		{"nothing was said, and it does not answer", at("", "", 0), at("UNAVAILABLE", "refused", 0), false, "UNAVAILABLE", "refused"},
		{"nothing was said, and there is no credential", at("", "", 0), at("UNAVAILABLE", "no Secret", 0), true, "UNAVAILABLE", "no Secret"},
		{"the controllers do not know, and it answers", at("UNKNOWN", "not asked", long), at("RUNNING", "", 0), false, "RUNNING", ""},
		{"the controllers do not know, and it does not answer", at("UNKNOWN", "not asked", long), at("UNAVAILABLE", "refused", 0), false, "UNAVAILABLE", "refused"},
		{"nobody can know without a credential", at("UNKNOWN", "no credential", long), at("UNAVAILABLE", "no Secret", long), true, "UNKNOWN", "no credential"},
		{"nobody can know, and only this server says why", at("UNKNOWN", "", long), at("UNAVAILABLE", "no Secret", long), true, "UNKNOWN", "no Secret"},
		{"it answers while it is installed", at("INSTALLING", "2 of 5", long), at("RUNNING", "", long), false, "INSTALLING", "2 of 5"},
		{"it does not answer while it is removed", at("DELETING", "going", long), at("UNAVAILABLE", "refused", long), false, "DELETING", "going"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if state, why := settle(c.controllers, c.own, c.blind, now); state != c.want || why != c.why {
				t.Errorf("%s %q, want %s %q", state, why, c.want, c.why)
			}
		})
	}
}

func TestWhatTheStatusOfAnInstanceSays(t *testing.T) {
	deleted := metav1.NewTime(now)
	managed, attached := v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged}, v1alpha1.InstanceSpec{
		Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}},
	}
	not := func(name, message string) []metav1.Condition {
		return []metav1.Condition{{Type: name, Status: metav1.ConditionFalse, Reason: "Why", Message: message}}
	}
	for _, c := range []struct {
		name    string
		spec    v1alpha1.InstanceSpec
		deleted *metav1.Time
		status  v1alpha1.InstanceStatus
		want    model.InstanceState
		why     string
	}{
		{"nothing yet of an attached one", attached, nil, v1alpha1.InstanceStatus{}, "", ""},
		{"nothing yet of a managed one", managed, nil, v1alpha1.InstanceStatus{}, "INSTALLING", "being installed"},
		{"a managed one that has a credential", managed, nil, v1alpha1.InstanceStatus{KubeconfigSecretRef: &v1alpha1.SecretReference{Name: "x"}}, "", ""},
		{"it is being installed", managed, nil, v1alpha1.InstanceStatus{Phase: "Installing"}, "INSTALLING", "being installed"},
		{"its installation has failed", managed, nil, v1alpha1.InstanceStatus{Phase: "Installing", Conditions: not("Installed", "no etcd")}, "INSTALLING", "no etcd"},
		{"it runs with a component that does not", attached, nil, v1alpha1.InstanceStatus{Phase: "Running", Conditions: not("Ready", "no scheduler")}, "RUNNING", ""},
		{"it does not answer", attached, nil, v1alpha1.InstanceStatus{Phase: "Unavailable", Conditions: not("APIServerReachable", "refused")}, "UNAVAILABLE", "refused"},
		{"it does not answer, and nobody says why", attached, nil, v1alpha1.InstanceStatus{Phase: "Unavailable"}, "UNAVAILABLE", "its API server does not answer"},
		{"it is not known", attached, nil, v1alpha1.InstanceStatus{Phase: "Unknown", Conditions: not("Ready", "no Secret")}, "UNKNOWN", "no Secret"},
		{"it is detached", attached, &deleted, v1alpha1.InstanceStatus{Phase: "Running"}, "DELETING", "being detached; its control plane stays as it is"},
		{"it is removed", managed, &deleted, v1alpha1.InstanceStatus{Phase: "Running"}, "DELETING", "being removed with everything in it"},
		{"its removal is held up", managed, &deleted, v1alpha1.InstanceStatus{Phase: "Deleting", Conditions: not("Deletable", "2 clusters are joined")}, "DELETING", "2 clusters are joined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: c.deleted}, Spec: c.spec, Status: c.status}
			if got, want := controllersSay(o, since), (sight{c.want, c.why, since}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}
