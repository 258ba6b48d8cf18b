// Package dashboards checks that the dashboards show what there is.
package dashboards

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	_ "github.com/kairship-io/kairship/cmd" // all that registers metrics of its own
	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server"
	"github.com/kairship-io/kairship/internal/server/proxy"
)

type dashboard struct {
	Templating struct {
		List []struct{ Name, Type string }
	}
	Panels []panel
}

type panel struct {
	ID         int
	Type       string
	Title      string
	Datasource struct{ UID string }
	Targets    []struct {
		Expr       string
		Datasource struct{ UID string }
	}
}

func read(t *testing.T) (dashboard, string) {
	t.Helper()
	raw, err := os.ReadFile("kairship.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d, string(raw)
}

type secrets = globalmanagement.Secrets

// exposed is the metrics of both commands with their labels, whether or not they have a series yet.
func exposed(t *testing.T) map[string][]string {
	t.Helper()
	own := prometheus.NewRegistry()
	d := server.New(server.Config{Schema: graph.NewExecutableSchema(graph.Config{}), Authorizer: rbac.NewAuthorizer(nil), Registerer: own})
	t.Cleanup(func() { d.Drain(t.Context()) })
	hub := live.New(live.Config{Registerer: own})
	t.Cleanup(hub.Close)
	proxy.New(proxy.Config{Registerer: own})
	audit.NewRecorder(nil, audit.RecorderOptions{Metrics: own})
	if _, err := globalmanagement.New(globalmanagement.Options{Client: struct{ client.Client }{}, Journal: struct{ globalmanagement.Journal }{}, Secrets: struct{ secrets }{}, Registerer: own}); err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for _, r := range []any{own, prometheus.DefaultRegisterer, metrics.Registry} {
		descs := make(chan *prometheus.Desc)
		go func() {
			r.(prometheus.Collector).Describe(descs)
			close(descs)
		}()
		for d := range descs {
			m := named.FindStringSubmatch(d.String())
			// Some are described twice, by what has them in common.
			names[m[1]] = append(names[m[1]], strings.Split(m[2], ",")...)
		}
	}
	return names
}

var (
	named = regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: \{([^}]*)\}`)
	// ranges, selectors and groupings hold no metrics.
	ranges    = regexp.MustCompile(`\[[^\]]*\]`)
	selectors = regexp.MustCompile(`\{[^}]*\}`)
	groupings = regexp.MustCompile(`\b(?:by|without|on|ignoring)\s*\([^)]*\)`)
	words     = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*\s*\(?`)
)

// metricsOf is the metrics that an expression names: its words that are no functions.
func metricsOf(expr string) []string {
	expr = selectors.ReplaceAllString(ranges.ReplaceAllString(strings.ReplaceAll(expr, "${instance_label}", "instance"), ""), "")
	expr = groupings.ReplaceAllString(expr, "")
	var out []string
	for _, word := range words.FindAllString(expr, -1) {
		if !strings.HasSuffix(word, "(") && !slices.Contains([]string{"sum", "min", "max"}, strings.TrimSpace(word)) {
			out = append(out, strings.TrimSpace(word))
		}
	}
	return out
}

func TestEveryMetricOfTheDashboardIsExposed(t *testing.T) {
	known := exposed(t)
	if len(known) < 50 || known["kairship_audit_lost_events_total"] == nil || known["workqueue_depth"] == nil {
		t.Fatalf("%d metrics are known, which cannot be all", len(known))
	}
	d, _ := read(t)
	shown := 0
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			found := metricsOf(target.Expr)
			if len(found) == 0 {
				t.Errorf("%q names no metric: %s", p.Title, target.Expr)
			}
			for _, name := range found {
				shown++
				if labelsOf(known, name) == nil {
					t.Errorf("%q shows %s, which nothing exposes", p.Title, name)
				}
			}
		}
	}
	if shown < 40 {
		t.Errorf("only %d metrics are shown", shown)
	}
}

// labelsOf is the labels of a metric, or of the histogram that it is of; nil when there is neither.
func labelsOf(known map[string][]string, name string) []string {
	if labels, ok := known[name]; ok {
		return labels
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && known[base] != nil {
			return append(slices.Clone(known[base]), "le")
		}
	}
	return nil
}

