package telemetry

import (
	"net/http"
	"net/http/pprof"
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// ProfilesPath is the path of the profiles.
const ProfilesPath = "/debug/pprof/"

// Metrics serves metrics in Prometheus' formats. Metrics that cannot be gathered are left out.
func Metrics(g prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(g, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Pages serves /metrics to every client, and Profiles.
func Pages(g prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", Metrics(g))
	mux.Handle(ProfilesPath, Profiles())
	return mux
}

// Profiles serves Go's profiles at ProfilesPath to requests from the same machine, or pod: they slow the process down
// and expose its internals, so a network that may read metrics does not get them. The command line is not among them.
func Profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(ProfilesPath, pprof.Index)
	mux.HandleFunc(ProfilesPath+"profile", pprof.Profile)
	mux.HandleFunc(ProfilesPath+"symbol", pprof.Symbol)
	mux.HandleFunc(ProfilesPath+"trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !from.Addr().Unmap().IsLoopback() {
			http.Error(w, "profiles are for this machine alone: forward the port", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
