package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The tests of the files read_*_test.go follow each other and only read. They run in between these two, by the names
// of their files: this one waits until the fleet is at rest, TestControllersWriteNothingWhenNothingHappens looks at
// what the controllers wrote since.

// restedSince is when the fleet was seen at rest before it was only read.
var restedSince time.Time

func TestTheControllersComeToRest(t *testing.T) {
	comeToRest(t)
}

// comeToRest waits until what earlier tests left behind is worked off: everything is as it is counted, and no controller
// has written anything for a while.
func comeToRest(t *testing.T) {
	t.Helper()
	whole(t)
	for instance := range members {
		agree(t, instance, time.Minute)
	}
	const quiet = 10 * time.Second
	begin := time.Now()
	eventually(t, time.Minute, func() error {
		since := time.Now().Add(-quiet)
		if since.Before(begin) {
			return fmt.Errorf("it is too early to tell")
		}
		if wrote := controllerWrites(t, since); len(wrote) > 0 {
			return fmt.Errorf("the controllers still write: %v", perObject(wrote))
		}
		return nil
	})
	restedSince = time.Now()
}

// controllerWrites are the requests to change something that the controllers made of the host cluster and of every
// Karmada after a moment. What the audit logs leave out is elsewhere: a lease is renewed every two seconds, which is
// how one of several controller managers is the leader; events are looked at by controllerEvents.
func controllerWrites(t *testing.T, after time.Time) []auditEntry {
	t.Helper()
	var out []auditEntry
	for _, cluster := range append([]string{"host"}, instanceNames()...) {
		for _, e := range auditEntries(t, cluster, "kairship-controller-manager", after) {
			// A policy is created as a dry run to see whether Karmada's webhook answers: nothing is kept of it.
			probe := e.Verb == "create" && e.ObjectRef.Resource == "propagationpolicies" && e.isDryRun()
			if e.isWrite() && !probe {
				out = append(out, e)
			}
		}
	}
	return out
}

// controllerEvents are the events that the controllers wrote after a moment.
func controllerEvents(t *testing.T, after time.Time) []string {
	t.Helper()
	events, err := clientset(t, "host").EventsV1().Events(corev1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range events.Items {
		last := e.EventTime.Time
		if e.Series != nil {
			last = e.Series.LastObservedTime.Time
		}
		if strings.HasPrefix(e.ReportingController, "kairship-") && last.After(after) {
			out = append(out, fmt.Sprintf("%s of %s %s: %s", e.Reason, e.Regarding.Kind, e.Regarding.Name, e.Note))
		}
	}
	return out
}

// instanceNames are the instances of the demo fleet.
func instanceNames() []string {
	return slices.Sorted(maps.Keys(members))
}
