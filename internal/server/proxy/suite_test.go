package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const memberPath = "/apis/cluster.karmada.io/v1alpha1/clusters/"

// ada may see everything that there is.
var ada = auth.NewPrincipal(auth.OriginHost, "ada", []string{"admins"})

// fleet is instances by name.
type fleet struct {
	mu        sync.Mutex
	instances map[string]instance
}

type instance struct {
	config  *rest.Config
	members []string
	down    bool
	// hidden is out of everybody's scope.
	hidden bool
}

func (f *fleet) Upstream(_ context.Context, scope rbac.Scope, p auth.Principal, name, cluster string) (*rest.Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in, ok := f.instances[name]
	switch {
	case scope.Empty():
		return nil, rbac.ErrForbidden
	case !ok || in.hidden:
		return nil, &model.Error{Code: model.CodeNotFound, Instance: name, Message: "there is no instance " + name}
	case in.down:
		return nil, model.InstanceUnavailable(name, "its API server does not answer: connection refused", nil)
	}
	cfg := rest.CopyConfig(in.config)
	if cluster != "" {
		if !slices.Contains(in.members, cluster) {
			return nil, &model.Error{Code: model.CodeNotFound, Instance: name, Message: "no such cluster"}
		}
		cfg.Host += memberPath + cluster + "/proxy"
	}
	if cfg.Impersonate.UserName == "" {
		cfg.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	}
	return cfg, nil
}

func (f *fleet) Holders(_ context.Context, _ rbac.Scope, cluster string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for name, in := range f.instances {
		if !in.hidden && slices.Contains(in.members, cluster) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// seen is a request as an upstream got it.
type seen struct {
	method, path, query string
	header              http.Header
	body                []byte
}

// stage is a proxy, an upstream behind it for the instance "asia" with the member "tokyo", and what is
// seen at either end.
type stage struct {
	fleet    *fleet
	handler  *proxy.Handler
	server   *httptest.Server
	upstream *httptest.Server
	registry *prometheus.Registry
	logged   *lockedBuffer
	revoke   func()

	mu       sync.Mutex
	requests []seen
	records  []proxy.Record
	answer   http.HandlerFunc
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start makes a stage. Requests are ada's when they bear the token "ada", nobody's otherwise; those that
// bear "stranger" are of one without any right.
func start(t *testing.T, change func(*proxy.Config)) *stage {
	t.Helper()
	return startBefore(t, true, change)
}

// startBefore is start with an upstream that speaks HTTP/2, or HTTP/1.1 alone.
func startBefore(t *testing.T, http2 bool, change func(*proxy.Config)) *stage {
	t.Helper()
	checkGoroutines(t)
	s := &stage{registry: prometheus.NewRegistry(), logged: &lockedBuffer{}}
	s.upstream = httptest.NewUnstartedServer(http.HandlerFunc(s.serveUpstream))
	s.upstream.EnableHTTP2 = http2
	s.upstream.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	s.upstream.StartTLS()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.upstream.Certificate().Raw})
	upstream, err := link.Open(&kubeconfig.Credential{Host: s.upstream.URL, BearerToken: "kairships-own", CAData: authority}, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := upstream.Config()
	config.Timeout = time.Minute
	s.fleet = &fleet{instances: map[string]instance{"asia": {members: []string{"tokyo"}, config: config}}}
	revoked := make(chan struct{})
	s.revoke = sync.OnceFunc(func() { close(revoked) })
	cfg := proxy.Config{
		Upstreams: s.fleet, Registerer: s.registry,
		Logger:  slog.New(slog.NewTextHandler(s.logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Revoked: func(context.Context) <-chan struct{} { return revoked },
		Audit: func(_ context.Context, r proxy.Record) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.records = append(s.records, r)
		},
	}
	if change != nil {
		change(&cfg)
	}
	s.handler = proxy.New(cfg)
	authorizer := rbac.NewAuthorizer([]string{"kairship:host:admins"})
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "the-doors")
		switch r.Header.Get("Authorization") {
		case "Bearer ada":
			r = r.WithContext(authorizer.NewContext(r.Context(), ada))
		case "Bearer stranger":
			r = r.WithContext(authorizer.NewContext(r.Context(), auth.NewPrincipal(auth.OriginHost, "stranger", nil)))
		}
		s.handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.revoke()
		s.server.CloseClientConnections()
		s.upstream.CloseClientConnections()
		s.server.Close()
		s.upstream.Close()
		upstream.Close()
	})
	return s
}

// serve lets a function answer for the upstream from now on.
func (s *stage) serve(answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *stage) serveUpstream(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answer := s.answer
	s.mu.Unlock()
	var body []byte
	if r.Header.Get("Upgrade") == "" && r.Header.Get("X-Unread") == "" {
		body, _ = io.ReadAll(r.Body)
	}
	s.mu.Lock()
	s.requests = append(s.requests, seen{r.Method, r.RequestURI, r.URL.RawQuery, r.Header.Clone(), body})
	s.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"kind":"Table","apiVersion":"v1"}`)
}

// last is the last request that the upstream got; the zero one when it got none.
func (s *stage) last() seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		return seen{}
	}
	return s.requests[len(s.requests)-1]
}

func (s *stage) audited() []proxy.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.records)
}

// request makes a request of ada's.
func (s *stage) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.server.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer ada")
	return r
}

// reply is an answer that was read to its end.
type reply struct {
	code   int
	header http.Header
	body   string
	// cut says that the answer did not come to its end.
	cut bool
}

func do(t *testing.T, r *http.Request) reply {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	for name, values := range res.Trailer {
		t.Errorf("the answer ends with the header %s: %q", name, values)
	}
	return reply{res.StatusCode, res.Header, string(body), err != nil}
}

func (s *stage) get(t *testing.T, path string) reply {
	t.Helper()
	return do(t, s.request(t, http.MethodGet, path, nil))
}

// status checks that an answer is a Kubernetes Status in JSON, and gives it.
func (r reply) status(t *testing.T, code int, reason metav1.StatusReason) metav1.Status {
	t.Helper()
	var out metav1.Status
	if err := json.Unmarshal([]byte(r.body), &out); err != nil {
		t.Fatalf("the answer is no JSON: %d %q", r.code, r.body)
	}
	if r.code != code || int(out.Code) != code || out.Reason != reason || out.Kind != "Status" || out.APIVersion != "v1" || out.Status != metav1.StatusFailure || out.Message == "" {
		t.Fatalf("got %d %s; want %d %s", r.code, r.body, code, reason)
	}
	if media := r.header.Get("Content-Type"); media != "application/json" {
		t.Fatalf("the answer is %q", media)
	}
	return out
}

// secure is the proxy behind TLS and HTTP/2, as people reach it.
func (s *stage) secure(t *testing.T) *httptest.Server {
	t.Helper()
	front := httptest.NewUnstartedServer(s.server.Config.Handler)
	front.EnableHTTP2 = true
	front.StartTLS()
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front
}

// dial opens a plain connection to the proxy.
func (s *stage) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testenv.Timeout)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// checkGoroutines fails the test when something of the proxy's runs on after its servers were closed.
func checkGoroutines(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		testenv.Eventually(t, func() string {
			buffer := make([]byte, 4<<20)
			for one := range strings.SplitSeq(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
				for _, ours := range []string{"/internal/server/proxy.", "httputil.(*ReverseProxy)", "httputil.switchProtocolCopier"} {
					if strings.Contains(one, ours) && !strings.Contains(one, "checkGoroutines") && !strings.Contains(one, "testing.(*T).Run") {
						return "this goes on:\n" + one
					}
				}
			}
			return ""
		})
	})
}
