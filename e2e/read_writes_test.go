package e2e

import (
	"testing"
	"time"
)

func TestControllersWriteNothingWhenNothingHappens(t *testing.T) {
	if restedSince.IsZero() { // this test alone
		comeToRest(t)
	}
	// The tests before this one only read, and took most of it.
	const enough = time.Minute
	timer := time.NewTimer(time.Until(restedSince.Add(enough)))
	defer timer.Stop()
	<-timer.C
	took := time.Since(restedSince).Round(time.Second)
	// Not the writes alone: without a request of theirs in the logs, the controllers would not have been seen at all.
	seen := 0
	for _, instance := range instanceNames() {
		seen += len(auditEntries(t, instance, "kairship-controller-manager", restedSince))
	}
	if seen == 0 {
		t.Errorf("in %s no API server wrote down a request of the controllers: their writes would not be seen either", took)
	}
	for object, n := range perObject(controllerWrites(t, restedSince)) {
		t.Errorf("in %s in which nothing happened the controllers asked %d times: %s", took, n, object)
	}
	for _, e := range controllerEvents(t, restedSince) {
		t.Errorf("in %s in which nothing happened the controllers wrote an event: %s", took, e)
	}
	t.Logf("in %s of reading the controllers made %d requests of the Karmadas and wrote nothing", took, seen)
}
