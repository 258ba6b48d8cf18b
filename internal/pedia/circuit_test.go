package pedia

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// isTrial says of a request that it is the one by which it is found out whether the store answers at all.
func isTrial(r *http.Request) bool {
	return r.URL.Query().Get("whereSQLStatement") == "" && strings.HasSuffix(r.URL.Path, "/namespaces")
}

// storeOf is a store without a network; what hangs says is never answered.
type storeOf struct{ hangs func(*http.Request) bool }

func (s storeOf) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.hangs(r) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	body := list(row("kairship.asia", "shop", "a-heavy"))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

// reader asks a client in an operation of its own each time.
func reader(t *testing.T, c *Client, name string) func(where ...sql.Condition) (model.Code, time.Duration) {
	t.Helper()
	authorizer := rbac.NewAuthorizer([]string{"g"})
	return func(where ...sql.Condition) (model.Code, time.Duration) {
		q, began := onePage(), time.Now()
		q.Where = where
		ctx := upstream.NewOperation(authorizer.NewContext(t.Context(), auth.Principal{Name: name, Groups: []string{"g"}}))
		_, err := Fetch(ctx, c, q, decodeKey)
		var e *model.Error
		if errors.As(err, &e) {
			return e.Code, time.Since(began)
		}
		if err != nil {
			t.Error(err)
		}
		return "", time.Since(began)
	}
}

func TestOnePersonsLoadOpensTheCircuitForNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, "http://store", 1500*time.Millisecond)
		apiOf(c).http = &http.Client{Transport: storeOf{func(r *http.Request) bool {
			return strings.Contains(strings.Join(paramsOf(t, r.URL.Query()), " "), "heavy")
		}}}
		ann, bob := reader(t, c, "ann"), reader(t, c, "bob")
		for range failures {
			if code, _ := ann(sql.NameContains("heavy")); code != model.CodeTimeout {
				t.Fatalf("what is too much for the store is told as %q", code)
			}
		}
		synctest.Wait()
		// Whoever asks too much is not waited for any more.
		if code, took := ann(sql.NameContains("heavy")); code != model.CodeUnavailable || took != 0 {
			t.Errorf("%q after %s", code, took)
		}
		if apiOf(c).guard.circuit.Open() {
			t.Error("the circuit is open for all")
		}
		if code, took := bob(); code != "" || took != 0 {
			t.Errorf("somebody else is told %q after %s", code, took)
		}
		time.Sleep(pause + time.Second)
		if code, _ := ann(); code != "" {
			t.Errorf("who asks for less later is told %q", code)
		}
	})
}

func TestAStoreThatHangsIsGivenUpForAllAfterOnePersonHasAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		frozen := true
		c := client(t, "http://store", 1500*time.Millisecond)
		apiOf(c).http = &http.Client{Transport: storeOf{func(*http.Request) bool { return frozen }}}
		ann, bob := reader(t, c, "ann"), reader(t, c, "bob")
		for range failures {
			ann()
		}
		time.Sleep(trialTimeout + time.Second)
		if code, took := bob(); !apiOf(c).guard.circuit.Open() || code != model.CodeUnavailable || took != 0 {
			t.Errorf("the next one is told %q after %s", code, took)
		}
		// After the pause one looks whether it is back, no longer than for a moment.
		time.Sleep(pause)
		if code, took := bob(); code != model.CodeUnavailable || took > trialTimeout {
			t.Errorf("who looks again is told %q after %s", code, took)
		}
		frozen = false
		time.Sleep(pause + time.Second)
		for _, ask := range []func(...sql.Condition) (model.Code, time.Duration){ann, bob} {
			if code, _ := ask(); code != "" {
				t.Errorf("a store that is back: %q", code)
			}
		}
	})
}

// After the pause one looks for all, and not all at once.
func TestOneLooksWhetherAStoreIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var trials atomic.Int32
		c := client(t, "http://store", 1500*time.Millisecond)
		apiOf(c).http = &http.Client{Transport: storeOf{func(r *http.Request) bool {
			if isTrial(r) {
				trials.Add(1)
			}
			return true
		}}}
		ann := reader(t, c, "ann")
		for range failures {
			ann()
		}
		time.Sleep(trialTimeout + pause + time.Second)
		before := trials.Load()
		var all sync.WaitGroup
		var waited atomic.Int32
		for i := range 20 {
			ask := reader(t, c, fmt.Sprint("p", i))
			all.Go(func() {
				code, took := ask()
				if code != model.CodeUnavailable {
					t.Errorf("told %q", code)
				}
				if took > 0 {
					waited.Add(1)
				}
			})
		}
		all.Wait()
		if n := trials.Load() - before; n != 1 || waited.Load() != 1 {
			t.Errorf("%d looked, %d waited; want one", n, waited.Load())
		}
	})
}

func TestAnOperationWaitsForTheStoreOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, "http://store", 1500*time.Millisecond)
		apiOf(c).http = &http.Client{Transport: storeOf{func(*http.Request) bool { return true }}}
		c.sources[0].features.Store(nil) // what the store can do has to be found out, too
		ctx, began := upstream.NewOperation(t.Context()), time.Now()
		for range 3 {
			if _, err := Fetch(ctx, c, onePage(), decodeKey); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 1500*time.Millisecond {
			t.Errorf("three reads of one operation waited %s", took)
		}
		time.Sleep(time.Minute) // what runs on ends
	})
}

// endless is a body without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) { e.read += len(p); return len(p), nil }

func TestNoMoreIsReadOfAnAnswerThanThereMayBe(t *testing.T) {
	for name, length := range map[string]int64{"of a length that it tells": 1 << 40, "of no length": -1, "of a length that it says it has": maxAtOnce + 1} {
		body := &endless{}
		const most = 2 * maxAtOnce
		if _, err := readAll(&http.Response{ContentLength: length, Body: io.NopCloser(body)}, most); !errors.Is(err, errTooLarge) {
			t.Errorf("an answer %s: %v", name, err)
		}
		if body.read > 2*most || length > most && body.read > 0 {
			t.Errorf("%d bytes are read of an answer %s", body.read, name)
		}
	}
}

// paramsOf decodes what a request says beside its statement.
func paramsOf(t *testing.T, v url.Values) []string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(v.Get("whereSQLJSONParams"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