// scraped is the labels that Prometheus gives every series.
var scraped = []string{"job", "instance", "pod"}

var (
	selected = regexp.MustCompile(`([a-zA-Z_:][a-zA-Z0-9_:]*)\{([^}]*)\}`)
	matcher  = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)\s*(?:=~|!~|!=|=)\s*"[^"]*"`)
	grouped  = regexp.MustCompile(`\b(?:by|without)\s*\(([^)]*)\)`)
)

// mislabelled is the labels that an expression asks of metrics that have none of that name.
func mislabelled(known map[string][]string, expr string) (out []string) {
	// What Kairship calls instance, Prometheus may have had to rename.
	const ours = "kairship-instance"
	expr = strings.ReplaceAll(expr, "${instance_label}", ours)
	check := func(metric, label string) {
		labels := labelsOf(known, metric)
		if label == ours {
			label = "instance"
		} else if slices.Contains(scraped, label) {
			return
		}
		if labels != nil && !slices.Contains(labels, label) {
			out = append(out, metric+" by "+label)
		}
	}
	for _, s := range selected.FindAllStringSubmatch(expr, -1) {
		for _, m := range matcher.FindAllStringSubmatch(s[2], -1) {
			check(s[1], m[1])
		}
	}
	for _, g := range grouped.FindAllStringSubmatch(expr, -1) {
		for label := range strings.SplitSeq(g[1], ",") {
			for _, metric := range metricsOf(expr) {
				check(metric, strings.TrimSpace(label))
			}
		}
	}
	return out
}

func TestEveryLabelOfTheDashboardIsOneOfItsMetric(t *testing.T) {
	known := exposed(t)
	d, _ := read(t)
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			for _, wrong := range mislabelled(known, target.Expr) {
				t.Errorf("%q asks for %s, a label that it does not have: %s", p.Title, wrong, target.Expr)
			}
		}
	}
}

func TestALabelThatAMetricDoesNotHaveIsSeen(t *testing.T) {
	known := map[string][]string{"reads_total": {"code"}, "read_seconds": {"target"}, "members": {"instance"}, "queued": {""}}
	for expr, want := range map[string]bool{
		`sum by (code) (rate(reads_total{job=~"$job",code="5.."}[5m]))`:                false,
		`sum by (route) (rate(reads_total{job=~"$job"}[5m]))`:                          true,
		`sum (rate(reads_total{route="/graphql"}[5m]))`:                                true,
		`histogram_quantile(0.5, sum by (le, target) (rate(read_seconds_bucket[5m])))`: false,
		`histogram_quantile(0.5, sum by (le, code) (rate(read_seconds_bucket[5m])))`:   true,
		`sum by (le) (reads_total)`:                                                    true,
		`sum by (${instance_label}) (members)`:                                         false,
		`sum by (${instance_label}) (queued)`:                                          true,
		`sum by (job, pod) (queued)`:                                                   false,
	} {
		if got := mislabelled(known, expr); len(got) > 0 != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
}

func TestADashboardBelongsToNoInstallation(t *testing.T) {
	d, raw := read(t)
	if !slices.ContainsFunc(d.Templating.List, func(v struct{ Name, Type string }) bool { return v.Name == "datasource" && v.Type == "datasource" }) {
		t.Error("there is no variable for the data source")
	}
	seen := map[int]bool{}
	for _, p := range d.Panels {
		if seen[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		seen[p.ID] = true
		for _, target := range p.Targets {
			if p.Datasource.UID != "${datasource}" || target.Datasource.UID != "${datasource}" {
				t.Errorf("%q has a data source of its own", p.Title)
			}
		}
	}
	for _, own := range []string{`"__inputs"`, `"iteration"`, `"orgId"`, `"gnetId"`} {
		if strings.Contains(raw, own) {
			t.Errorf("it holds %s of an installation", own)
		}
	}
}

func TestTheDocumentationNamesEveryMetricOfKairship(t *testing.T) {
	raw, err := os.ReadFile("../docs/observability.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range exposed(t) {
		if strings.HasPrefix(name, "kairship_") && !strings.Contains(string(raw), "`"+name) {
			t.Errorf("docs/observability.md is without %s", name)
		}
	}
}
