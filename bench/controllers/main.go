// Command controllers measures the controller manager at scale: the real program, on a real API server as
// the host cluster, with stand-ins for the APIs of hundreds of Karmadas and for Clusterpedia. It prints
// tables for docs/performance.md, and fails when what an instance costs grows with their number.
//
// With -cycles it attaches and detaches an instance many times instead, and fails when anything of it stays in the
// controller manager. With -readers it measures the API server beside that many instances, with and without a reader of
// each, and fails when anything stays after the readers have gone.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kairship-io/kairship/bench/controllers/standin"
)

// options are what is measured.
type options struct {
	kairship string
	sizes    []int
	content  standin.Content
	steady   time.Duration
	limit    float64
	cycles   int
	readers  int
	settle   time.Duration
	logs     string
}

func main() {
	o := options{sizes: []int{25, 50, 100, 200}}
	flag.StringVar(&o.kairship, "kairship", "bin/kairship", "the program")
	flag.Func("sizes", "numbers of instances, growing (default 25,50,100,200)", func(text string) (err error) {
		o.sizes, err = readSizes(text)
		return err
	})
	flag.IntVar(&o.content.Clusters, "clusters", 20, "members of each instance")
	flag.IntVar(&o.content.Workloads, "workloads", 50, "Deployments of each instance, each with a policy")
	flag.BoolVar(&o.content.Bound, "bound", false, "give each of them a binding, too, in ten clusters")
	flag.DurationVar(&o.steady, "steady", time.Minute, "how long each size is measured at rest")
	flag.Float64Var(&o.limit, "limit", 1.3, "largest ratio of what the last doubling added to twice what was there; above it the run fails")
	flag.IntVar(&o.cycles, "cycles", 0, "attach and detach an instance so many times, instead of the sizes")
	flag.IntVar(&o.readers, "readers", 0, "attach so many instances and have the API server watch each for a reader, instead of the sizes; at most 200, which one user may")
	flag.DurationVar(&o.settle, "settle", 0, "how long to wait after the last cycle; events are remembered for up to 12 minutes, to count repetitions")
	flag.StringVar(&o.logs, "logs", "", "file that receives what the controller manager logs")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		slog.Error("the measurement failed", "error", err)
		os.Exit(1)
	}
}

func readSizes(text string) ([]int, error) {
	var sizes []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n <= 0 || len(sizes) > 0 && n <= sizes[len(sizes)-1] {
			return nil, fmt.Errorf("%q is not a list of growing numbers, such as 25,50,100", text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func run(ctx context.Context, o options) (err error) {
	f, err := startFleet(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if stopErr := f.stop(); err == nil {
			err = stopErr
		}
	}()
	if o.cycles > 0 {
		return runCycles(ctx, f, o)
	}
	if o.readers > 0 {
		return runReaders(ctx, f, o)
	}
	return runSizes(ctx, f, o)
}
