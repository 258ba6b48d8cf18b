package prometheus_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/upstream"
)

// What answers may be anything: each of these is said in a sentence that quotes nothing of it, and takes no more memory or
// time than an answer of what was asked for.
func TestWhatIsNoAnswerIsSaidAndBounded(t *testing.T) {
	endless := func(begin, again string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, err := fmt.Fprint(w, begin)
			for block := strings.Repeat(again, 1000); err == nil; {
				_, err = fmt.Fprint(w, block)
			}
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			says("SECRET of the other side")(w, nil)
		}
	}
	const series = `{"status":"success","data":{"resultType":"matrix","result":[`
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"a body without an end", endless(series+`{"metric":{"__name__":"`, "SECRET"), "more than was asked for"},
		{"a million points", endless(series+`{"metric":{"__name__":"cluster_node_number"},"values":[`, `[1767322800,"1"],`), "more than was asked for"},
		{"a million series", endless(series, `{},`), "more than was asked for"},
		{"a bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			endless(series, `{"values":[[1767322800,"1"]]},`)(writer{w, z}, nil)
		}, "more than was asked for"},
		{"nesting without an end", endless("", "["), "is not Prometheus"},
		{"another page", says("<html>SECRET</html>"), "is not Prometheus"},
		{"nothing", says(""), "is not Prometheus"},
		{"half an answer", says(series), "is not Prometheus"},
		{"null", says("null"), "is not Prometheus"},
		{"a failure that looks well", says(`{"status":"error","errorType":"SECRET","error":"SECRET"}`), "is not Prometheus"},
		{"a vector", says(`{"status":"success","data":{"resultType":"vector","result":[]}}`), "is not Prometheus"},
		{"no type", says(`{"status":"success","data":{"result":[]}}`), "is not Prometheus"},
		{"no status", says(`{"data":{"resultType":"matrix","result":[]}}`), "is not Prometheus"},
		{"numbers for texts", says(series + `{"metric":{"__name__":5},"values":[]}]}}`), "is not Prometheus"},
		{"numbers for values", says(series + `{"values":[[1767322800,1]]}]}}`), "is not Prometheus"},
		{"texts for times", says(series + `{"values":[["1767322800","1"]]}]}}`), "is not Prometheus"},
		{"words for values", says(series + `{"values":[[1767322800,"SECRET"]]}]}}`), "is not Prometheus"},
		{"three of a pair", says(series + `{"values":[[1767322800,"1","2"]]}]}}`), "is not Prometheus"},
		{"a text for a list", says(series + `{"values":"SECRET"}]}}`), "is not Prometheus"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, "redirects (307), which is not followed"},
		{"no credential", status(http.StatusUnauthorized), "refuses Kairship (401)"},
		{"no right", status(http.StatusForbidden), "refuses Kairship (403)"},
		{"no such page", status(http.StatusNotFound), "no API of Prometheus at that address (404)"},
		{"a refused query", status(http.StatusUnprocessableEntity), "refuses the query (422)"},
		{"too many requests", status(http.StatusTooManyRequests), "does not work (429)"},
		{"a failure", status(http.StatusBadGateway), "does not work (502)"},
		{"a connection that ends", func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				conn.Close()
			}
		}, "cannot be reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			s := newStandIn(t, c.answer)
			client := newClient(t, s)
			runtime.ReadMemStats(&before)
			got, err := client.Total(t.Context(), everything(), "asia", window)
			runtime.ReadMemStats(&after)
			var told *model.Error
			if !errors.As(err, &told) || told.Code != model.CodeUnavailable || !strings.Contains(told.Message, c.want) || strings.Contains(err.Error(), "SECRET") || got != nil {
				t.Errorf("%v, %v; want %s", got, err, c.want)
			}
			if all := after.TotalAlloc - before.TotalAlloc; all > 8<<20 {
				t.Errorf("it took %d bytes", all)
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

type writer struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (w writer) Write(p []byte) (int, error) { return w.z.Write(p) }

func TestPointsThatWereNotAskedForAreNotKept(t *testing.T) {
	s := newStandIn(t, says(matrix(`{"metric":{"__name__":"cluster_node_number"},"values":[[-1e300,"1"],[1e300,"1"],[0,"1"],[1767322740,"1"],[1767322980,"1"],[1767322800,"4"],[]]}`)))
	got, err := newClient(t, s).Total(t.Context(), everything(), "asia", window)
	if err != nil {
		t.Fatal(err)
	}
	if v := got[model.NodesTotal]; len(v) != 3 || v[0] != 4 || !math.IsNaN(v[1]) || !math.IsNaN(v[2]) {
		t.Errorf("%v", v)
	}
}

func TestAServerThatStallsIsWaitedForOnceAndThenLeftAlone(t *testing.T) {
	for name, begin := range map[string]string{"before its answer": "", "within it": `{"status":`} {
		t.Run(name, func(t *testing.T) {
			stalled := make(chan struct{})
			t.Cleanup(func() { close(stalled) })
			s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = fmt.Fprint(w, begin)
				_ = http.NewResponseController(w).Flush()
				select {
				case <-stalled:
				case <-r.Context().Done():
				}
			})
			const timeout = 50 * time.Millisecond
			c := newClient(t, s, func(cfg *prometheus.Config) { cfg.Timeout = timeout })
			var told *model.Error
			one := upstream.NewOperation(t.Context())
			for range 10 {
				if _, err := c.Total(one, everything(), "asia", window); !errors.As(err, &told) || told.Code != model.CodeTimeout || !strings.Contains(told.Message, "did not answer within 50ms") {
					t.Fatalf("%v", err)
				}
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("one operation made %d requests", n)
			}
			// Other operations go on to ask, until the circuit opens.
			deadline := time.Now().Add(10 * time.Second)
			for told.Code == model.CodeTimeout {
				if _, err := c.Total(upstream.NewOperation(t.Context()), everything(), "asia", window); !errors.As(err, &told) || time.Now().After(deadline) {
					t.Fatalf("it is asked on: %v", err)
				}
			}
			if !strings.Contains(told.Message, "has not answered lately") {
				t.Errorf("%v", told)
			}
			if n := len(s.requests()); n > 6 {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

func TestALateAnswerIsThereForWhoAsksAgain(t *testing.T) {
	release := make(chan struct{})
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		says(matrix(of("cluster_node_number", "", "5")))(w, r)
	})
	at := &clock{now: start}
	c := newClient(t, s, func(cfg *prometheus.Config) { cfg.Now = at.Now })
	var told *model.Error
	if _, err := c.Total(t.Context(), everything(), "asia", window); !errors.As(err, &told) || told.Code != model.CodeTimeout {
		t.Fatalf("an answer that does not come: %v", err)
	}
	close(release)
	if got, err := c.Total(t.Context(), everything(), "asia", window); err != nil || got[model.NodesTotal][0] != 5 {
		t.Errorf("%v, %v", got, err)
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("it was asked for %d times", n)
	}
}

func TestAServerThatIsNotThereIsSaid(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	secured := httptest.NewTLSServer(http.NotFoundHandler())
	defer secured.Close()
	for url, want := range map[string]string{gone.URL: "have --prometheus-url checked", secured.URL: "have --prometheus-ca-file checked"} {
		c := newClient(t, newStandIn(t, nil), func(cfg *prometheus.Config) { cfg.URL = url })
		var told *model.Error
		if _, err := c.Total(t.Context(), everything(), "asia", window); !errors.As(err, &told) || !strings.Contains(told.Message, want) || strings.Contains(told.Message, "127.0.0.1") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
