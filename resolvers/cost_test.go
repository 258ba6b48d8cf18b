package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/metrics"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/execution"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// remembering is an executor that runs each statement once, and from then on has its answer at hand: what is left is what
// Kairship itself does for a page.
type remembering struct {
	pedia.Executor
	mu    sync.Mutex
	known map[string]pedia.Answer
	// statements, rows and bytes of rows that were read.
	statements, rows, bytes int
}

func (r *remembering) Run(ctx context.Context, s *sql.Statement) (*pedia.Answer, error) {
	key := fmt.Sprint(s.Where, s.Params, s.Query.GVRs, s.Query.Clusters, s.Limit)
	r.mu.Lock()
	known, ok := r.known[key]
	r.mu.Unlock()
	if !ok {
		answer, err := r.Executor.Run(ctx, s)
		if err != nil {
			return nil, err
		}
		known = *answer
		r.mu.Lock()
		r.known[key] = known
		r.mu.Unlock()
	}
	rows := make([]*sql.View, len(known.Rows))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements++
	r.rows += len(rows)
	for i, v := range known.Rows {
		rows[i] = &sql.View{Row: v.Row}
		r.bytes += len(v.Raw)
	}
	return &pedia.Answer{Rows: rows, Total: known.Total}, nil
}

// discarded is a response that counts what is written.
type discarded struct {
	header http.Header
	n      int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(int)             {}
func (d *discarded) Write(p []byte) (int, error) { d.n += len(p); return len(p), nil }

// pageOfWorkloads returns what answers the page of 50 workloads with their targets in so many clusters, as an
// administrator: from the request to the written answer, with a store whose answers are at hand.
func pageOfWorkloads(tb testing.TB, clusters int) (page func(), read *remembering) {
	tb.Helper()
	s := newStore(tb, 50, clusters)
	own, err := s.standin.Executor(&rest.Config{Host: s.URL}, testenv.Timeout)
	if err != nil {
		tb.Fatal(err)
	}
	read = &remembering{Executor: own, known: map[string]pedia.Answer{}}
	store := pedia.NewClient(read)
	store.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	f := &fleetOf{instances: []string{"asia"}, clusters: clusters}
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{Fleet: f}}))
	server.AddTransport(transport.POST{})
	server.AroundFields(resolvers.Tell)
	server.Use(execution.Selections{})
	body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(workloadPage, 50, "")})
	if err != nil {
		tb.Fatal(err)
	}
	ctx := rbac.NewAuthorizer([]string{"kairship:host:admins"}).NewContext(tb.Context(), auth.NewPrincipal(auth.OriginHost, "ann", []string{"admins"}))
	source := loaders.Source{Fleet: f, Store: store, KubeAPI: &s.servers}
	page = func() {
		r := httptest.NewRequestWithContext(source.NewContext(ctx), http.MethodPost, "/graphql", io.NopCloser(bytes.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		w := &discarded{header: http.Header{}}
		server.ServeHTTP(w, r)
		if w.n < 50*clusters*len(`{"cluster":{"name":"member-01"}}`) {
			tb.Errorf("the answer has only %d bytes", w.n)
		}
	}
	page() // the first finds the rows
	return page, read
}

// processorTime is what this process has taken of the processors.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPageOfWorkloads is what Kairship itself does for the page of 50 workloads with their targets.
func BenchmarkPageOfWorkloads(b *testing.B) {
	for _, clusters := range []int{3, 10} {
		b.Run(fmt.Sprintf("clusters=%d", clusters), func(b *testing.B) {
			page, _ := pageOfWorkloads(b, clusters)
			b.ReportAllocs()
			before := processorTime(b)
			for b.Loop() {
				page()
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// What a page of 50 workloads with targets in ten clusters costs does not depend on the machine, and is to stay so: twice as
// many allocations, a goroutine for each target, or rows that nobody selected would not be noticed otherwise.
func TestAPageCostsWhatItDidWhenItWasMeasured(t *testing.T) {
	page, read := pageOfWorkloads(t, 10)
	read.statements, read.rows, read.bytes = 0, 0, 0
	page()
	if read.statements != 2 || read.rows != 100 || read.bytes > 50*4_000 {
		t.Errorf("it takes %d statements, %d rows and %d bytes of them, want 2 (the workloads, their bindings), 100 and at most 4,000 bytes for a workload", read.statements, read.rows, read.bytes)
	}
	goroutines := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(goroutines)
	before := goroutines[0].Value.Uint64()
	const pages = 10
	for range pages {
		page()
	}
	metrics.Read(goroutines)
	if n := (goroutines[0].Value.Uint64() - before) / pages; n > mostGoroutines {
		t.Errorf("it starts %d goroutines; %d are enough", n, mostGoroutines)
	}
	most := float64(mostAllocations)
	if raceDetector {
		most *= 1.2 // which keeps more of what would be on a stack
	}
	if n := testing.AllocsPerRun(pages, page); n > most {
		t.Errorf("it makes %.0f allocations; %.0f were enough", n, most)
	}
}

// As measured, and a tenth more.
const (
	mostAllocations = 17_800
	mostGoroutines  = 15
)
