package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/bench/abuse"
)

const (
	// fanOutChanges is how many changes each number of subscribers is told of, and fanOutPause the pause between two.
	fanOutChanges = 20
	fanOutPause   = 300 * time.Millisecond
	// fanOutPatience is how long the last subscriber may take to be told.
	fanOutPatience = 30 * time.Second
	fanOutSpace    = "kairship-bench-fan-out"
	fanOutName     = "followed"
	followOne      = `subscription($instance: String!) { workloads(instance: $instance, filter: {namespaces: ["` + fanOutSpace + `"]}) { type node { resourceVersion } } }`
)

// heard counts who was told of each version, and when the last one was.
type heard struct {
	mu      sync.Mutex
	told    map[string]int
	last    map[string]time.Time
	changed chan struct{}
}

func newHeard() *heard {
	return &heard{told: map[string]int{}, last: map[string]time.Time{}, changed: make(chan struct{}, 1)}
}

func (h *heard) tell(version string) {
	now := time.Now()
	h.mu.Lock()
	h.told[version]++
	h.last[version] = now
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// all waits until so many were told of a version, and returns when the last one was.
func (h *heard) all(ctx context.Context, version string, subscribers int) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, fanOutPatience)
	defer cancel()
	for {
		h.mu.Lock()
		n, last := h.told[version], h.last[version]
		h.mu.Unlock()
		if n >= subscribers {
			return last, nil
		}
		select {
		case <-h.changed:
		case <-ctx.Done():
			return last, fmt.Errorf("%d of %d subscribers were told of version %s: %w", n, subscribers, version, ctx.Err())
		}
	}
}

// fanOut measures what it costs to tell many of the same changes.
type fanOut struct {
	*fleet
	instance string
	server   *kubernetes.Clientset
	// upstream is the process of the instance's API server; 0 when it is not known.
	upstream int
}

// measureFanOut tells growing numbers of subscribers of changes of one workload, by Kairship, and by a watch of the API server for each of them.
func measureFanOut(ctx context.Context, f *fleet, o *options) (err error) {
	m := &fanOut{fleet: f, instance: o.instance}
	if err := m.connect(ctx); err != nil {
		return err
	}
	defer func() {
		gone := m.server.CoreV1().Namespaces().Delete(context.WithoutCancel(ctx), fanOutSpace, metav1.DeleteOptions{})
		err = errors.Join(err, gone)
	}()
	s, err := startServerOf(ctx, f, o.kairship, f.storeFile, o.instance, "--max-subscriptions-per-user=100000", "--max-sockets-per-user=100000",
		"--max-event-rate=100000000", "--max-rate=100000000", "--max-events-at-once=64")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	fmt.Printf("fan-out of %d changes of one workload of %s: until the last subscriber is told, and processors for one change\n\n%11s %9s %9s %12s %12s %12s   %9s %9s %12s\n", fanOutChanges, o.instance,
		"subscribers", "p50", "p95", "Kairship", "API server", "kB for each", "p50", "p95", "API server")
	fmt.Printf("%11s %58s   %s\n", "", "by Kairship", "by a watch for each")
	before := residentMB(s.command.Process.Pid)
	for _, n := range o.fanOut {
		ours, err := m.byKairship(ctx, s, n)
		if err != nil {
			return fmt.Errorf("%d subscribers of Kairship: %w", n, err)
		}
		raw, err := m.byWatches(ctx, n)
		if err != nil {
			return fmt.Errorf("%d watches: %w", n, err)
		}
		fmt.Printf("%11d %9s %9s %12s %12s %12.0f   %9s %9s %12s\n", n, round(quantile(ours.took, .5)), round(quantile(ours.took, .95)), round(ours.kairship), round(ours.upstream),
			max(0, ours.resident-before)*1000/float64(n), round(quantile(raw.took, .5)), round(quantile(raw.took, .95)), round(raw.upstream))
	}
	fmt.Println()
	return nil
}

func (m *fanOut) connect(ctx context.Context) error {
	_, client, err := m.fleet.karmada(ctx, m.instance)
	if err != nil {
		return err
	}
	m.server = client
	for _, p := range processes() {
		if filepath.Base(p.command[0]) == "kube-apiserver" && strings.Contains(strings.Join(p.command, " "), filepath.Join("pki", m.instance)+"/") {
			m.upstream = p.pid
		}
	}
	if err := makeNamespace(ctx, m.server, fanOutSpace); err != nil {
		return err
	}
	return makeDeployment(ctx, m.server, fanOutSpace, idleDeployment(fanOutName))
}

// makeNamespace makes a namespace that Karmada keeps to itself, if it is not there; one that a run before has deleted goes first.
func makeNamespace(ctx context.Context, server *kubernetes.Clientset, name string) error {
	err := until(ctx, "namespace "+name+" of a run before is gone", func(ctx context.Context) (string, error) {
		was, err := server.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err), err == nil && was.DeletionTimestamp == nil:
			return "", nil
		case err != nil:
			return "", fmt.Errorf("asking for it: %w", err)
		}
		return "it is being deleted", nil
	})
	if err != nil {
		return err
	}
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"namespace.karmada.io/skip-auto-propagation": "true"}}}
	if _, err := server.CoreV1().Namespaces().Create(ctx, space, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("making a namespace: %w", err)
	}
	return nil
}

// makeDeployment makes a workload, if it is not there.
func makeDeployment(ctx context.Context, server *kubernetes.Clientset, namespace string, d *appsv1.Deployment) error {
	if _, err := server.AppsV1().Deployments(namespace).Create(ctx, d, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("making a workload: %w", err)
	}
	return nil
}

