// Command bench is the performance lab: it measures Kairship on a real fleet beside the raw requests to
// Clusterpedia that the same page needs, interleaved in one run, and prints ratios. Machines are noisy;
// ratios of one run are not.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// page is the workload list with its propagation: what the UI shows.
const page = `query($instance: String!) { instance(name: $instance) { workloads(first: 50) { totalCount nodes {
  __typename namespace name state propagation { policy { __typename } scheduled { value } applied { value } healthy { value reason }
  targets { cluster { name } desiredReplicas status { ready } freshness { state } } } } } } }`

// kinds is the resources whose first page the list needs.
var kinds = []string{"apps/v1/deployments", "apps/v1/statefulsets", "apps/v1/daemonsets", "batch/v1/jobs", "batch/v1/cronjobs"}

type bench struct {
	address, token, instance string
	store                    *http.Client
	storeURL                 string
	names                    []string
	namespaces               []string
}

func main() {
	var (
		playground = flag.String("playground", "bin/playground", "the fleet's command")
		address    = flag.String("address", envOr("KAIRSHIP_URL", "http://127.0.0.1:8080"), "where Kairship answers")
		instance   = flag.String("instance", "asia", "instance to read")
		workloads  = flag.Int("workloads", 300, "workloads to seed")
		rounds     = flag.Int("rounds", 200, "measured rounds")
		limit      = flag.Float64("limit", 2.0, "largest ratio of the p50s; above it the run fails")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *playground, *address, *instance, *workloads, *rounds, *limit)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func run(ctx context.Context, playground, address, instance string, workloads, rounds int, limit float64) error {
	b, err := prepare(ctx, playground, address, instance, workloads)
	if err != nil {
		return err
	}
	var graph, flat, waves []time.Duration
	for round := range rounds + 20 {
		var took [3]time.Duration
		for i, measured := range []func(context.Context) error{b.graphql, b.rawFlat, b.rawWaves} {
			start := time.Now()
			if err := measured(ctx); err != nil {
				return err
			}
			took[i] = time.Since(start)
		}
		// The first rounds open connections and fill the processes' pools.
		if round >= 20 {
			graph, flat, waves = append(graph, took[0]), append(flat, took[1]), append(waves, took[2])
		}
	}
	fmt.Printf("50-workload page of %s, %d workloads seeded, %d rounds interleaved\n\n", instance, workloads, rounds)
	fmt.Printf("%-58s %9s %9s %7s\n", "", "p50", "p95", "ratio")
	row := func(name string, d []time.Duration) {
		fmt.Printf("%-58s %9s %9s %7.2f\n", name, round(quantile(d, .5)), round(quantile(d, .95)), ratio(graph, d))
	}
	row("GraphQL", graph)
	row("raw: the 6 Clusterpedia requests, all in parallel", flat)
	row("raw: the same, bindings after the kinds that name them", waves)
	r := ratio(graph, flat)
	fmt.Printf("\nratio of the p50s, GraphQL to raw in parallel: %.2f (limit %.1f)\n", r, limit)
	if r > limit {
		return fmt.Errorf("the ratio %.2f is above %.1f", r, limit)
	}
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func ratio(a, b []time.Duration) float64 {
	return float64(quantile(a, .5)) / float64(quantile(b, .5))
}

func quantile(d []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[int(q*float64(len(sorted)-1))]
}

func prepare(ctx context.Context, playground, address, instance string, workloads int) (*bench, error) {
	if _, err := output(ctx, playground, "seed", "--workloads", fmt.Sprint(workloads), "--instance", instance); err != nil {
		return nil, err
	}
	token, err := output(ctx, playground, "token")
	if err != nil {
		return nil, err
	}
	kubeconfig, err := output(ctx, playground, "kubeconfig", "clusterpedia")
	if err != nil {
		return nil, err
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig of Clusterpedia: %w", err)
	}
	cfg.DisableCompression = true
	client, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("making a client of Clusterpedia: %w", err)
	}
	b := &bench{address: address, token: token, instance: instance, store: client, storeURL: cfg.Host}
	if err := b.findBindings(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// findBindings learns the names of the bindings of the page, once, from the page itself.
func (b *bench) findBindings(ctx context.Context) error {
	var answer struct {
		Data struct {
			Instance struct {
				Workloads struct {
					Nodes []struct {
						Typename  string `json:"__typename"`
						Namespace string
						Name      string
					}
				}
			}
		}
	}
	if err := b.post(ctx, &answer); err != nil {
		return err
	}
	nodes := answer.Data.Instance.Workloads.Nodes
	if len(nodes) != 50 {
		return fmt.Errorf("the page has %d workloads, want 50", len(nodes))
	}
	for _, n := range nodes {
		b.names = append(b.names, strings.ToLower(n.Name+"-"+n.Typename))
		if !slices.Contains(b.namespaces, n.Namespace) {
			b.namespaces = append(b.namespaces, n.Namespace)
		}
	}
	return nil
}

func (b *bench) graphql(ctx context.Context) error {
	var answer struct {
		Data   map[string]any
		Errors []any
	}
	if err := b.post(ctx, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("the page has errors: %v", answer.Errors)
	}
	return nil
}

func (b *bench) post(ctx context.Context, into any) error {
	body, err := json.Marshal(map[string]any{"query": page, "variables": map[string]string{"instance": b.instance}})
	if err != nil {
		return fmt.Errorf("encoding the query: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+b.token)
	return decode(http.DefaultClient, req, into)
}

// rawFlat makes the page's requests all at once, as if the bindings' names were known.
func (b *bench) rawFlat(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, kind := range kinds {
		g.Go(func() error { return b.kind(ctx, kind) })
	}
	g.Go(func() error { return b.bindings(ctx) })
	return g.Wait()
}

// rawWaves makes them as anyone must: the bindings' names come from the kinds.
func (b *bench) rawWaves(ctx context.Context) error {
	g, wave := errgroup.WithContext(ctx)
	for _, kind := range kinds {
		g.Go(func() error { return b.kind(wave, kind) })
	}
	return errors.Join(g.Wait(), b.bindings(ctx))
}

func (b *bench) kind(ctx context.Context, kind string) error {
	return b.list(ctx, kind, url.Values{"orderby": {"namespace,name"}, "limit": {"51"}, "withRemainingCount": {"true"}})
}

func (b *bench) bindings(ctx context.Context) error {
	return b.list(ctx, "work.karmada.io/v1alpha2/resourcebindings",
		url.Values{"names": {strings.Join(b.names, ",")}, "namespaces": {strings.Join(b.namespaces, ",")}, "limit": {"200"}})
}

func (b *bench) list(ctx context.Context, resource string, params url.Values) error {
	params.Set("clusters", "kairship."+b.instance)
	u := b.storeURL + "/apis/clusterpedia.io/v1beta1/resources/apis/" + resource + "?" + params.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, http.NoBody)
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	var list struct{ Items []map[string]any }
	return decode(b.store, req, &list)
}

func decode(client *http.Client, req *http.Request, into any) error {
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("asking %s: %w", req.URL.Host, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", req.URL.Host, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d: %.300s", req.URL.Path, resp.StatusCode, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decoding the answer of %s: %w", req.URL.Host, err)
	}
	return nil
}
