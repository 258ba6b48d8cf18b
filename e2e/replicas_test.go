package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// balancer leads connections to replicas in turns, and to another one where one does not answer.
type balancer struct {
	net.Listener

	mu       sync.Mutex
	replicas []string
	next     int
}

func newBalancer(t *testing.T, replicas ...string) *balancer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{Listener: l, replicas: replicas}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go b.lead(conn)
		}
	}()
	return b
}

func (b *balancer) set(replicas ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas = replicas
}

func (b *balancer) lead(from net.Conn) {
	defer func() { _ = from.Close() }()
	b.mu.Lock()
	all, first := b.replicas, b.next
	b.next++
	b.mu.Unlock()
	for i := range all {
		to, err := net.DialTimeout("tcp", strings.TrimPrefix(all[(first+i)%len(all)], "http://"), time.Second)
		if err != nil {
			continue
		}
		go func() {
			_, _ = io.Copy(to, from)
			_ = to.Close()
		}()
		_, _ = io.Copy(from, to)
		_ = to.Close()
		return
	}
}

// viewer is somebody who follows the workloads of a namespace through a balancer, and comes back whenever the stream ends.
type viewer struct {
	mu     sync.Mutex
	held   map[string]string
	synced bool
	// ends are how streams ended, by close code; -1 without one.
	ends map[websocket.StatusCode]int
	// wrong is the first event that did not fit.
	wrong string
}

func (v *viewer) follow(ctx context.Context, address, namespace string) {
	for ctx.Err() == nil {
		code := v.stream(ctx, address, namespace)
		v.mu.Lock()
		v.ends[code]++
		v.mu.Unlock()
		select {
		case <-time.After(rand.N(200 * time.Millisecond)):
		case <-ctx.Done():
		}
	}
}

// stream follows until the stream ends, and returns the close code.
func (v *viewer) stream(ctx context.Context, address, namespace string) websocket.StatusCode {
	conn, err := socketOf(ctx, address, token)
	if err != nil {
		return websocket.CloseStatus(err)
	}
	defer func() { _ = conn.CloseNow() }()
	payload, _ := json.Marshal(map[string]any{"query": `subscription { workloads(instance: "asia", filter: {namespaces: ["` + namespace + `"]}) { type id node { resourceVersion } } }`})
	if wsjson.Write(ctx, conn, message{ID: "1", Type: "subscribe", Payload: payload}) != nil {
		return -1
	}
	v.mu.Lock()
	v.held, v.synced = map[string]string{}, false
	v.mu.Unlock()
	for {
		var m message
		if err := wsjson.Read(ctx, conn, &m); err != nil {
			return websocket.CloseStatus(err)
		}
		switch m.Type {
		case "ping":
			_ = wsjson.Write(ctx, conn, message{Type: "pong"})
		case "complete", "error":
			return -1
		case "next":
			var e struct {
				Data struct {
					Workloads *struct {
						Type string
						ID   string
						Node *struct{ ResourceVersion string }
					}
				}
				Errors []gqlError
			}
			if err := json.Unmarshal(m.Payload, &e); err != nil || e.Data.Workloads == nil {
				return -1 // the instance is not reached yet by a replica that has just begun
			}
			v.apply(e.Data.Workloads.Type, e.Data.Workloads.ID, e.Data.Workloads.Node)
		}
	}
}

func (v *viewer) apply(kind, id string, node *struct{ ResourceVersion string }) {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, has := v.held[id]
	bad := false
	switch kind {
	case "RESYNC":
		v.held, v.synced = map[string]string{}, false
		return
	case "SYNCED":
		bad, v.synced = v.synced, true
	case "DELETED":
		bad = !has
		delete(v.held, id)
	case "SNAPSHOT", "ADDED", "MODIFIED":
		bad = has != (kind == "MODIFIED")
		v.held[id] = node.ResourceVersion
	}
	if bad && v.wrong == "" {
		v.wrong = fmt.Sprintf("%s %s, held %t, synced %t", kind, id, has, v.synced)
	}
}

