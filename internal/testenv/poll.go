package testenv

import (
	"testing"
	"time"
)

// Patience is how long Eventually waits: far longer than anything takes, even on a busy machine.
const Patience = 60 * time.Second

// Eventually waits until check returns nothing. What it returns is why not yet.
func Eventually(tb testing.TB, check func() string) {
	tb.Helper()
	deadline := time.Now().Add(Patience)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		why := check()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("still after %s: %s", Patience, why)
		}
		<-ticker.C
	}
}
