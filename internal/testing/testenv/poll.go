package testenv

import (
	"testing"
	"time"
)

// Timeout is how long Eventually waits: far longer than anything takes, even on a busy machine.
const Timeout = 3 * time.Minute

// Eventually waits until check returns an empty string. Otherwise check returns why not yet. It polls less often over
// time: the code under test runs on the same processors.
func Eventually(tb testing.TB, check func() string) {
	tb.Helper()
	deadline := time.Now().Add(Timeout)
	pause := 10 * time.Millisecond
	for {
		why := check()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("still after %s: %s", Timeout, why)
		}
		<-time.After(pause)
		pause = min(pause*5/4, 200*time.Millisecond)
	}
}
