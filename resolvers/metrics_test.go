package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/rbac"
)

// history stands in for Prometheus: each member has as many nodes as its number says, all of them together have 100, and
// twice as much CPU, at every point.
type history struct {
	*httptest.Server
	asked atomic.Int64
	// status is that of its answers; 0 for 200.
	status atomic.Int64
}

var memberName = regexp.MustCompile(`member-([0-9]+)`)

func newHistory(tb testing.TB) *history {
	tb.Helper()
	h := &history{}
	h.Server = httptest.NewServer(h)
	tb.Cleanup(h.Close)
	return h
}

func (h *history) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.asked.Add(1)
	if status := h.status.Load(); status != 0 {
		w.WriteHeader(int(status))
		return
	}
	number := func(name string) int64 { n, _ := strconv.ParseInt(r.FormValue(name), 10, 64); return n }
	series := func(labels string, nodes int) []string {
		values := func(n int) string {
			var out []string
			for at := number("start"); at <= number("end"); at += number("step") {
				out = append(out, fmt.Sprintf(`[%d,"%d"]`, at, n))
			}
			return "[" + strings.Join(out, ",") + "]"
		}
		return []string{
			`{"metric":{"__name__":"cluster_node_number"` + labels + `},"values":` + values(nodes) + `}`,
			`{"metric":{"__name__":"cluster_cpu_allocatable_number"` + labels + `},"values":` + values(2*nodes) + `}`,
		}
	}
	var all []string
	of, _, _ := strings.Cut(r.FormValue("query"), "or label_replace")
	for _, m := range memberName.FindAllStringSubmatch(of, -1) {
		nodes, _ := strconv.Atoi(m[1])
		all = append(all, series(`,"member_cluster":"`+m[0]+`"`, nodes)...)
	}
	if strings.HasPrefix(of, "sum ") {
		all = series("", 100)
	}
	_, _ = fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, strings.Join(all, ","))
}

// client is a client of it, and of others for instances.
func (h *history) client(tb testing.TB, others map[string]*history) *prometheus.Client {
	tb.Helper()
	cfg := prometheus.Config{URL: h.URL, URLs: map[string]string{}, InstanceLabel: "karmada", Timeout: 10 * time.Second, Logger: slog.New(slog.DiscardHandler)}
	for instance, other := range others {
		cfg.URLs[instance] = other.URL
	}
	c, err := prometheus.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// anHour is the argument that the tests ask for.
const anHour = `range: {from: "2026-01-02T03:00:00Z", to: "2026-01-02T04:00:00Z"}`

// charted is how metrics are answered.
type charted struct {
	Available bool
	Message   *string
	Step      int
	Series    []struct {
		Metric, Unit string
		Points       []struct {
			At    string
			Value *float64
		}
	}
}

func decodeInto(tb testing.TB, out answer, into any) {
	tb.Helper()
	if err := json.Unmarshal(out.Data, into); err != nil {
		tb.Fatalf("%v in %s", err, out.Data)
	}
}

func TestMetricsOfAPageOfMembersAreAskedForOnce(t *testing.T) {
	h := newHistory(t)
	f := &fleetOf{instances: []string{"asia"}, clusters: 50, history: h.client(t, nil)}
	out := ask(t, f, newStore(t, 0, 0), `{instance(name: "asia"){clusters(first: 50){nodes{name metrics(`+anHour+`, step: 1800){
		available message step series{metric unit points{at value}}}}}}}`)
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %v", out.Errors)
	}
	var data struct {
		Instance struct {
			Clusters struct {
				Nodes []struct {
					Name    string
					Metrics charted
				}
			}
		}
	}
	decodeInto(t, out, &data)
	if n := len(data.Instance.Clusters.Nodes); n != 50 || h.asked.Load() != 1 {
		t.Errorf("%d members with %d requests, want 50 with 1", n, h.asked.Load())
	}
	for i, c := range data.Instance.Clusters.Nodes {
		if !c.Metrics.Available || c.Metrics.Message != nil || c.Metrics.Step != 1800 || len(c.Metrics.Series) != 2 {
			t.Fatalf("%s: %+v", c.Name, c.Metrics)
		}
		for k, want := range []struct {
			metric, unit string
			value        float64
		}{{"CPU_ALLOCATABLE", "CORES", float64(2 * i)}, {"NODES", "COUNT", float64(i)}} {
			s := c.Metrics.Series[k]
			var got []string
			for _, p := range s.Points {
				got = append(got, fmt.Sprint(p.At, " ", *p.Value))
			}
			diff := cmp.Diff([]string{fmt.Sprint("2026-01-02T03:00:00Z ", want.value), fmt.Sprint("2026-01-02T03:30:00Z ", want.value), fmt.Sprint("2026-01-02T04:00:00Z ", want.value)}, got)
			if s.Metric != want.metric || s.Unit != want.unit || diff != "" {
				t.Errorf("%s has %s in %s, -want +got:\n%s", c.Name, s.Metric, s.Unit, diff)
			}
		}
	}
}

