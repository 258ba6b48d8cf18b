// Command bench is the performance lab: it measures Kairship on a real fleet beside the raw requests to
// Clusterpedia that the same answers need, interleaved in one run, and prints ratios. Machines are noisy;
// ratios of one run are not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options of a run.
type options struct {
	playground, kairship, address, instance string

	workloads, rounds int
	limit             float64

	sizes    []int
	only     []string
	labLimit float64
	// leanLimit is the largest ratio to PostgreSQL alone.
	leanLimit float64
	growth    float64
	// fullListsLeast and perWorkloadLeast are how many times as long those ways have to take as Kairship.
	fullListsLeast, perWorkloadLeast float64
	// wide is how many clusters a second instance of the read store lab has; 0 for no such instance.
	wide int
	// more is how many further instances the read store lab has; 0 for none.
	more int
	// dashboards says that those who read from Karmada's API servers are measured, too.
	dashboards bool
	// before is another version of the product, to compare with; empty for none.
	before string

	// soak is how long many users ask at once, and memory how much the server may take of it then, in MB.
	soak   time.Duration
	memory int

	// states are the values of the state filter; one in unhealthyEvery workloads is unhealthy.
	states         []string
	unhealthyEvery int

	storm stormOptions
	// fanOut is how many subscribers there are, in steps.
	fanOut []int

	abuse      int
	abuseLimit float64
	// attack makes this process the attacker of the abuse lab.
	attack string
}

func main() {
	o := options{}
	sizes, only, states, fanOut := "", "", "", ""
	flag.StringVar(&o.playground, "playground", "bin/playground", "the fleet's command")
	flag.StringVar(&o.kairship, "kairship", "bin/kairship", "the product, which the lab starts once more to see what it asks for")
	flag.StringVar(&o.address, "address", envOr("KAIRSHIP_URL", "http://127.0.0.1:8080"), "where Kairship answers")
	flag.StringVar(&o.instance, "instance", "asia", "instance whose page is measured")
	flag.IntVar(&o.workloads, "workloads", 120, "workloads to seed there; 0 leaves this part out")
	flag.IntVar(&o.rounds, "rounds", 200, "measured rounds of that page; the read store lab makes a tenth of them")
	flag.Float64Var(&o.limit, "limit", 2.0, "largest ratio of the p50s of that page; above it the run fails")
	flag.StringVar(&sizes, "sizes", "1000,10000,100000", "workloads in the read store, in steps; empty leaves this part out")
	flag.StringVar(&only, "only", "", "questions of the read store lab by name, or attacks by a part of it, with commas between; empty for all")
	flag.Float64Var(&o.labLimit, "lab-limit", 2.5, "largest ratio of the p50s in the read store lab")
	flag.Float64Var(&o.leanLimit, "lean-limit", 5, "largest ratio of the p50s to PostgreSQL alone in the read store lab")
	flag.StringVar(&o.before, "before", "", "another version of the product, which is asked the same in the read store lab")
	flag.Float64Var(&o.growth, "growth", 1.3, "largest growth of the p50 of pages from the first to the last size")
	flag.Float64Var(&o.fullListsLeast, "full-lists-least", 20, "smallest ratio of the p50s of full lists from Karmada, with 10,000 workloads, to the same page of Kairship")
	flag.Float64Var(&o.perWorkloadLeast, "per-workload-least", 40, "smallest ratio of the p50s of requests for each workload to the same page of Kairship")
	flag.IntVar(&o.wide, "wide", 100, "clusters of a second instance in the read store lab; 0 leaves it out")
	flag.IntVar(&o.more, "more", 6, "further instances in the read store lab, for the page of all instances; 0 leaves it out")
	flag.BoolVar(&o.dashboards, "dashboards", true, "measure full lists from Karmada, and requests for each workload, beside the first page")
	flag.DurationVar(&o.soak, "soak", 30*time.Second, "how long many users ask at once at the last size of the read store lab; 0 leaves that out")
	flag.IntVar(&o.memory, "memory", 250, "most resident memory of the server under these users, in MB")
	flag.StringVar(&states, "states", "DEGRADED", "states that the state filter asks for, with commas between")
	flag.IntVar(&o.unhealthyEvery, "unhealthy", unhealthyEvery, "one workload in so many is unhealthy in a cluster; 1 for all, which is the worst for the state filter")
	flag.StringVar(&fanOut, "fan-out", "1,10,100,1000,5000", "subscribers to the same changes, in steps; empty leaves this part out")
	flag.DurationVar(&o.storm.lasts, "storm", time.Minute, "how long many changes are told to many; 0 leaves this part out")
	flag.IntVar(&o.storm.changes, "storm-changes", 300, "changes a second of these")
	flag.IntVar(&o.storm.readers, "storm-readers", 500, "subscribers to all of them")
	flag.IntVar(&o.storm.silent, "storm-silent", 20, "subscribers beside those that never read")
	flag.DurationVar(&o.storm.slowest, "storm-slowest", 0, "largest p99 from Karmada's event to the socket; above it the run fails; 0 for none: it is of this machine as much as of the product")
	flag.IntVar(&o.abuse, "abuse", 3, "rounds of each attack beside a normal query; 0 leaves this part out")
	flag.Float64Var(&o.abuseLimit, "abuse-limit", 2.0, "largest ratio of the p95s of that query, beside an attack to alone")
	flag.StringVar(&o.attack, "attack", "", "attack by this name until stdin ends, and measure nothing: the lab starts this itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	comma := func(r rune) bool { return r == ',' }
	o.only, o.states = strings.FieldsFunc(only, comma), strings.FieldsFunc(states, comma)
	var err, wrong error
	o.sizes, err = steps("sizes", sizes)
	if o.fanOut, wrong = steps("fan-out", fanOut); err == nil {
		err = wrong
	}
	if err == nil {
		err = run(ctx, &o)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// steps are growing numbers.
func steps(name, text string) (out []int, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || len(out) > 0 && n <= out[len(out)-1] {
			return nil, fmt.Errorf("-%s is %q, which is no list of growing numbers", name, text)
		}
		out = append(out, n)
	}
	return out, nil
}

func envOr(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

func run(ctx context.Context, o *options) error {
	if o.attack != "" {
		return attack(ctx, o)
	}
	f, err := openFleet(ctx, o)
	if err != nil {
		return err
	}
	var failed []error
	if o.workloads > 0 {
		failed = append(failed, measurePage(ctx, f, o), measureActs(ctx, f, o))
	}
	if len(o.fanOut) > 0 && ctx.Err() == nil {
		failed = append(failed, measureFanOut(ctx, f, o))
	}
	if o.storm.lasts > 0 && ctx.Err() == nil {
		failed = append(failed, measureStorm(ctx, f, o))
	}
	if len(o.sizes) > 0 && ctx.Err() == nil {
		failed = append(failed, measureStore(ctx, f, o))
	}
	if o.abuse > 0 && ctx.Err() == nil {
		failed = append(failed, measureAbuse(ctx, f, o))
	}
	return errors.Join(failed...)
}
