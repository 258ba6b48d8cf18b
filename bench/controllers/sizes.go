package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/bench/controllers/standin"
)

// measured is the result of one size.
type measured struct {
	instances int

	// Attaching the instances that this size adds.
	added      int
	ready      time.Duration
	attachCPU  float64
	reconciles map[string]histogram
	failures   float64
	hostWrites map[string]float64
	peak       float64

	// At rest.
	resident, heap, goroutines float64
	watches, connections       int
	cpu, perMinute             float64 // share of one core; passes
	restWrites                 map[string]float64
	requests                   standin.Counts
	over                       time.Duration

	change change
}

// change is what it cost until a new node of a member was counted.
type change struct {
	took       time.Duration
	hostWrites map[string]float64
	// requests to the Karmada that were not probes.
	requests standin.Counts
}

func runSizes(ctx context.Context, f *fleet, o options) error {
	slog.Info("measuring without instances")
	var rows []measured
	row := measured{}
	if err := f.atRest(ctx, &row, o.steady/2); err != nil {
		return err
	}
	rows = append(rows, row)
	for _, size := range o.sizes {
		row := measured{instances: size, added: size - rows[len(rows)-1].instances}
		slog.Info("attaching instances", "number", row.added)
		if err := f.attaching(ctx, &row, o.content); err != nil {
			return err
		}
		slog.Info("all are ready", "after", row.ready.Round(time.Second))
		if err := f.atRest(ctx, &row, o.steady); err != nil {
			return err
		}
		if err := f.changing(ctx, &row); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	report(os.Stdout, rows, o)
	return judge(rows, o.limit)
}

// attaching attaches instances and waits until they are ready.
func (f *fleet) attaching(ctx context.Context, row *measured, content standin.Content) error {
	before, hostBefore, err := f.samples(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := f.attach(ctx, content, row.added); err != nil {
		return err
	}
	if err := f.untilReady(ctx, content, 10*time.Minute); err != nil {
		return err
	}
	row.ready = time.Since(began)
	if err := f.untilQuiet(ctx); err != nil {
		return err
	}
	after, hostAfter, err := f.samples(ctx)
	if err != nil {
		return err
	}
	row.attachCPU = after.sum(cpuSeconds, nil) - before.sum(cpuSeconds, nil)
	row.failures = after.failures() - before.failures()
	row.hostWrites = grown(hostWrites(hostAfter), hostWrites(hostBefore))
	row.reconciles = map[string]histogram{}
	old := before.durations("controller_runtime_reconcile_time_seconds", "controller")
	for name, h := range after.durations("controller_runtime_reconcile_time_seconds", "controller") {
		row.reconciles[name] = h.since(old[name])
	}
	row.peak = f.manager.peak()
	return nil
}

// untilQuiet waits until no controller has had anything to do for a while.
func (f *fleet) untilQuiet(ctx context.Context) error {
	const quiet = 5 * time.Second
	last, since := -1.0, time.Now()
	return poll(ctx, 2*time.Minute, time.Second, func(ctx context.Context) (string, error) {
		s, err := f.manager.sample(ctx)
		if err != nil {
			return "", err
		}
		// One or two a second are not left over from attaching.
		if n := s.reconciles(); n > last+2 || s.waiting() > 0 {
			last, since = n, time.Now()
		}
		if time.Since(since) < quiet {
			return "the controllers do not come to rest", nil
		}
		return "", nil
	})
}

// atRest measures for a while in which nothing happens.
func (f *fleet) atRest(ctx context.Context, row *measured, over time.Duration) error {
	before, hostBefore, err := f.samples(ctx)
	if err != nil {
		return err
	}
	asked, _, _ := f.requests()
	began := time.Now()
	select {
	case <-time.After(over):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, hostAfter, err := f.samples(ctx)
	if err != nil {
		return err
	}
	row.over = time.Since(began)
	all, watches, connections := f.requests()
	row.requests, row.watches, row.connections = all.Since(asked), watches, connections
	row.cpu = (after.sum(cpuSeconds, nil) - before.sum(cpuSeconds, nil)) / row.over.Seconds()
	row.perMinute = (after.reconciles() - before.reconciles()) / row.over.Minutes()
	row.restWrites = grown(hostWrites(hostAfter), hostWrites(hostBefore))
	row.resident, row.heap, row.goroutines = after.sum(resident, nil), after.sum(liveHeap, nil), after.sum(goroutines, nil)
	return nil
}

// changing adds a node to a member of one instance, and waits until the instance shows it.
func (f *fleet) changing(ctx context.Context, row *measured) error {
	names := f.names()
	name := names[len(names)/2]
	k := f.karmadas[name]
	instance := &v1alpha1.Instance{}
	instance.Name = name
	if err := f.host.Client.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
		return fmt.Errorf("reading instance %q: %w", name, err)
	}
	want := instance.Status.Statistics.Nodes.Total + 1
	_, hostBefore, err := f.samples(ctx)
	if err != nil {
		return err
	}
	asked := k.Requests.Counts()
	began := time.Now()
	if err := k.AddNode(0); err != nil {
		return err
	}
	err = poll(ctx, time.Minute, 5*time.Millisecond, func(ctx context.Context) (string, error) {
		if err := f.host.Client.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
			return "", fmt.Errorf("reading instance %q: %w", name, err)
		}
		if have := instance.Status.Statistics.Nodes.Total; have != want {
			return fmt.Sprintf("instance %q has %d nodes, want %d", name, have, want), nil
		}
		return "", nil
	})
	if err != nil {
		return err
	}
	row.change.took = time.Since(began)
	// Includes what follows from it.
	if err := f.untilQuiet(ctx); err != nil {
		return err
	}
	_, hostAfter, err := f.samples(ctx)
	if err != nil {
		return err
	}
	row.change.hostWrites = grown(hostWrites(hostAfter), hostWrites(hostBefore))
	row.change.requests = k.Requests.Counts().Since(asked)
	for request := range row.change.requests {
		if request.Probe() {
			delete(row.change.requests, request)
		}
	}
	return nil
}

// samples are the metrics of the controller manager and of the host cluster's API server.
func (f *fleet) samples(ctx context.Context) (manager, host sample, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if manager, err = f.manager.sample(ctx); err != nil {
		return nil, nil, err
	}
	discovery, err := discovery.NewDiscoveryClientForConfig(f.host.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	raw, err := discovery.RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the host cluster's metrics: %w", err)
	}
	host, err = readSample(bytes.NewReader(raw))
	return manager, host, err
}
