package proxy_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/server/proxy"
)

const (
	watchPath = "/instances/asia/clusters/tokyo/api/v1/pods?watch=true"
	logPath   = "/instances/asia/clusters/tokyo/api/v1/namespaces/a/pods/b/log?follow=true"
	execPath  = "/instances/asia/clusters/tokyo/api/v1/namespaces/a/pods/b/exec?command=sh"
)

// open begins a request whose answer is a stream; what it gives is its lines.
func (s *stage) open(t *testing.T, path string) (lines *bufio.Reader, code int) {
	t.Helper()
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(s.request(t, http.MethodGet, path, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return bufio.NewReader(res.Body), res.StatusCode
}

// hangPath is never answered.
const hangPath = "/instances/asia/hang"

// besides lets a function answer for the upstream, but for hangPath.
func besides(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		answer(w, r)
	}
}

// outlast waits until a request that began now has been given up.
func (s *stage) outlast(t *testing.T) {
	t.Helper()
	if got := s.get(t, hangPath); got.code != http.StatusGatewayTimeout && got.code != http.StatusServiceUnavailable {
		t.Fatalf("a request that hangs: %d", got.code)
	}
}

// drip answers with a line whenever one is sent, and ends with the request.
func drip(lines <-chan string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		for {
			select {
			case line := <-lines:
				_, _ = io.WriteString(w, line+"\n")
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
}

func TestStreamsAreHandedOnAtOnceAndHaveNoDeadline(t *testing.T) {
	for _, path := range []string{watchPath, logPath, "/instances/asia" + memberPath + "tokyo/proxy/api/v1/pods?watch"} {
		t.Run(path, func(t *testing.T) {
			s := start(t, func(c *proxy.Config) { c.Limits.Time = time.Second })
			lines := make(chan string)
			s.serve(besides(drip(lines)))
			got, code := s.open(t, path)
			if code != http.StatusOK {
				t.Fatalf("got %d", code)
			}
			s.outlast(t)
			for i := range 3 {
				want := fmt.Sprintf("line %d", i)
				lines <- want
				// The next one is sent when this one has arrived.
				if line, err := got.ReadString('\n'); err != nil || line != want+"\n" {
					t.Fatalf("got %q (%v), want %q", line, err, want)
				}
			}
		})
	}
}

func TestALogMayBeSilentBeforeItBegins(t *testing.T) {
	s := start(t, nil)
	s.fleet.instances["asia"].config.Timeout = time.Second
	asked, speak := make(chan struct{}), make(chan struct{})
	s.serve(besides(func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-speak
		_, _ = io.WriteString(w, "hello\n")
	}))
	go func() {
		defer close(speak)
		<-asked
		s.outlast(t)
	}()
	if got := s.get(t, logPath); got.code != http.StatusOK || got.body != "hello\n" {
		t.Errorf("got %d %q", got.code, got.body)
	}
}

func TestAUserMayHaveSoManyStreams(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.StreamsPerUser = 2 })
	s.serve(drip(nil))
	s.open(t, watchPath)
	lines, _ := s.open(t, logPath)
	got := s.get(t, watchPath)
	if status := got.status(t, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests); !strings.Contains(status.Message, "limit streamsPerUser") {
		t.Errorf("says %q", status.Message)
	}
	if got.header.Get("Retry-After") == "" {
		t.Error("does not say when to come back")
	}
	s.serve(nil)
	if got := s.get(t, "/instances/asia/api"); got.code != http.StatusOK {
		t.Errorf("another request: %d", got.code)
	}
	s.revoke()
	if _, err := lines.ReadString('\n'); err == nil {
		t.Fatal("a stream goes on")
	}
	eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
}