// idleDeployment is a workload without pods.
func idleDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{Replicas: ptr.To[int32](0), Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "app:1"}}}}}}
}

// fanOutCost is what one number of subscribers cost.
type fanOutCost struct {
	// took is until the last was told, of each change; the others are processors for one change.
	took               []time.Duration
	kairship, upstream time.Duration
	// resident is the memory of Kairship at the end, in MB.
	resident float64
}

// change changes the workload, again and again, and waits each time until all were told.
func (m *fanOut) change(ctx context.Context, subscribers int, h *heard, kairship int) (c fanOutCost, err error) {
	begun, begunUpstream := processorTime([]int{kairship}), processorTime([]int{m.upstream})
	for i := range fanOutChanges {
		start := time.Now()
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"bench":"%d"}}}`, start.UnixNano())
		is, err := m.server.AppsV1().Deployments(fanOutSpace).Patch(ctx, fanOutName, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		if err != nil {
			return c, fmt.Errorf("changing the workload for the %d. time: %w", i+1, err)
		}
		last, err := h.all(ctx, is.ResourceVersion, subscribers)
		if err != nil {
			return c, err
		}
		c.took = append(c.took, last.Sub(start))
		select {
		case <-time.After(fanOutPause):
		case <-ctx.Done():
			return c, ctx.Err()
		}
	}
	c.kairship = (processorTime([]int{kairship}) - begun) / fanOutChanges
	c.upstream = (processorTime([]int{m.upstream}) - begunUpstream) / fanOutChanges
	c.resident = residentMB(kairship)
	return c, nil
}

// byKairship opens so many subscriptions, as many on one socket as may be.
func (m *fanOut) byKairship(ctx context.Context, s *server, subscribers int) (c fanOutCost, err error) {
	ctx, cancel := context.WithCancel(ctx)
	h := newHeard()
	var reading sync.WaitGroup
	defer reading.Wait()
	defer cancel()
	for left := subscribers; left > 0; left -= abuse.PerConnection {
		conn, err := m.socket(ctx, s.address, min(left, abuse.PerConnection))
		if err != nil {
			return c, err
		}
		reading.Go(func() {
			defer func() { _ = conn.CloseNow() }()
			for {
				_, message, err := conn.Read(ctx)
				if err != nil {
					return
				}
				if _, after, is := bytes.Cut(message, []byte(`"resourceVersion":"`)); is {
					version, _, _ := bytes.Cut(after, []byte(`"`))
					h.tell(string(version))
				}
			}
		})
	}
	is, err := m.server.AppsV1().Deployments(fanOutSpace).Get(ctx, fanOutName, metav1.GetOptions{})
	if err != nil {
		return c, fmt.Errorf("reading the workload: %w", err)
	}
	if _, err := h.all(ctx, is.ResourceVersion, subscribers); err != nil {
		return c, fmt.Errorf("the snapshot: %w", err)
	}
	return m.change(ctx, subscribers, h, s.command.Process.Pid)
}

// socket opens a WebSocket with some subscriptions.
func (m *fanOut) socket(ctx context.Context, address string, subscriptions int) (*websocket.Conn, error) {
	return m.subscribe(ctx, address, followOne, subscriptions, &http.Transport{})
}

func (m *fanOut) subscribe(ctx context.Context, address, query string, subscriptions int, by *http.Transport) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, address+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // there is none once the connection is upgraded
		Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: &http.Client{Transport: by}})
	if err != nil {
		return nil, fmt.Errorf("opening a WebSocket: %w", err)
	}
	conn.SetReadLimit(1 << 20)
	var ack struct{ Type string }
	err = errors.Join(wsjson.Write(ctx, conn, map[string]any{"type": "connection_init", "payload": map[string]any{"authorization": "Bearer " + m.token}}), wsjson.Read(ctx, conn, &ack))
	payload, _ := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"instance": m.instance}}) //nolint:errchkjson // strings
	for i := 0; i < subscriptions && err == nil; i++ {
		err = wsjson.Write(ctx, conn, map[string]any{"id": fmt.Sprint(i), "type": "subscribe", "payload": json.RawMessage(payload)})
	}
	if err != nil {
		_ = conn.CloseNow()
		return nil, fmt.Errorf("subscribing on a WebSocket: %w", err)
	}
	return conn, nil
}

// byWatches opens a watch of the instance's API server for each subscriber.
func (m *fanOut) byWatches(ctx context.Context, subscribers int) (c fanOutCost, err error) {
	ctx, cancel := context.WithCancel(ctx)
	h := newHeard()
	var reading sync.WaitGroup
	defer reading.Wait()
	defer cancel()
	is, err := m.server.AppsV1().Deployments(fanOutSpace).Get(ctx, fanOutName, metav1.GetOptions{})
	if err != nil {
		return c, fmt.Errorf("reading the workload: %w", err)
	}
	for range subscribers {
		w, err := m.server.AppsV1().Deployments(fanOutSpace).Watch(ctx, metav1.ListOptions{ResourceVersion: is.ResourceVersion})
		if err != nil {
			return c, fmt.Errorf("watching: %w", err)
		}
		reading.Go(func() {
			defer w.Stop()
			for e := range w.ResultChan() {
				if d, ok := e.Object.(*appsv1.Deployment); ok {
					h.tell(d.ResourceVersion)
				}
			}
		})
	}
	return m.change(ctx, subscribers, h, 0)
}
