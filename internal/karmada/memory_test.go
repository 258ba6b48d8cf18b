package karmada

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

func TestManifestsThatAreBeingAppliedTakeSoMuchMemory(t *testing.T) {
	refused := func(t *testing.T, err error, whose string) {
		t.Helper()
		var e *model.Error
		if !errors.As(err, &e) || e.Code != model.CodeLimitExceeded || !e.Retryable || !strings.Contains(e.Message, whose) || !strings.Contains(e.Message, LimitMemory) {
			t.Errorf("got %v, want LIMIT_EXCEEDED for what %s take", err, whose)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryBound(100, 60, time.Second)
		ada, err := m.acquire(t.Context(), "ada", 50)
		if err != nil {
			t.Fatal(err)
		}
		// One person cannot take all: another has room at once.
		_, err = m.acquire(t.Context(), "ada", 50)
		refused(t, err, "your other requests")
		began := time.Now()
		bob, err := m.acquire(t.Context(), "bob", 50)
		if err != nil || time.Since(began) > 0 {
			t.Fatalf("bob waited %s: %v", time.Since(began), err)
		}
		_, err = m.acquire(t.Context(), "cleo", 1)
		refused(t, err, "the requests of others")

		// Who waits goes on as soon as there is room.
		time.AfterFunc(time.Second/2, ada)
		began = time.Now()
		cleo, err := m.acquire(t.Context(), "cleo", 50)
		if err != nil || time.Since(began) != time.Second/2 {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		// What would never fit takes all that one person may.
		bob()
		_, err = m.acquire(t.Context(), "ada", 1_000)
		refused(t, err, "the requests of others")
		cleo()
		if ada, err = m.acquire(t.Context(), "ada", 1_000); err != nil {
			t.Fatal(err)
		}
		// Whose request has ended is told that, not of a limit.
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.acquire(gone, "ada", 50); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		ada()
		if len(m.people) != 0 {
			t.Errorf("%d people are remembered who wait for nothing", len(m.people))
		}
	})
}

// The largest request that there may be has to fit.
func TestTheLargestRequestHasRoom(t *testing.T) {
	if most := requestLimits.Memory(); most > maxMemoryPerPerson || maxMemoryPerPerson*2 > MaxMemory {
		t.Errorf("the largest request takes %d bytes, one person has %d of %d", most, maxMemoryPerPerson, MaxMemory)
	}
}
