package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// heavySubscription finds much for each event: pods of every cluster with their events, Works, and why it is as it is.
const heavySubscription = `subscription{workloads(instance:"europe"){type id node{name state
  events(first:10){nodes{reason message}}
  propagation{diagnosis{code message} targets{clusterName cluster{name} work{name manifest}
    pods(first:20){nodes{name}} events(first:10){nodes{reason}}}}}}}`

// neighboursPage is what somebody else looks at meanwhile.
const neighboursPage = `{instance(name:"asia"){workloads(first:50){nodes{id name state propagation{targets{clusterName cluster{name}}}}}}}`

// listener reads and counts the events of one WebSocket with many subscriptions.
type listener struct {
	conn   *websocket.Conn
	events atomic.Int64
	failed atomic.Pointer[string]
}

// listen opens n heavy subscriptions on one WebSocket.
func listen(t *testing.T, ctx context.Context, bearer string, n int) *listener { //nolint:revive // as the helpers beside it: t first
	t.Helper()
	conn, err := socketOf(ctx, address, bearer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	for i := range n {
		if err := wsjson.Write(ctx, conn, map[string]any{"id": fmt.Sprint(i), "type": "subscribe", "payload": map[string]string{"query": heavySubscription}}); err != nil {
			t.Fatal(err)
		}
	}
	l := &listener{conn: conn}
	go func() { // ends with its connection
		for {
			var m message
			if err := wsjson.Read(ctx, conn, &m); err != nil {
				return
			}
			switch m.Type {
			case "next":
				l.events.Add(1)
			case "ping":
				_ = wsjson.Write(ctx, conn, message{Type: "pong"})
			case "error", "complete":
				text := m.Type + " " + string(m.Payload)
				l.failed.CompareAndSwap(nil, &text)
			}
		}
	}()
	return l
}

// churn changes a label of Deployments of an instance, up to a hundred times a second, until ctx ends; it tells how often it
// did. One change of ten is of what Karmada propagates, which has it and the members work for each; the others are of
// Deployments of its own that no policy selects, so that this machine can make so many.
func churn(t *testing.T, ctx context.Context, instance string) (changes func() int64) { //nolint:revive // as above
	t.Helper()
	const label, own = "e2e.kairship.io/churn", "e2e-churn"
	resource := client(t, instance).Resource(workloadsKinds["Deployment"])
	list, err := resource.List(ctx, metav1.ListOptions{Limit: 20})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("%s has no Deployments: %v", instance, err)
	}
	namespaces := client(t, instance).Resource(namespacesKind)
	t.Cleanup(func() { _ = namespaces.Delete(context.Background(), own, metav1.DeleteOptions{}) })
	if _, err := namespaces.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": own, "labels": map[string]any{"namespace.karmada.io/skip-auto-propagation": "true"}},
	}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	idle := make([]unstructured.Unstructured, 20)
	for i := range idle {
		labels := map[string]any{"app": fmt.Sprint("idle-", i)}
		made, err := resource.Namespace(own).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": labels["app"]},
			"spec": map[string]any{"replicas": int64(0), "selector": map[string]any{"matchLabels": labels}, "template": map[string]any{
				"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": []any{map[string]any{"name": "a", "image": "b"}}},
			}},
		}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		idle[i] = *made
	}

	var n atomic.Int64
	var group sync.WaitGroup
	work := make(chan int)
	for range 12 {
		group.Go(func() {
			for i := range work {
				d := &idle[i%len(idle)]
				if i%10 == 0 {
					d = &list.Items[i/10%len(list.Items)]
				}
				patch := fmt.Appendf(nil, `{"metadata":{"labels":{%q:"%d"}}}`, label, i)
				if _, err := resource.Namespace(d.GetNamespace()).Patch(ctx, d.GetName(), types.MergePatchType, patch, metav1.PatchOptions{}); err == nil {
					n.Add(1)
				}
			}
		})
	}
	go func() {
		defer close(work)
		every := time.NewTicker(10 * time.Millisecond)
		defer every.Stop()
		for i := 0; ; i++ {
			select {
			case <-every.C:
			case <-ctx.Done():
				return
			}
			select {
			case work <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		group.Wait()
		for _, d := range list.Items {
			_, _ = resource.Namespace(d.GetNamespace()).Patch(context.Background(), d.GetName(), types.MergePatchType,
				fmt.Appendf(nil, `{"metadata":{"labels":{%q:null}}}`, label), metav1.PatchOptions{})
		}
	})
	return n.Load
}

