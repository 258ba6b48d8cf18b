package auth

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var cacheRequests = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "kairship_token_cache_requests_total",
	Help: "Looks into the memory of tokens that were checked a moment ago, by who checks ('host', 'oidc') and result: hit, miss.",
}, []string{"authenticator", "result"})

// looked counts a lookup in the cache of an authenticator.
func looked(authenticator Origin, hit bool) {
	result := "miss"
	if hit {
		result = "hit"
	}
	cacheRequests.WithLabelValues(string(authenticator), result).Inc()
}
