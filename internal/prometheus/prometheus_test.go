package prometheus_test

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/prometheus"
)

func TestEachMetricOfEachMemberIsToldAtItsTimes(t *testing.T) {
	gap := math.NaN()
	answer := matrix(
		of("cluster_cpu_allocatable_number", "tokyo", "8", "8", "8.5"),
		of("cluster_memory_allocated_bytes", "tokyo", "-", "1.7179869184e+10", "-"),
		of("cluster_node_number", "osaka", "NaN", "3", "+Inf"),
		of("cluster_ready_node_number", "osaka", "NaN", "-", "-Inf"),
		// None of these was asked for.
		of("cluster_node_number", "hidden", "1", "1", "1"), of("up", "tokyo", "1", "1", "1"), of("cluster_pod_allocatable_number", "", "1", "1", "1"),
	)
	s := newStandIn(t, says(answer))
	got, err := newClient(t, s).Of(t.Context(), everything(), "asia", []string{"tokyo", "osaka"}, window)
	if err != nil {
		t.Fatal(err)
	}
	want := prometheus.Members{
		"tokyo": {model.CPUAllocatable: {8, 8, 8.5}, model.MemoryAllocated: {gap, 17179869184, gap}},
		"osaka": {model.NodesTotal: {gap, 3, gap}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	asked := s.requests()[0]
	if diff := cmp.Diff(url.Values{"start": {"1767322800"}, "end": {"1767322920"}, "step": {"60"}, "timeout": {"10s"}, "query": asked["query"]}, asked); diff != "" {
		t.Errorf("the request -want +got:\n%s", diff)
	}
}

func TestTheMembersOfAnInstanceAreAddedUpByPrometheus(t *testing.T) {
	s := newStandIn(t, says(matrix(of("cluster_node_number", "", "5", "6", "7"), of("cluster_node_number", "tokyo", "1", "1", "1"))))
	got, err := newClient(t, s).Total(t.Context(), everything(), "asia", window)
	if diff := cmp.Diff(prometheus.Values{model.NodesTotal: {5, 6, 7}}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if query := s.requests()[0].Get("query"); !strings.HasPrefix(query, "sum by (__name__) (max by (__name__,member_cluster) (") {
		t.Errorf("it asks for %s", query)
	}
}

func TestTheInstanceIsMatchedWhereAPrometheusHasSeveral(t *testing.T) {
	s := newStandIn(t, says(matrix()))
	c := newClient(t, s, func(cfg *prometheus.Config) {
		cfg.InstanceLabel = "fleet"
		cfg.URLs = map[string]string{"europe": s.URL + "/prefix"}
	})
	for instance, want := range map[string]bool{"asia": true, "europe": false} {
		if _, err := c.Total(t.Context(), everything(), instance, window); err != nil {
			t.Fatal(err)
		}
		all := s.requests()
		if query := all[len(all)-1].Get("query"); strings.Contains(query, `,fleet="`+instance+`",`) != want || !want && strings.Contains(query, "fleet") {
			t.Errorf("%s is asked for by %s", instance, query)
		}
	}
}

func TestNoNameIsPromQL(t *testing.T) {
	s := newStandIn(t, says(matrix()))
	names := []string{`a"} or vector(1) or x{y="`, "b|.*", `c\`, "d\n"}
	if _, err := newClient(t, s).Of(t.Context(), everything(), `asia"} or up{a="`, names, window); err != nil {
		t.Fatal(err)
	}
	query := s.requests()[0].Get("query")
	for _, want := range []string{
		`,karmada="asia\"} or up{a=\"",`,
		`member_cluster=~"a\"\\} or vector\\(1\\) or x\\{y=\"|b\\|\\.\\*|c\\\\|d\n"`,
	} {
		if !strings.Contains(query, want) {
			t.Errorf("%s is not in %s", want, query)
		}
	}
}

func TestWhoSeesAPartOfAnInstanceGetsNoTotalOfIt(t *testing.T) {
	s := newStandIn(t, says(matrix(of("cluster_node_number", "", "5"), of("cluster_node_number", "tokyo", "5"))))
	c := newClient(t, s)
	var refused *model.Error
	if got, err := c.Total(t.Context(), part(), "asia", window); got != nil || !errors.As(err, &refused) || refused.Code != model.CodeForbidden {
		t.Errorf("the total of a part: %v, %v", got, err)
	}
	if got, err := c.Of(t.Context(), part(), "europe", []string{"tokyo"}, window); got != nil || err != nil {
		t.Errorf("members of an instance that is hidden: %v, %v", got, err)
	}
	if n := len(s.requests()); n > 0 {
		t.Errorf("Prometheus was asked %d times for what may not be seen", n)
	}
	if got, err := c.Of(t.Context(), part(), "asia", []string{"tokyo"}, window); err != nil || got["tokyo"] == nil {
		t.Errorf("a member, whose numbers its page shows: %v, %v", got, err)
	}
}

func TestEqualQuestionsAreAskedOnce(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-release
		says(matrix(of("cluster_node_number", "", "5")))(w, r)
	})
	at := &clock{now: start}
	c := newClient(t, s, func(cfg *prometheus.Config) { cfg.Now = at.Now })
	var all sync.WaitGroup
	ask := func(w prometheus.Window) {
		if got, err := c.Total(t.Context(), everything(), "asia", w); err != nil || got[model.NodesTotal][0] != 5 {
			t.Errorf("%v, %v", got, err)
		}
	}
	all.Go(func() { ask(window) })
	<-asked
	for range 5 {
		all.Go(func() { ask(window) })
	}
	close(release)
	all.Wait()
	ask(window)
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	s.set(says(matrix(of("cluster_node_number", "", "5"))))
	other := window
	other.Points = 2
	ask(other)
	if n := len(s.requests()); n != 2 {
		t.Errorf("%d requests after another question, want 2", n)
	}
	at.pass(window.Step)
	ask(window)
	if n := len(s.requests()); n != 3 {
		t.Errorf("%d requests when a step has passed, want 3", n)
	}
}

func TestWhoeverAsksManyQuestionsFillsNoMemory(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request) { says(matrix(of("cluster_node_number", "", "5")))(w, nil) })
	c := newClient(t, s, func(cfg *prometheus.Config) { at := &clock{now: start}; cfg.Now = at.Now })
	w := prometheus.Window{Start: start, Step: time.Minute, Points: prometheus.MaxPoints}
	for i := range 2000 {
		w.Start = start.Add(-time.Duration(i%1500) * time.Minute)
		if _, err := c.Total(t.Context(), everything(), "asia", w); err != nil {
			t.Fatal(err)
		}
	}
	if kept := prometheus.Kept(c); kept < 1<<19 || kept > 1<<20 {
		t.Errorf("%d values are kept", kept)
	}
}

func TestTheTokenOfTheFileIsSent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStandIn(t, says(matrix()))
	c := newClient(t, s, func(cfg *prometheus.Config) { cfg.TokenFile = file })
	if _, err := c.Total(t.Context(), everything(), "asia", window); err != nil {
		t.Fatal(err)
	}
	if got := s.header.Get("Authorization"); got != "Bearer secret" {
		t.Errorf("it is sent %q", got)
	}
}

func TestWithoutAPrometheusThatIsSaid(t *testing.T) {
	s := newStandIn(t, says(matrix()))
	alone := newClient(t, s, func(cfg *prometheus.Config) { cfg.URL, cfg.URLs = "", map[string]string{"europe": s.URL} })
	for name, c := range map[string]*prometheus.Client{"none at all": nil, "one of another instance": alone} {
		var told *model.Error
		if _, err := c.Total(t.Context(), everything(), "asia", window); !errors.As(err, &told) || !strings.Contains(told.Message, "--prometheus-url") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettingsThatCannotWorkAreNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*prometheus.Config)
		want   string
	}{
		{"another scheme", func(c *prometheus.Config) { c.URL = "ftp://a" }, "--prometheus-url is no address such as"},
		{"no host", func(c *prometheus.Config) { c.URL = "https://" }, "--prometheus-url is no address such as"},
		{"a query", func(c *prometheus.Config) { c.URL = "https://a/?x=y" }, "--prometheus-url is no address such as"},
		{"a password", func(c *prometheus.Config) { c.URL = "https://me:secret@a" }, "with a user or a password in it"},
		{"an instance's own", func(c *prometheus.Config) { c.URLs = map[string]string{"asia": "asia"} }, `--prometheus-url of instance "asia" is no address`},
		{"a token that others could read", func(c *prometheus.Config) { c.URL, c.TokenFile = "http://10.0.0.1", "token" }, "is not https"},
		{"a label that is none", func(c *prometheus.Config) { c.InstanceLabel = `a="b"` }, "--prometheus-instance-label is"},
		{"no label", func(c *prometheus.Config) { c.InstanceLabel = "" }, "--prometheus-instance-label is"},
		{"no certificates", func(c *prometheus.Config) { c.CA = []byte("x") }, "--prometheus-ca-file holds no certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := prometheus.Config{URL: "https://a", InstanceLabel: "karmada"}
			c.change(&cfg)
			if _, err := prometheus.New(cfg); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
