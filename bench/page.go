package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// workloadRow is a row of the workload list with its propagation, as the UI shows it.
const workloadRow = `__typename namespace name state propagation { policy { __typename } scheduled { value } applied { value } healthy { value reason }
  targets { cluster { name } desiredReplicas status { ready } freshness { state } } }`

// page is its first page.
const page = `query($instance: String!) { instance(name: $instance) { workloads(first: 50) { totalCount nodes { ` + workloadRow + ` } } } }`

// kinds is the resources whose first page the list needs.
var kinds = []string{"apps/v1/deployments", "apps/v1/statefulsets", "apps/v1/daemonsets", "batch/v1/jobs", "batch/v1/cronjobs"}

// pageRatio measures the first page of an instance of the fleet beside the six requests that anyone would
// make for it without Kairship.
type pageRatio struct {
	*fleet
	address, instance string
	// names and namespaces of the bindings of the page.
	names, namespaces []string
}

func measurePage(ctx context.Context, f *fleet, o *options) error {
	if _, err := f.run(ctx, "seed", "--workloads", fmt.Sprint(o.workloads), "--instance", o.instance); err != nil {
		return err
	}
	b := &pageRatio{fleet: f, address: o.address, instance: o.instance}
	if err := b.findBindings(ctx); err != nil {
		return err
	}
	var graph, flat, waves []time.Duration
	const warmUp = 20 // opens connections and fills the processes' pools
	for round := range o.rounds + warmUp {
		var took [3]time.Duration
		for i, measured := range []func(context.Context) error{b.graphql, b.rawFlat, b.rawWaves} {
			start := time.Now()
			if err := measured(ctx); err != nil {
				return err
			}
			took[i] = time.Since(start)
		}
		if round >= warmUp {
			graph, flat, waves = append(graph, took[0]), append(flat, took[1]), append(waves, took[2])
		}
	}
	fmt.Printf("50-workload page of %s, %d workloads seeded, %d rounds interleaved\n\n", o.instance, o.workloads, o.rounds)
	fmt.Printf("%-58s %9s %9s %7s\n", "", "p50", "p95", "ratio")
	row := func(name string, d []time.Duration) {
		fmt.Printf("%-58s %9s %9s %7.2f\n", name, round(quantile(d, .5)), round(quantile(d, .95)), ratio(graph, d))
	}
	row("GraphQL", graph)
	row("raw: the 6 Clusterpedia requests, all in parallel", flat)
	row("raw: the same, bindings after the kinds that name them", waves)
	r := ratio(graph, flat)
	fmt.Printf("\nratio of the p50s, GraphQL to raw in parallel: %.2f (limit %.1f)\n\n", r, o.limit)
	if r > o.limit {
		return fmt.Errorf("the ratio %.2f of the page is above %.1f", r, o.limit)
	}
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// ratio is that of two p50s; 0 when one of them was not measured.
func ratio(a, b []time.Duration) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return float64(quantile(a, .5)) / float64(quantile(b, .5))
}

func quantile(d []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[int(q*float64(len(sorted)-1))]
}

// findBindings reads the names of the bindings of the page, once, from the page itself.
func (b *pageRatio) findBindings(ctx context.Context) error {
	var data struct {
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
	if err := b.query(ctx, b.address, page, map[string]any{"instance": b.instance}, &data); err != nil {
		return err
	}
	nodes := data.Instance.Workloads.Nodes
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

func (b *pageRatio) graphql(ctx context.Context) error {
	var data map[string]any
	return b.query(ctx, b.address, page, map[string]any{"instance": b.instance}, &data)
}

// rawFlat makes the page's requests all at once, as if the bindings' names were known.
func (b *pageRatio) rawFlat(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, kind := range kinds {
		g.Go(func() error { return b.kind(ctx, kind) })
	}
	g.Go(func() error { return b.bindings(ctx) })
	return g.Wait()
}

// rawWaves makes them in the order a client needs: the bindings' names come from the kinds.
func (b *pageRatio) rawWaves(ctx context.Context) error {
	g, wave := errgroup.WithContext(ctx)
	for _, kind := range kinds {
		g.Go(func() error { return b.kind(wave, kind) })
	}
	return errors.Join(g.Wait(), b.bindings(ctx))
}

func (b *pageRatio) kind(ctx context.Context, kind string) error {
	return b.list(ctx, kind, url.Values{"orderby": {"namespace,name"}, "limit": {"51"}, "withRemainingCount": {"true"}})
}

func (b *pageRatio) bindings(ctx context.Context) error {
	return b.list(ctx, "work.karmada.io/v1alpha2/resourcebindings",
		url.Values{"names": {strings.Join(b.names, ",")}, "namespaces": {strings.Join(b.namespaces, ",")}, "limit": {"200"}})
}

func (b *pageRatio) list(ctx context.Context, resource string, params url.Values) error {
	params.Set("clusters", "kairship."+b.instance)
	return b.raw(ctx, "/apis/clusterpedia.io/v1beta1/resources/apis/"+resource+"?"+params.Encode())
}