func TestMetricsOfAnInstanceAreForWhoMaySeeAllOfIt(t *testing.T) {
	h := newHistory(t)
	u := newUpstreamsOf(t, nil)
	u.history = h.client(t, nil)
	u.wait = briefly
	const query = `{instance(name: "asia"){name metrics(` + anHour + `){available message series{metric}} cluster(name: "member-01"){metrics(` + anHour + `){available series{metric}}}}}`
	all := u.ask(t, query, nil)
	if got := fmt.Sprint(all.Data); !strings.Contains(got, "available:true message:<nil> series:[map[metric:CPU_ALLOCATABLE] map[metric:NODES]]") || len(all.Errors) > 0 {
		t.Errorf("an administrator is told %s, %v", got, all.Errors)
	}
	u.identify = someone(v1alpha1.AccessScope{Instance: "asia", Namespaces: []string{"shop"}})
	before := h.asked.Load()
	part := u.ask(t, query, nil)
	if got := fmt.Sprint(part.Data); !strings.Contains(got, "available:false message:These numbers are of all namespaces of the instance: they are shown to those who have a role on all of it. series:[]") ||
		!strings.Contains(got, "cluster:map[metrics:map[available:true series:[map[metric:CPU_ALLOCATABLE] map[metric:NODES]]]]") || len(part.Errors) > 0 {
		t.Errorf("who has a role in a namespace is told %s, %v", got, part.Errors)
	}
	if n := h.asked.Load() - before; n > 1 {
		t.Errorf("Prometheus was asked %d times for them", n)
	}
}

func TestAPrometheusThatIsAwayBlanksNothingElse(t *testing.T) {
	well, ill := newHistory(t), newHistory(t)
	ill.status.Store(http.StatusServiceUnavailable)
	f := &fleetOf{instances: []string{"asia", "europe"}, clusters: 2, history: well.client(t, map[string]*history{"europe": ill})}
	out := ask(t, f, newStore(t, 0, 0), `{instances{nodes{name metrics(`+anHour+`){available message} clusters{nodes{name metrics(`+anHour+`){available message step series{metric}}}}}}}`)
	if len(out.Errors) > 0 {
		t.Fatalf("errors: %v", out.Errors)
	}
	got := string(out.Data)
	if strings.Count(got, `"available":true,"message":null`) != 3 || strings.Count(got, `"available":false,"message":"Prometheus does not work (503); ask again later."`) != 3 ||
		strings.Count(got, `"step":30,"series":[]`) != 2 || strings.Count(got, `"name":"member-01"`) != 2 {
		t.Errorf("%s", got)
	}
}

func TestWithoutAPrometheusMetricsSayWhatToDo(t *testing.T) {
	f := &fleetOf{instances: []string{"asia"}, clusters: 1}
	out := ask(t, f, newStore(t, 0, 0), `{instance(name: "asia"){metrics(`+anHour+`){available message} cluster(name: "member-00"){name metrics(`+anHour+`){available message}}}}`)
	if n := strings.Count(string(out.Data), `{"available":false,"message":"No Prometheus is configured for this instance. Start Kairship's API server with --prometheus-url`); n != 2 || len(out.Errors) > 0 {
		t.Errorf("%s with errors %v", out.Data, out.Errors)
	}
}

