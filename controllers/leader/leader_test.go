package leader

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	testclock "k8s.io/utils/clock/testing"
)

// lease is a lock that does as it is told.
type lease struct {
	resourcelock.Interface

	err error
	// during is called while a request is under way.
	during func()
}

func (*lease) Identity() string { return "me" }

func (l *lease) Create(context.Context, resourcelock.LeaderElectionRecord) error {
	return l.Update(context.Background(), resourcelock.LeaderElectionRecord{})
}

func (l *lease) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	if l.during != nil {
		l.during()
	}
	return l.err
}

func TestOnlyTheLeaderWrites(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	now := testclock.NewFakePassiveClock(time.Now())
	after := func(d time.Duration) { now.SetTime(now.Now().Add(d)) }
	inner := &lease{}
	lock := &Lock{Interface: inner, clock: now}
	client := &http.Client{Transport: lock.Fence(http.DefaultTransport)}
	mine, free := resourcelock.LeaderElectionRecord{HolderIdentity: "me"}, resourcelock.LeaderElectionRecord{}
	update := func(record resourcelock.LeaderElectionRecord) {
		t.Helper()
		if err := lock.Update(t.Context(), record); !errors.Is(err, inner.err) {
			t.Fatal(err)
		}
	}
	writes := func(what string, want bool) {
		t.Helper()
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodGet} {
			req, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			switch {
			case method == http.MethodGet || want:
				if err != nil {
					t.Errorf("%s: %s: %v", what, method, err)
				}
			case !errors.Is(err, ErrNotLeader):
				t.Errorf("%s: %s: want it refused, got %v", what, method, err)
			}
		}
	}

	writes("before the election", false)
	if err := lock.Create(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	writes("elected", true)
	after(Renew - time.Second)
	writes("shortly before the end", true)
	after(time.Second)
	writes("stopped for too long", false)
	update(mine)
	writes("renewed", true)
	inner.err = errors.New("no answer")
	after(Renew - time.Second)
	update(mine)
	writes("a renewal that failed changes nothing", true)
	after(time.Second)
	writes("not renewed in time", false)
	inner.err = nil
	inner.during = func() { after(Renew) }
	update(mine)
	writes("a renewal that took as long as it holds", false)
	inner.during = nil
	update(mine)
	writes("renewed again", true)
	inner.err = errors.New("no answer")
	update(free)
	writes("given back, though nobody answered", false)
}

func TestAWriteThatWaitedForAConnectionUntilTheLeaseWasLostIsNotSent(t *testing.T) {
	var arrived atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			arrived.Add(1)
		}
	}))
	defer server.Close()
	now := testclock.NewFakePassiveClock(time.Now())
	lock := &Lock{Interface: &lease{}, clock: now}
	if err := lock.Create(t.Context(), resourcelock.LeaderElectionRecord{HolderIdentity: "me"}); err != nil {
		t.Fatal(err)
	}
	dials := 0
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials++; dials > 1 {
			now.SetTime(now.Now().Add(Renew))
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
	client := &http.Client{Transport: lock.Fence(transport)}
	patch := func() error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, server.URL, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err
	}
	if err := patch(); err != nil || arrived.Load() != 1 {
		t.Fatalf("the leader's write: %v, and %d arrived", err, arrived.Load())
	}
	if err := patch(); !errors.Is(err, ErrNotLeader) {
		t.Errorf("want it refused, got %v", err)
	}
	server.Close()
	if arrived.Load() != 1 {
		t.Errorf("%d writes arrived whole", arrived.Load())
	}
}
