package prometheus_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/rbac"
)

// start is the first point of the tests' window, of three points a minute apart.
var start = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

var window = prometheus.Window{Start: start, Step: time.Minute, Points: 3}

// standIn is an HTTP server in the place of Prometheus.
type standIn struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []url.Values
	header http.Header
	answer http.HandlerFunc
}

func newStandIn(tb testing.TB, answer http.HandlerFunc) *standIn {
	tb.Helper()
	s := &standIn{answer: answer}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	s.asked, s.header = append(s.asked, r.Form), r.Header
	answer := s.answer
	s.mu.Unlock()
	if r.URL.Path != "/prefix/api/v1/query_range" {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

func (s *standIn) set(answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *standIn) requests() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values{}, s.asked...)
}

// says answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) }
}

// matrix is an answer with series.
func matrix(series ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + `]},"warnings":["w"]}`
}

// of is a series of a member, of values by points of the window; - for none.
func of(metric, member string, values ...string) string {
	var pairs []string
	for i, v := range values {
		if v != "-" {
			pairs = append(pairs, fmt.Sprintf(`[%d.000,%q]`, start.Add(time.Duration(i)*time.Minute).Unix(), v))
		}
	}
	labels := fmt.Sprintf(`"__name__":%q`, metric)
	if member != "" {
		labels += fmt.Sprintf(`,"member_cluster":%q`, member)
	}
	return fmt.Sprintf(`{"metric":{%s,"job":"karmada"},"values":[%s]}`, labels, strings.Join(pairs, ","))
}

// clock is a clock that stands until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// newClient is a client of a stand-in for all instances; change changes its configuration.
func newClient(tb testing.TB, s *standIn, change ...func(*prometheus.Config)) *prometheus.Client {
	tb.Helper()
	cfg := prometheus.Config{URL: s.URL + "/prefix", InstanceLabel: "karmada", Timeout: 10 * time.Second, Logger: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&cfg)
	}
	c, err := prometheus.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// everything is the scope of who may see all.
func everything() rbac.Scope {
	return rbac.NewAuthorizer([]string{"kairship:host:admins"}).Scope(auth.NewPrincipal(auth.OriginHost, "ann", []string{"admins"}))
}

// part is the scope of who has a role in one namespace of asia.
func part() rbac.Scope {
	authorizer := rbac.NewAuthorizer(nil)
	authorizer.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:host:mary"},
		Role:    v1alpha1.RoleViewer, Scope: v1alpha1.AccessScope{Instance: "asia", Namespaces: []string{"shop"}},
	}}}, nil))
	return authorizer.Scope(auth.NewPrincipal(auth.OriginHost, "mary", nil))
}