// percentile of durations.
func percentile(took []time.Duration, p int) time.Duration {
	took = slices.Sorted(slices.Values(took))
	return took[min(len(took)*p/100, len(took)-1)]
}

// A Viewer with as many heavy subscriptions as one may have, on an instance in which everything changes all the
// time, does not keep others from their pages. Both are measured by turns within one run, with the same changes
// going on, so that only the subscriptions make the difference.
func TestHeavySubscriptionsOfOnePersonHarmNobodyElse(t *testing.T) {
	const subscriptions, each, rounds, looks = 200, 50, 3, 40
	viewer := idTokenOf(t, "viewer")
	changing, stopChanges := context.WithCancel(t.Context())
	t.Cleanup(stopChanges) // before what churn cleans up, which waits for it
	changes := churn(t, changing, "europe")
	t.Cleanup(stopChanges)
	began := time.Now()
	delayed := metrics(t)["kairship_graphql_delayed_events_total"]

	look := func() (took []time.Duration) {
		for i := range looks {
			if i%10 == 0 && metrics(t)["kairship_read_store_circuit_open"] != 0 {
				t.Error("the circuit breaker of the read store is open")
			}
			asked := time.Now()
			into[struct{}](t, neighboursPage, nil)
			took = append(took, time.Since(asked))
		}
		return took
	}
	look() // warm
	var alone, beside []time.Duration
	var events int64
	for range rounds {
		alone = append(alone, look()...)
		ctx, end := context.WithCancel(t.Context())
		var open []*listener
		for range subscriptions / each {
			open = append(open, listen(t, ctx, viewer, each))
		}
		// Their events come one after the other, as they are paid: it may be long until each connection has had one.
		eventually(t, 20*time.Second, func() error {
			if n := metrics(t)["kairship_graphql_subscriptions"]; n < subscriptions {
				return fmt.Errorf("%v subscriptions are open", n)
			}
			if !slices.ContainsFunc(open, func(l *listener) bool { return l.events.Load() > 0 }) {
				return errors.New("no event came")
			}
			return nil
		})
		// Their own pages are answered, too.
		if own := askAs(t, viewer, `{viewer{name} instances{nodes{name}}}`, nil); len(own.Errors) > 0 {
			t.Errorf("their own page: %v", own.Errors)
		}
		beside = append(beside, look()...)
		for i, l := range open {
			if failed := l.failed.Load(); failed != nil {
				t.Errorf("connection %d: %s", i, *failed)
			}
			events += l.events.Load()
			_ = l.conn.CloseNow()
		}
		end()
		eventually(t, 20*time.Second, func() error {
			if n := metrics(t)["kairship_graphql_subscriptions"]; n >= subscriptions {
				return fmt.Errorf("%v subscriptions are open", n)
			}
			return nil
		})
	}
	after := metrics(t)
	t.Logf("%.0f changes a second, %d events, %v delayed; alone p50 %s p95 %s, beside p50 %s p95 %s", float64(changes())/time.Since(began).Seconds(), events,
		after["kairship_graphql_delayed_events_total"]-delayed,
		percentile(alone, 50), percentile(alone, 95), percentile(beside, 50), percentile(beside, 95))
	if after["kairship_graphql_delayed_events_total"] == delayed {
		t.Error("no event was delayed: the load was none")
	}
	// What lasts milliseconds is noise on a shared machine: a little is allowed beside the factor.
	if usual, now := percentile(alone, 95), percentile(beside, 95); now > 2*usual+20*time.Millisecond {
		t.Errorf("another person's page takes %s at the 95th percentile, usually %s", now, usual)
	}
}
