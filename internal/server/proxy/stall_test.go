package proxy_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// impatient is a body as the server bounds it: what comes next has to come soon.
type impatient struct {
	io.ReadCloser
	control  *http.ResponseController
	answered <-chan struct{}
}

func (b *impatient) Read(p []byte) (int, error) {
	if err := b.control.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		// By now HTTP/1 has ended the context of the request. Whoever answers because of that alone does so first.
		select {
		case <-b.answered:
		case <-time.After(200 * time.Millisecond):
		}
	}
	return n, err
}

// draining is an answer as the server bounds it: once it has begun, there is time again for the rest of the body.
type draining struct {
	http.ResponseWriter
	began func()
}

func (w *draining) WriteHeader(status int) {
	w.began()
	_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Now().Add(2 * testenv.Timeout))
	w.ResponseWriter.WriteHeader(status)
}

func (w *draining) Unwrap() http.ResponseWriter { return w.ResponseWriter }

const stalledWrite = "/instances/asia/api/v1/namespaces/shop/configmaps"

// A client that does not go on with its body is told that it is its own doing, and that to try again at once is no help.
func TestAClientThatStallsItsBody(t *testing.T) {
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		for _, upstream := range []string{"HTTP/1.1", "HTTP/2.0"} {
			t.Run(version+" to "+upstream, func(t *testing.T) {
				s := startBefore(t, upstream == "HTTP/2.0", nil)
				got := s.stall(t, version)
				status := got.status(t, http.StatusRequestTimeout, metav1.StatusReason("RequestTimeout"))
				if status.Message != "the body of the request did not come in time" || status.Details != nil || got.header.Get("Retry-After") != "" {
					t.Errorf("got %s %v", got.body, got.header)
				}
				eventually(t, func() bool { return len(s.audited()) == 1 })
				if records := s.audited(); len(records) != 1 || records[0].Status != http.StatusRequestTimeout {
					t.Errorf("audited: %+v", records)
				}
				if log := s.logged.String(); strings.Contains(log, "could not be forwarded") {
					t.Errorf("logged as if the upstream were at fault: %s", log)
				}
			})
		}
	}
}

// stall sends half a body and waits for the answer.
func (s *stage) stall(t *testing.T, version string) reply {
	t.Helper()
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := make(chan struct{})
		r.Body = &impatient{r.Body, http.NewResponseController(w), answered}
		s.server.Config.Handler.ServeHTTP(&draining{w, sync.OnceFunc(func() { close(answered) })}, r)
	}))
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	if version == "HTTP/2.0" {
		front.EnableHTTP2 = true
		front.StartTLS()
		body, send := io.Pipe()
		t.Cleanup(func() { send.Close() })
		go func() { _, _ = io.WriteString(send, "12345") }()
		r := s.request(t, http.MethodPost, "", body)
		u, err := url.Parse(front.URL + stalledWrite)
		if err != nil {
			t.Fatal(err)
		}
		r.URL, r.Host = u, ""
		r.ContentLength = 10
		res, err := front.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		if res.Proto != version {
			t.Errorf("answered by %s", res.Proto)
		}
		return reply{res.StatusCode, res.Header, string(answer), err != nil}
	}
	front.Start()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", front.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testenv.Timeout)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\nContent-Length: 10\r\n\r\n12345", stalledWrite)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || !res.Close {
		t.Errorf("the connection is kept for what is left of the body (%v)", err)
	}
	return reply{res.StatusCode, res.Header, string(answer), err != nil}
}
