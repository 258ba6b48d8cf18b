package status

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
)

// The components of a control plane, as status.components names them.
const (
	componentAPIServer             = "APIServer"
	componentAggregatedAPI         = "AggregatedAPI"
	componentScheduler             = "Scheduler"
	componentControllerManager     = "KarmadaControllerManager"
	componentKubeControllerManager = "KubeControllerManager"
	componentWebhook               = "Webhook"
	componentDescheduler           = "Descheduler"
	componentMetricsAdapter        = "MetricsAdapter"
	componentReadSync              = "ReadSync"
)

// components lists all of them, in the order of the status.
var components = []string{
	componentAPIServer, componentAggregatedAPI, componentScheduler, componentControllerManager, componentKubeControllerManager,
	componentWebhook, componentDescheduler, componentMetricsAdapter, componentReadSync,
}

// withoutAPIServer is why nothing is known of what only an API server reports.
const withoutAPIServer = "the Karmada API server does not answer"

// karmadaNamespace is where Karmada's components keep their Leases, in the Karmada API.
const karmadaNamespace = "karmada-system"

// leader is a component whose health shows in the Lease that it renews.
type leader struct {
	component, namespace, lease string
	// optional ones are not reported when they have no Lease.
	optional bool
}

var leaders = []leader{
	{component: componentScheduler, namespace: karmadaNamespace, lease: "karmada-scheduler"},
	{component: componentControllerManager, namespace: karmadaNamespace, lease: "karmada-controller-manager"},
	{component: componentKubeControllerManager, namespace: metav1.NamespaceSystem, lease: "kube-controller-manager"},
	{component: componentDescheduler, namespace: karmadaNamespace, lease: "karmada-descheduler", optional: true},
}

// findings are what is known of a control plane. The map is never changed.
type findings struct {
	// looked says that there was at least one look.
	looked bool
	// components by name; those that are not there are left out.
	components map[string]health.Saying
	// kubernetes is the version that the API server says it is.
	kubernetes string
}

// controlPlane follows the components of one Karmada. It belongs to one goroutine.
type controlPlane struct {
	instance string
	pace     Pace
	clock    clock.PassiveClock
	tracks   map[string]*health.Track
	leases   map[string]*health.Lease
	absent   map[string]bool

	kubernetes string
	callers    callers
	metrics    bool
	// rarely is when what hardly ever changes was last read.
	rarely time.Time
}

func newControlPlane(instance string, pace Pace, now clock.PassiveClock, before map[string]health.Saying, kubernetes string) *controlPlane {
	c := &controlPlane{
		instance: instance, pace: pace, clock: now, kubernetes: kubernetes,
		tracks: map[string]*health.Track{}, leases: map[string]*health.Lease{}, absent: map[string]bool{},
	}
	rules := map[string]health.Rule{
		componentAPIServer:      pace.apiServer(),
		componentAggregatedAPI:  pace.component(),
		componentWebhook:        pace.component(),
		componentMetricsAdapter: pace.component(),
	}
	for _, l := range leaders {
		rules[l.component] = pace.lease()
		c.leases[l.component] = &health.Lease{}
		c.absent[l.component] = l.optional
	}
	c.absent[componentMetricsAdapter] = true
	for name, rule := range rules {
		track := health.NewTrack(rule, before[name])
		c.tracks[name] = &track
	}
	return c
}

// look looks at everything once and returns when to look again. It makes at most nine requests: the API server, and
// when that answers the aggregated API, two times Leases, the admission of a policy, the metrics where there are any,
// and once a minute the version, two kinds of webhook configurations, and the metrics where there are none.
func (c *controlPlane) look(ctx context.Context, k karmada) time.Duration {
	server := c.tracks[componentAPIServer]
	found := c.timed(ctx, componentAPIServer, func(ctx context.Context) health.Saying { return askAPIServer(ctx, k) })
	if ctx.Err() != nil {
		return 0
	}
	server.Observe(c.clock.Now(), found)
	if found.State == health.Well {
		c.lookInside(ctx, k)
	}
	if server.Said().State == health.Ill && found.State != health.Well {
		c.forget()
	}
	return c.pause()
}

// forget is for an API server that is down: nothing is known of the others, and they cannot renew a Lease there.
func (c *controlPlane) forget() {
	for name, track := range c.tracks {
		if name != componentAPIServer {
			track.Forget(noEvidence(withoutAPIServer))
		}
	}
	for _, lease := range c.leases {
		lease.Forgive()
	}
	// When it is back, it may be another one, or of another version.
	c.rarely = time.Time{}
}

