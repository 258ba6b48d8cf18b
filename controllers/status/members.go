package status

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
)

// componentMembers is how the metrics name the probes of members.
const componentMembers = "Members"

// memberSaying is what is reported about one member.
type memberSaying struct {
	name string
	health.Saying
}

// member follows one member.
type member struct {
	track health.Track
	due   time.Time
	// doubtedFrom is since when Karmada reports that it is not ready although it answers; zero while they agree.
	doubtedFrom time.Time
}

// members follows the members of one Karmada. It belongs to one goroutine.
type members struct {
	instance string
	pace     Pace
	clock    clock.PassiveClock
	// before is what is reported about a member before its first look.
	before   health.Saying
	byName   map[string]*member
	said     []memberSaying
	everyone bool
}

func newMembers(instance string, pace Pace, now clock.PassiveClock, before health.Saying) *members {
	return &members{instance: instance, pace: pace, clock: now, before: before, byName: map[string]*member{}}
}

// look probes every member whose turn it is once, and returns when the next one's turn is. When one does not answer, it
// probes the API of clusters as well: without that none would.
func (m *members) look(ctx context.Context, k karmada, jitter func(time.Duration) time.Duration) time.Duration {
	clusters, known := k.Members()
	if !known {
		return m.pace.Calm
	}
	fresh := m.update(clusters)
	start := m.clock.Now()
	var due []string
	for name, one := range m.byName {
		// Those whose turn is soon are probed as well.
		if !one.due.After(start.Add(m.pace.Alert / 3)) {
			due = append(due, name)
		}
	}
	slices.Sort(due)
	found := m.ask(ctx, k, due)
	if ctx.Err() != nil {
		return 0
	}
	now := m.clock.Now()
	for i, name := range due {
		one := m.byName[name]
		if found[i].Reason != "" {
			one.track.Observe(now, found[i])
		}
		one.due = now.Add(one.track.Pause(now, m.pace.Cadence))
		if one.due.Sub(now) == m.pace.Calm {
			one.due = now.Add(jitter(m.pace.Calm))
		}
	}
	m.sum(now, clusters, fresh)
	m.before = health.Saying{}
	next := m.pace.Calm
	for _, one := range m.byName {
		next = min(next, max(one.due.Sub(now), 0))
	}
	return next
}

// update adds new members and drops those that are gone. It returns the new ones.
func (m *members) update(clusters []*clusterv1alpha1.Cluster) (fresh map[string]bool) {
	fresh = map[string]bool{}
	there := map[string]bool{}
	for _, c := range clusters {
		there[c.Name] = true
		if m.byName[c.Name] == nil {
			m.byName[c.Name] = &member{track: health.NewTrack(m.pace.component(), m.before)}
			fresh[c.Name] = true
		}
	}
	for name := range m.byName {
		if !there[name] {
			delete(m.byName, name)
		}
	}
	return fresh
}

// ask probes members. A result is zero when it proves nothing.
func (m *members) ask(ctx context.Context, k karmada, names []string) []health.Saying {
	found := make([]health.Saying, len(names))
	slots := make(chan struct{}, atMost)
	var asking sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		asking.Go(func() {
			found[i] = timed(ctx, m.clock, m.pace.Deadline, componentMembers, func(ctx context.Context) health.Saying { return askMember(ctx, k, name) })
			<-slots
		})
	}
	asking.Wait()
	if !slices.ContainsFunc(found, func(s health.Saying) bool { return s.State == health.Ill }) {
		return found
	}
	served := timed(ctx, m.clock, m.pace.Deadline, componentAggregatedAPI, func(ctx context.Context) health.Saying { return askAggregated(ctx, k) })
	for i := range found {
		if found[i].State == health.Ill && served.State != health.Well {
			found[i] = health.Saying{}
		}
	}
	return found
}

// sum sums up what is reported about the members: what they answer, and what Karmada reports where the two have
// differed for long.
func (m *members) sum(now time.Time, clusters []*clusterv1alpha1.Cluster, fresh map[string]bool) {
	said := make([]memberSaying, 0, len(clusters))
	m.everyone = true
	for _, c := range clusters {
		one := m.byName[c.Name]
		s := memberSaying{name: c.Name, Saying: one.track.Said()}
		if s.Reason == "" {
			// No usable answer so far.
			m.everyone = false
			continue
		}
		complaint := complaintOf(c)
		switch {
		case s.State != health.Well || complaint == "":
			one.doubtedFrom = time.Time{}
		case one.doubtedFrom.IsZero() && fresh[c.Name]:
			// The first look cannot show since when they differ.
			one.doubtedFrom = now.Add(-m.pace.Doubt)
		case one.doubtedFrom.IsZero():
			one.doubtedFrom = now
		}
		if !one.doubtedFrom.IsZero() && now.Sub(one.doubtedFrom) >= m.pace.Doubt {
			s.Saying = ill(v1alpha1.ReasonNotAnswering, complaint)
		}
		said = append(said, s)
	}
	slices.SortFunc(said, func(a, b memberSaying) int { return strings.Compare(a.name, b.name) })
	m.said = said
}

// complaintOf returns why Karmada reports that a member is not ready; empty when it does not.
func complaintOf(c *clusterv1alpha1.Cluster) string {
	ready := meta.FindStatusCondition(c.Status.Conditions, clusterv1alpha1.ClusterConditionReady)
	if ready == nil || ready.Status == metav1.ConditionTrue {
		return ""
	}
	return "answers, but Karmada says " + sentence(strings.TrimSuffix(ready.Reason+": "+ready.Message, ": "))
}
