package auth

import (
	"testing"

	dto "github.com/prometheus/client_model/go"
)

func looks(t *testing.T, result string) float64 {
	t.Helper()
	var m dto.Metric
	if err := cacheRequests.WithLabelValues("host", result).Write(&m); err != nil {
		t.Fatal(err)
	}
	return m.GetCounter().GetValue()
}

func TestLooksIntoTheMemoryOfTokensAreCounted(t *testing.T) {
	hits, misses := looks(t, "hit"), looks(t, "miss")
	a := NewHostAuthenticator(&reviews{status: good}, "kairship")
	for range 3 {
		if _, err := a.Authenticate(t.Context(), "a-token"); err != nil {
			t.Fatal(err)
		}
	}
	if h, m := looks(t, "hit")-hits, looks(t, "miss")-misses; h != 2 || m != 1 {
		t.Errorf("%v hits and %v misses, want 2 and 1", h, m)
	}
}
