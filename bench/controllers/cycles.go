package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"time"
)

const (
	// warmUps are the cycles before the first measurement, which make what is made only once.
	warmUps = 3
	// slack is how many goroutines may come and go by chance.
	slack = 4
)

// footprint is what a process holds.
type footprint struct {
	resident, heap, goroutines float64
	watches, connections       int
	// series is how many series of metrics there are, by their name.
	series map[string]float64
}

// runCycles attaches and detaches an instance again and again, each time another one with a Karmada of
// its own, beside one that stays.
func runCycles(ctx context.Context, f *fleet, o options) error {
	if _, err := f.attach(ctx, o.content, 1); err != nil {
		return err
	}
	if err := f.cycle(ctx, o, warmUps); err != nil {
		return err
	}
	before, err := f.footprint(ctx)
	if err != nil {
		return err
	}
	slog.Info("the cycles begin", "number", o.cycles)
	began := time.Now()
	if err := f.cycle(ctx, o, o.cycles); err != nil {
		return err
	}
	took := time.Since(began)
	select {
	case <-time.After(o.settle):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := f.footprint(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d cycles of %d clusters, %s each\n\n", o.cycles, o.content.Clusters, (took / time.Duration(o.cycles)).Round(10*time.Millisecond))
	fmt.Fprintln(os.Stdout, "| | before | after |\n| --- | ---: | ---: |")
	fmt.Fprintf(os.Stdout, "| memory | %.1f MiB | %.1f MiB |\n", before.resident/mebibyte, after.resident/mebibyte)
	fmt.Fprintf(os.Stdout, "| live heap | %.1f MiB | %.1f MiB |\n", before.heap/mebibyte, after.heap/mebibyte)
	fmt.Fprintf(os.Stdout, "| goroutines | %.0f | %.0f |\n", before.goroutines, after.goroutines)
	fmt.Fprintf(os.Stdout, "| open watches | %d | %d |\n", before.watches, after.watches)
	fmt.Fprintf(os.Stdout, "| connections | %d | %d |\n", before.connections, after.connections)
	fmt.Fprintf(os.Stdout, "| series of metrics | %.0f | %.0f |\n", total(before.series), total(after.series))
	fmt.Fprintf(os.Stdout, "\nseries that are new: %s\n", enumerate(grown(after.series, before.series)))
	return left(before, after, o.cycles)
}

// left reports what remained of detached instances.
func left(before, after footprint, cycles int) error {
	var failed []error
	if after.watches != before.watches {
		failed = append(failed, fmt.Errorf("%d watches were open and %d are", before.watches, after.watches))
	}
	if after.connections != before.connections {
		failed = append(failed, fmt.Errorf("%d connections were open and %d are", before.connections, after.connections))
	}
	if math.Abs(after.goroutines-before.goroutines) > slack {
		failed = append(failed, fmt.Errorf("there were %.0f goroutines and there are %.0f", before.goroutines, after.goroutines))
	}
	// Events about an instance, some 30 KiB, are remembered for up to 12 minutes to count repetitions. Any leak is
	// larger: a transport takes 60 KiB, the state of an instance a mebibyte.
	const each, chance = 40 << 10, mebibyte / 2
	if after.heap-before.heap > float64(each*cycles)+chance {
		failed = append(failed, fmt.Errorf("the heap has grown by %.1f MiB", (after.heap-before.heap)/mebibyte))
	}
	return errors.Join(failed...)
}

func (f *fleet) cycle(ctx context.Context, o options, times int) error {
	for range times {
		names, err := f.attach(ctx, o.content, 1)
		if err != nil {
			return err
		}
		if err := f.untilReady(ctx, o.content, 2*time.Minute); err != nil {
			return err
		}
		if err := f.detach(ctx, names[0]); err != nil {
			return err
		}
	}
	return nil
}

// footprint waits until the controllers are idle and garbage was collected, and measures what they hold.
func (f *fleet) footprint(ctx context.Context) (footprint, error) {
	if err := f.untilQuiet(ctx); err != nil {
		return footprint{}, err
	}
	slog.Info("waiting until garbage was collected, which takes up to four minutes in a process at rest")
	// Two collections: what has a finalizer or is in a pool goes with the second.
	s, err := f.manager.sample(ctx)
	if err != nil {
		return footprint{}, err
	}
	until := s.sum(collections, nil) + 2
	err = poll(ctx, 5*time.Minute, time.Second, func(ctx context.Context) (string, error) {
		if s, err = f.manager.sample(ctx); err != nil {
			return "", err
		}
		if s.sum(collections, nil) < until {
			return "no garbage was collected", nil
		}
		return "", nil
	})
	if err != nil {
		return footprint{}, err
	}
	return f.holding(s), nil
}

// holding is what a process holds by its metrics; watches and connections are those of all processes.
func (f *fleet) holding(s sample) footprint {
	_, watches, connections := f.requests()
	return footprint{
		resident: s.sum(resident, nil), heap: s.sum(liveHeap, nil), goroutines: s.sum(goroutines, nil),
		watches: watches, connections: connections, series: s.series(),
	}
}