func TestAPrometheusWithNothingSaysWhatToScrape(t *testing.T) {
	h := newHistory(t)
	f := &fleetOf{instances: []string{"asia"}, clusters: 1, history: h.client(t, nil)}
	// The stand-in knows only members that are called member-NN.
	out := ask(t, f, newStore(t, 0, 0), `{instance(name: "asia"){cluster(name: "tokyo"){metrics(`+anHour+`){available message series{metric}}}}}`)
	if want := `{"available":true,"message":"Prometheus has nothing about cluster tokyo in this range. Have it scrape karmada-controller-manager`; !strings.Contains(string(out.Data), want) || len(out.Errors) > 0 {
		t.Errorf("%s with errors %v", out.Data, out.Errors)
	}
}

func TestMetricsThatCannotBeAskedForNameTheField(t *testing.T) {
	h := newHistory(t)
	f := &fleetOf{instances: []string{"asia"}, clusters: 200, history: h.client(t, nil)}
	for _, c := range []struct{ of, call, want string }{
		{"instance", `metrics(range: {from: "2026-01-02T03:00:00Z", to: "2026-01-01T03:00:00Z"})`, "range.from: is 2026-01-02T03:00:00Z; it must be before range.to"},
		{"cluster", `metrics(range: {from: "2026-01-02T03:00:00Z", to: "2026-03-02T03:00:00Z"})`, "range: is 59.0 days long; it may be at most 31"},
		{"cluster", `metrics(` + anHour + `, step: 1)`, "step: is 1 seconds, which makes more than 1000 points"},
		{"page", `metrics(` + anHour + `, step: 4)`, "step: 1441600 points of metrics in one operation, of 200 clusters here, are more than 200000"},
	} {
		call := c.call + "{available}"
		switch c.of {
		case "cluster":
			call = `cluster(name: "member-00"){name ` + call + `}`
		case "page":
			call = `clusters(first: 200){nodes{name ` + call + `}}`
		}
		out := ask(t, f, newStore(t, 0, 0), `{instance(name: "asia"){name `+call+`}}`)
		if len(out.Errors) != 1 || !strings.Contains(out.Errors[0].Message, c.want) || !strings.Contains(string(out.Data), `"metrics":null`) || !strings.Contains(string(out.Data), `"name":"asia"`) {
			t.Errorf("%s of a %s: %v, %.200s", c.call, c.of, out.Errors, out.Data)
		}
	}
	if n := h.asked.Load(); n > 0 {
		t.Errorf("Prometheus was asked %d times", n)
	}
}

func TestAnOperationAsksForSoManyPointsAndNoMore(t *testing.T) {
	h := newHistory(t)
	f := &fleetOf{instances: []string{"asia"}, clusters: 1, history: h.client(t, nil)}
	var fields []string
	for i := range 30 {
		fields = append(fields, fmt.Sprintf(`m%d: metrics(range: {from: "2026-01-02T03:00:00Z", to: "2026-01-02T03:15:%02dZ"}, step: 1){available}`, i, 10+i))
	}
	out := ask(t, f, newStore(t, 0, 0), `{instance(name: "asia"){`+strings.Join(fields, " ")+`}}`)
	// Each is 911 points or a little more, of eight metrics.
	if n := strings.Count(string(out.Data), `"available":true`); n < 25 || n > 27 || len(out.Errors) != 30-n {
		t.Errorf("%d are answered, %d refused", n, len(out.Errors))
	}
}

// someone is who has a role in a scope.
func someone(scope v1alpha1.AccessScope) func(context.Context) context.Context {
	authorizer := rbac.NewAuthorizer(nil)
	authorizer.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"}, Role: v1alpha1.RoleViewer, Scope: scope,
	}}}, nil))
	return func(ctx context.Context) context.Context {
		return authorizer.NewContext(ctx, auth.NewPrincipal(auth.OriginOIDC, "mary", nil))
	}
}
