package testenv

import (
	"testing"
	"time"
)

// Patience is how long Eventually waits: far longer than anything takes, even on a busy machine.
const Patience = 60 * time.Second

// Eventually waits until check returns nothing. What it returns is why not yet.
func Eventually(t testing.TB, check func() string) {
	t.Helper()
	deadline := time.Now().Add(Patience)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		why := check()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still after %s: %s", Patience, why)
		}
		<-ticker.C
	}
}

// Steadily fails when check returns something within the given time. Prefer to wait for something that
// happens afterwards: then what must not happen has had its chance, and no time is lost.
func Steadily(t testing.TB, d time.Duration, check func() string) {
	t.Helper()
	deadline := time.Now().Add(d)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for time.Now().Before(deadline) {
		if why := check(); why != "" {
			t.Fatal(why)
		}
		<-ticker.C
	}
}