// lookInside looks at what only an API server that answers can show. All requests are made at once, so that one that
// hangs delays none.
func (c *controlPlane) lookInside(ctx context.Context, k karmada) {
	var aggregated, webhook, metrics health.Saying
	metricsThere := c.metrics
	rare := c.clock.Now().Sub(c.rarely) >= c.pace.Rarely
	kubernetes, who, whoErr := c.kubernetes, c.callers, error(nil)
	records := map[string]map[string]health.Record{}
	failed := map[string]error{}

	var mu sync.Mutex
	var asking sync.WaitGroup
	asking.Go(func() {
		aggregated = c.timed(ctx, componentAggregatedAPI, func(ctx context.Context) health.Saying { return askAggregated(ctx, k) })
	})
	asking.Go(func() {
		if rare {
			ctx, cancel := context.WithTimeout(ctx, c.pace.Deadline)
			who, whoErr = askCallers(ctx, k)
			cancel()
		}
		if whoErr != nil {
			webhook = noEvidence("the admission webhooks cannot be read: " + explain(whoErr))
			return
		}
		webhook = c.timed(ctx, componentWebhook, func(ctx context.Context) health.Saying { return askWebhook(ctx, k, who) })
	})
	for _, namespace := range []string{karmadaNamespace, metav1.NamespaceSystem} {
		asking.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, c.pace.Deadline)
			defer cancel()
			ask := func() (map[string]health.Record, error) { return askLeases(ctx, k, namespace) }
			if namespace == metav1.NamespaceSystem {
				// This namespace holds Leases of others as well, sometimes very many.
				ask = func() (map[string]health.Record, error) {
					return askLease(ctx, k, namespace, "kube-controller-manager")
				}
			}
			found, err := ask()
			mu.Lock()
			defer mu.Unlock()
			records[namespace], failed[namespace] = found, err
		})
	}
	if rare || c.kubernetes == "" {
		asking.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, c.pace.Deadline)
			defer cancel()
			if version := askVersion(ctx, k); version != "" {
				kubernetes = version
			}
		})
	}
	if rare || c.metrics {
		asking.Go(func() {
			metrics = c.timed(ctx, componentMetricsAdapter, func(ctx context.Context) health.Saying {
				said, there := askMetrics(ctx, k)
				metricsThere = there
				return said
			})
		})
	}
	asking.Wait()
	if ctx.Err() != nil {
		return
	}

	now := c.clock.Now()
	if rare && whoErr == nil {
		c.rarely = now
	}
	c.kubernetes, c.callers, c.metrics = kubernetes, who, metricsThere
	c.tracks[componentAggregatedAPI].Observe(now, aggregated)
	c.tracks[componentWebhook].Observe(now, webhook)
	if c.absent[componentMetricsAdapter] = !c.metrics; c.metrics {
		c.tracks[componentMetricsAdapter].Observe(now, metrics)
	}
	for _, l := range leaders {
		c.judgeLease(now, l, records[l.namespace], failed[l.namespace])
	}
}

// judgeLease judges a component by its Lease.
func (c *controlPlane) judgeLease(now time.Time, l leader, records map[string]health.Record, failed error) {
	track, lease := c.tracks[l.component], c.leases[l.component]
	name := l.namespace + "/" + l.lease
	record, ok := records[l.lease]
	switch {
	case failed != nil:
		track.Observe(now, noEvidence("Lease "+name+" cannot be read: "+explain(failed)))
	case !ok:
		*lease = health.Lease{}
		track.Observe(now, noEvidence("there is no Lease "+name+" that would tell"))
		c.absent[l.component] = l.optional && track.Said().State == health.Unknown
	default:
		c.absent[l.component] = false
		switch lease.Look(now, record) {
		case health.Well:
			track.Observe(now, well(v1alpha1.ReasonLeaseHeld, "Lease "+name+" is renewed"))
		case health.Ill:
			why := "Lease " + name + " is no longer renewed"
			if record.Holder == "" {
				why = "nobody holds Lease " + name
			}
			track.Observe(now, ill(v1alpha1.ReasonLeaseExpired, why))
		case health.Unknown:
			// Whether it is renewed shows when it changes, or has not changed for its whole duration.
			if track.Said().State == health.Unknown {
				track.Observe(now, noEvidence("it has yet to show whether Lease "+name+" is renewed"))
			}
		}
	}
}

// timed asks within the deadline, and measures how long it took.
func (c *controlPlane) timed(ctx context.Context, component string, ask func(context.Context) health.Saying) health.Saying {
	return timed(ctx, c.clock, c.pace.Deadline, component, ask)
}

// pause is how long to wait before the next look.
func (c *controlPlane) pause() time.Duration {
	now := c.clock.Now()
	pause := c.pace.Calm
	for name, track := range c.tracks {
		if !c.absent[name] {
			pause = min(pause, track.Pause(now, c.pace.Cadence))
		}
	}
	if c.tracks[componentAPIServer].Said().State != health.Well {
		return pause
	}
	for name, lease := range c.leases {
		if c.tracks[name].Said().State == health.Ill {
			continue
		}
		if lease.Unsure() {
			pause = min(pause, c.pace.Alert)
		}
		// Look again when the Lease would expire.
		if expires := lease.Expires(); expires.After(now) {
			pause = min(pause, max(expires.Sub(now), c.pace.Alert/3))
		}
	}
	return pause
}

// findings returns what is to be reported now.
func (c *controlPlane) findings() findings {
	f := findings{looked: true, components: map[string]health.Saying{}, kubernetes: c.kubernetes}
	for name, track := range c.tracks {
		if !c.absent[name] {
			f.components[name] = track.Said()
		}
	}
	return f
}