// Whoever follows changes through a balancer before two replicas is shown what is so, whichever of them ends, and however: one that is drained tells
// its clients to come back, one that is killed tells nothing.
func TestTwoReplicasBehindABalancer(t *testing.T) {
	whole(t)
	const space, viewers = "e2e-replicas", 12
	createNamespaces(t, "asia", space)
	for i := range 5 {
		makeObject(t, "asia", workloadsKinds["Deployment"], deployment(space, fmt.Sprint("app-", i)))
	}
	second := serverBeside(t)
	b := newBalancer(t, address, second.url)
	ctx, leave := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer leave()
	all := make([]*viewer, viewers)
	for i := range all {
		all[i] = &viewer{ends: map[websocket.StatusCode]int{}}
		running.Go(func() { all[i].follow(ctx, "http://"+b.Addr().String(), space) })
	}
	deployments := karmada(t, "asia").Resource(workloadsKinds["Deployment"]).Namespace(space)
	running.Go(func() { // load
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = deployments.Patch(ctx, fmt.Sprint("app-", i%4), types.MergePatchType, []byte(fmt.Sprintf(`{"metadata":{"annotations":{"e2e":"%d"}}}`, i)), metav1.PatchOptions{}) // an outage is none of its own
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	})
	// converge waits until all hold what there is; the workload that nobody else changes tells that they are not of before.
	converge := func(what string) {
		t.Helper()
		var now *unstructured.Unstructured
		eventually(t, time.Minute, func() (err error) {
			now, err = deployments.Patch(t.Context(), "app-4", types.MergePatchType, []byte(fmt.Sprintf(`{"metadata":{"annotations":{"e2e":%q}}}`, what)), metav1.PatchOptions{})
			return err
		})
		eventually(t, 30*time.Second, func() error {
			for i, v := range all {
				v.mu.Lock()
				held, synced, wrong := maps.Clone(v.held), v.synced, v.wrong
				v.mu.Unlock()
				fresh := false
				for _, version := range held {
					fresh = fresh || version == now.GetResourceVersion()
				}
				if wrong != "" || !synced || len(held) != 5 || !fresh {
					return fmt.Errorf("%s: viewer %d holds %v, synced %t, version %s is there: %t; %s", what, i, held, synced, now.GetResourceVersion(), fresh, wrong)
				}
			}
			return nil
		})
	}
	ended := func(code websocket.StatusCode) (n int) {
		for _, v := range all {
			v.mu.Lock()
			n += v.ends[code]
			v.mu.Unlock()
		}
		return n
	}
	streams := func() (n int) {
		for _, v := range all {
			v.mu.Lock()
			for _, ended := range v.ends {
				n += ended
			}
			v.mu.Unlock()
		}
		return n
	}
	converge("both")
	// What is behind the replicas is killed and comes again, while they go on: nobody has to begin anew.
	for _, part := range []string{"asia-apiserver", "etcd", "clusterpedia-apiserver", "postgres", "oidc"} {
		before := streams()
		fleetDo(t, "stop", part)
		fleetDo(t, "start", part)
		converge(part + " was restarted")
		if now := streams(); now != before {
			t.Errorf("%s was restarted, and %d streams ended", part, now-before)
		}
	}
	eventually(t, time.Minute, func() error { _, err := playground("status"); return err })
	if err := second.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	b.set(address)
	converge("one is drained")
	<-second.ended
	if n := ended(websocket.StatusServiceRestart); n == 0 {
		t.Errorf("nobody was told to come back: %d", n)
	}
	third := serverBeside(t)
	b.set(third.url)
	// The first one goes on; who is there stays there, and comes to the other one when it is stopped.
	func() {
		calm.Lock()
		defer calm.Unlock()
		fleetDo(t, "stop", "kairship-apiserver")
		defer fleetDo(t, "start", "kairship-apiserver")
		converge("the other one is stopped")
	}()
	b.set(third.url, address)
	whole(t)
	if err := third.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	converge("one is killed")
}
