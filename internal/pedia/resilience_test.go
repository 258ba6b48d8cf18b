package pedia

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

// answering serves with a function and counts.
func answering(t *testing.T, answer func(n int64, w http.ResponseWriter, r *http.Request)) (*Client, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(n.Add(1), w, r) }))
	t.Cleanup(server.Close)
	return client(t, server.URL, time.Minute), &n
}

func onePage() sql.Query {
	return sql.Query{Scope: everything(), GVRs: []schema.GroupVersionResource{deployments}, Clusters: []string{"kairship.asia"}, Limit: 1}
}

func TestAReadIsMadeAgainOnlyWhereThatMayHelp(t *testing.T) {
	for _, c := range []struct {
		name   string
		first  func(http.ResponseWriter)
		code   model.Code // empty: the second answer is taken
		asked  int64
		status int
	}{
		{"a store that restarts", func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, "", 2, 0},
		{"a gateway before it", func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, "", 2, 0},
		{"a store that is asked too much", func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) }, "", 2, 0},
		{"a connection that breaks before an answer", func(http.ResponseWriter) {
			panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler breaks a connection
		}, "", 2, 0},
		{"a failure inside", func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) }, model.CodeUnavailable, 1, 0},
		{"a kind that is not there", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }, model.CodeNotSynced, 1, 0},
		{"an answer that breaks off", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"items":`))
		}, model.CodeUnavailable, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, asked := answering(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
				if n == 1 {
					c.first(w)
					return
				}
				_, _ = w.Write([]byte(list(row("kairship.asia", "shop", "a"))))
			})
			_, err := Fetch(t.Context(), client, onePage(), decodeKey)
			var e *model.Error
			errors.As(err, &e)
			if got := asked.Load(); got != c.asked || (err == nil) != (c.code == "") || e != nil && e.Code != c.code {
				t.Errorf("%v after %d requests, want code %q after %d", err, got, c.code, c.asked)
			}
		})
	}
}

// roundTrip is a store without a network, so that time can stand still around it.
type roundTrip func(*http.Request) (status int, body string)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := f(r)
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

func inMemory(t *testing.T, f roundTrip) *Client {
	t.Helper()
	c := client(t, "http://store", time.Minute)
	apiOf(c).http = &http.Client{Transport: f}
	return c
}

func TestAnOutageIsNotMultipliedAndItsEndIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, up := 0, false
		client := inMemory(t, func(r *http.Request) (int, string) {
			if !isTrial(r) {
				asked++
			}
			if up {
				return http.StatusOK, list(row("kairship.asia", "shop", "a"))
			}
			return http.StatusServiceUnavailable, ""
		})
		start := time.Now()
		for range 100 {
			_, err := Fetch(t.Context(), client, onePage(), decodeKey)
			var e *model.Error
			if !errors.As(err, &e) || e.Code != model.CodeUnavailable || !e.Retryable {
				t.Fatalf("error %v, want UNAVAILABLE that may be tried again", err)
			}
		}
		synctest.Wait()
		if asked != failures || !apiOf(client).guard.circuit.Open() || time.Since(start) > pause {
			t.Errorf("%d requests in %s reached a store that is down, want %d", asked, time.Since(start), failures)
		}
		_, err := Fetch(t.Context(), client, onePage(), decodeKey)
		if err == nil || !strings.Contains(err.Error(), "has not answered lately") {
			t.Errorf("error %v, want one that says why nothing was asked", err)
		}
		time.Sleep(pause + time.Second) // the bubble's time
		up = true
		if _, err := Fetch(t.Context(), client, onePage(), decodeKey); err != nil || asked != failures+1 {
			t.Errorf("%v after %d requests: a store that is back is not asked", err, asked)
		}
	})
}

func TestRetriesHaveABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		client := inMemory(t, func(*http.Request) (int, string) { asked.Add(1); return http.StatusTooManyRequests, "" })
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				q := onePage()
				q.Where = []sql.Condition{sql.NameContains(strconv.Itoa(i))}
				_, _ = Fetch(t.Context(), client, q, decodeKey)
			})
		}
		wg.Wait()
		// What is earned meanwhile comes on top of the budget.
		if got := asked.Load(); got < 100+retryBurst || got > 100+2*retryBurst {
			t.Errorf("%d requests for 100 reads, want about %d", got, 100+retryBurst)
		}
	})
}

func TestRefusalsDoNotOpenTheCircuit(t *testing.T) {
	client, asked := answering(t, func(_ int64, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for range 3 * failures {
		_, _ = Fetch(t.Context(), client, onePage(), decodeKey)
	}
	if got := asked.Load(); got != 3*failures {
		t.Errorf("%d requests, want %d: a kind that is not synced says nothing of others", got, 3*failures)
	}
}

func TestIdenticalReadsOfOnePrincipalShareAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		authorizer := rbac.NewAuthorizer([]string{"g"})
		as := func(name string) context.Context {
			return authorizer.NewContext(t.Context(), auth.Principal{Name: name, Groups: []string{"g"}})
		}
		release := make(chan struct{})
		var asked atomic.Int64
		client := inMemory(t, func(*http.Request) (int, string) {
			asked.Add(1)
			<-release
			return http.StatusOK, list(row("kairship.asia", "shop", "a"))
		})
		var wg sync.WaitGroup
		read := func(ctx context.Context, want error) {
			wg.Go(func() {
				if l, err := Fetch(ctx, client, onePage(), decodeKey); !errors.Is(err, want) || want == nil && len(l.Rows) != 1 {
					t.Errorf("%+v, %v; want %v", l, err, want)
				}
			})
		}
		left, leave := context.WithCancel(as("ann"))
		read(left, context.Canceled) // one who leaves takes the answer from nobody
		synctest.Wait()
		for range 10 {
			read(as("ann"), nil)
		}
		read(as("bob"), nil)
		synctest.Wait()
		leave()
		synctest.Wait()
		close(release)
		wg.Wait()
		if got := asked.Load(); got != 2 {
			t.Errorf("%d requests for two principals, want 2", got)
		}
	})
}

// knowing answers the probe as a store does of which these conditions hold.
func knowing(t *testing.T, gate bool, holds map[string]bool, missing ...indexes.Name) *Client {
	t.Helper()
	client, _ := answering(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		where := r.URL.Query().Get("whereSQLStatement")
		yes, known := holds[where]
		if !known { // the indexes
			yes = true
			params := paramsOf(t, r.URL.Query())
			for _, name := range missing {
				for _, asked := range params {
					yes = yes && asked != string(name)
				}
			}
		}
		if yes || !gate && len(holds) > 0 {
			_, _ = w.Write([]byte(list(row("x", "", "default"))))
			return
		}
		_, _ = w.Write([]byte(list()))
	})
	client.sources[0].features.Store(nil)
	return client
}

func TestTheStoreIsFoundOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		client *Client
		want   Features
	}{
		{"all that helps", knowing(t, true, map[string]bool{always: true, never: false, indexes.ByBytes: true}), Features{Gate: GateOpen, ByBytes: Yes, Pack: Yes}},
		{"a database of another order", knowing(t, true, map[string]bool{always: true, never: false, indexes.ByBytes: false}), Features{Gate: GateOpen, ByBytes: No, Pack: Yes}},
		{
			"an index that is missing", knowing(t, true, map[string]bool{always: true, never: false, indexes.ByBytes: true}, indexes.LabelIndex),
			Features{Gate: GateOpen, ByBytes: Yes, Pack: No, Missing: []indexes.Name{indexes.LabelIndex}},
		},
		{"a closed gate: it gives rows that cannot be", knowing(t, false, map[string]bool{always: true, never: false}), Features{Gate: GateClosed, ByBytes: Unknown, Pack: Unknown}},
		{"no rows at all", knowing(t, true, map[string]bool{always: false}), Features{Gate: GateUnknown, ByBytes: Unknown, Pack: Unknown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.client.sources[0].traits(t.Context())
			if got.Gate != c.want.Gate || got.ByBytes != c.want.ByBytes || got.Pack != c.want.Pack || len(got.Missing) != len(c.want.Missing) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if again := c.client.Features(); again.Gate != got.Gate {
				t.Errorf("the features are %+v after %+v was found out", again, got)
			}
		})
	}
}

func TestAStoreThatDoesNotAnswerKeepsItsTraits(t *testing.T) {
	client, _ := answering(t, func(_ int64, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	if f := client.sources[0].refresh(t.Context()); f.Gate != GateOpen {
		t.Errorf("an outage made %+v of an open gate", f)
	}
	client.sources[0].features.Store(nil)
	if f := client.sources[0].refresh(t.Context()); f.Gate != GateUnknown {
		t.Errorf("a store that never answered is told to be %+v", f)
	}
}

func TestAStoreThatHangsIsNotWaitedForEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := client(t, "http://store", 1500*time.Millisecond)
		apiOf(c).http = &http.Client{Transport: storeOf{func(*http.Request) bool { asked.Add(1); return true }}}
		for range failures {
			var e *model.Error
			if _, err := Fetch(t.Context(), c, onePage(), decodeKey); !errors.As(err, &e) || e.Code != model.CodeTimeout {
				t.Fatalf("a store that hangs is told as %v", err)
			}
		}
		time.Sleep(trialTimeout + time.Second) // it is found out once more that nothing is answered, and then for all
		before, began := asked.Load(), time.Now()
		var e *model.Error
		if _, err := Fetch(t.Context(), c, onePage(), decodeKey); !errors.As(err, &e) || e.Code != model.CodeUnavailable || asked.Load() != before || time.Since(began) != 0 {
			t.Errorf("after %d requests without an answer: %v after %s, asked %d times more", failures, err, time.Since(began), asked.Load()-before)
		}
	})
}
