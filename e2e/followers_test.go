package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// watchesOf is how many watches of each resource an instance's API server says that it serves.
func watchesOf(t *testing.T, instance string) map[string]int {
	t.Helper()
	server, err := kubernetes.NewForConfig(config(t, instance))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := server.RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	// Karmada serves members by an API server of its own, behind the other.
	for _, line := range strings.Split(string(raw)+"\n"+fleetDo(t, "metrics", instance+"-aggregated-apiserver"), "\n") {
		labels, isGauge := strings.CutPrefix(line, "apiserver_longrunning_requests{")
		if !isGauge || !strings.Contains(labels, `verb="WATCH"`) {
			continue
		}
		_, after, _ := strings.Cut(labels, `resource="`)
		resource, _, _ := strings.Cut(after, `"`)
		_, value, _ := strings.Cut(labels, "} ")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[resource] += int(n)
	}
	return out
}

// sharedWatches are those that the servers of the fleet hold at an instance for subscriptions, by resource.
func sharedWatches(t *testing.T, instance string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, resource := range followedResources {
		held := metricsOf(t, func(series string) bool {
			return strings.Contains(series, `instance="`+instance+`"`) && strings.Contains(series, `resource="`+resource+`"`)
		})["kairship_live_watches"]
		out[resource] = int(held)
	}
	return out
}

// followedResources are what workloads are joined from.
var followedResources = []string{"clusters", "resourcebindings", "deployments", "statefulsets", "daemonsets", "jobs", "cronjobs"}

// memoryOf is the resident memory of a process, in kilobytes.
func memoryOf(t *testing.T, pid int) int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		t.Logf("the memory of process %d is not known here: %v", pid, err)
		return 0
	}
	for lines := bufio.NewScanner(strings.NewReader(string(raw))); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "VmRSS:" {
			n, _ := strconv.Atoi(fields[1])
			return n
		}
	}
	return 0
}

// crowd are many subscriptions on few sockets.
type crowd struct {
	synced, failed atomic.Int64
	wrong          atomic.Pointer[string]
	conns          []*websocket.Conn
}

// join opens n subscriptions on one socket and counts those that are in step.
func (c *crowd) join(t *testing.T, url string, n int, document string) {
	t.Helper()
	conn, err := socketOf(t.Context(), url, token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	c.conns = append(c.conns, conn)
	for i := range n {
		if err := wsjson.Write(t.Context(), conn, map[string]any{"id": strconv.Itoa(i), "type": "subscribe", "payload": map[string]string{"query": document}}); err != nil {
			t.Fatal(err)
		}
	}
	go func() { // ends with its connection
		for {
			var m message
			if wsjson.Read(t.Context(), conn, &m) != nil {
				return
			}
			switch {
			case m.Type == "ping":
				_ = wsjson.Write(t.Context(), conn, message{Type: "pong"})
			case m.Type == "next" && strings.Contains(string(m.Payload), `"SYNCED"`):
				c.synced.Add(1)
			case m.Type == "error" || strings.Contains(string(m.Payload), `"errors"`):
				text := string(m.Payload)
				c.failed.Add(1)
				c.wrong.CompareAndSwap(nil, &text)
			}
		}
	}()
}

// A thousand subscribers to two instances cost each API server one watch for each kind, and none once they have left.
func TestAThousandSubscribersShareTheirWatches(t *testing.T) {
	whole(t)
	const sockets, each = 20, 50
	second := serverWith(t, []string{"--max-subscriptions-per-user=2000", "--watch-linger=3s"})
	instances := []string{"asia", "europe"}
	// What the fleet's own server holds comes and goes with other tests.
	others := func() map[string]int {
		out := map[string]int{}
		for _, instance := range instances {
			all, ours := watchesOf(t, instance), sharedWatches(t, instance)
			for _, resource := range followedResources {
				out[instance+" "+resource] = all[resource] - ours[resource]
			}
		}
		return out
	}
	// Karmada's own parts begin watches again whenever theirs end: a round in which they did says nothing.
	const rounds = 4
	for round := 1; ; round++ {
		before := others()
		c := &crowd{}
		alone := memoryOf(t, second.cmd.Process.Pid)
		for i := range sockets {
			filter := fmt.Sprintf(`filter: {nameContains: %q}`, string(rune('a'+i)))
			if i%4 == 0 {
				filter = `filter: {}`
			}
			c.join(t, second.url, each, fmt.Sprintf(`subscription { workloads(instance: %q, %s) { type id node { name state } } }`, instances[i%2], filter))
		}
		eventually(t, 2*time.Minute, func() error {
			if n, failed := c.synced.Load(), c.failed.Load(); n < sockets*each || failed > 0 {
				wrong := ""
				if w := c.wrong.Load(); w != nil {
					wrong = *w
				}
				return fmt.Errorf("%d of %d are in step, %d failed: %s", n, sockets*each, failed, wrong)
			}
			return nil
		})
		t.Logf("%d subscribers: %d kB of memory for each, the race detector's share included", sockets*each, (memoryOf(t, second.cmd.Process.Pid)-alone)/(sockets*each))
		// One more of each while they are there, and none when they have left.
		more := func(n int) func() string {
			return func() (wrong string) {
				now := others()
				for _, of := range slices.Sorted(maps.Keys(before)) {
					if got := now[of] - before[of]; got != n {
						wrong += fmt.Sprintf("%s: %d more watches than before, want %d; ", of, got, n)
					}
				}
				return wrong
			}
		}
		wrong := settles(more(1))
		for _, conn := range c.conns {
			_ = conn.CloseNow()
		}
		wrong += settles(more(0))
		if wrong == "" {
			return
		}
		if t.Logf("round %d: %s", round, wrong); round == rounds {
			t.Fatal("in no round did each API server serve one more watch of each kind")
		}
	}
}

// settles asks until nothing is wrong, for a while, and returns what is wrong at the end.
func settles(what func() (wrong string)) string {
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if wrong := what(); wrong == "" || time.Now().After(end) {
			return wrong
		}
	}
}

// logReader is somebody who follows the logs of many pods.
type logReader struct {
	mu sync.Mutex
	// last is the number of the last line of each pod, and lines and lost how many came, and how many did not.
	last map[string]int
	// begun are the pods whose logs come.
	begun       map[string]bool
	lines, lost int
	wrong       string
}

func (r *logReader) take(raw json.RawMessage) {
	var e struct {
		Data struct {
			PodLogs *struct {
				Lines   []struct{ Cluster, Pod, Text string }
				Dropped int
				Ended   []struct {
					Pod   string
					Error *struct{ Code, Message string }
				}
			}
		}
		Errors []gqlError
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := json.Unmarshal(raw, &e); err != nil || e.Data.PodLogs == nil {
		r.wrong = string(raw)
		return
	}
	r.lost += e.Data.PodLogs.Dropped
	for _, end := range e.Data.PodLogs.Ended {
		r.wrong = fmt.Sprintf("the log of %s ended: %+v", end.Pod, end.Error)
	}
	for _, l := range e.Data.PodLogs.Lines {
		r.begun[l.Cluster+"/"+l.Pod] = true
		number, mine := strings.CutPrefix(l.Text, "e2e-line-")
		n, err := strconv.Atoi(strings.TrimRight(number, "."))
		if !mine || err != nil {
			continue
		}
		of := l.Cluster + "/" + l.Pod
		if n <= r.last[of] {
			r.wrong = fmt.Sprintf("line %d of %s came after line %d", n, of, r.last[of])
		}
		r.last[of] = n
		r.lines++
	}
}

// The logs of forty pods in three members, five thousand lines a second together, reach a person in the order of each pod; what was dropped on
// the way is counted. Who follows a log in a member of the playground takes one of the few watches of files that a machine allows, so it is one
// person; podlogs.TestManyFollowTheLogsOfManyPods is with ten, one of whom never reads.
func TestTheLogsOfManyPodsComeInTheirOrder(t *testing.T) {
	whole(t)
	const space, name, each, pods, seconds, rate = "e2e-logs", "chatty", 14, 40, 5, 125
	createNamespaces(t, "asia", space)
	d := deployment(space, name)
	d["spec"].(map[string]any)["replicas"] = int64(each)
	makeObject(t, "asia", workloadsKinds["Deployment"], d)
	p := propagationPolicy(space, name, "apps/v1", "Deployment", name)
	p["spec"].(map[string]any)["placement"] = map[string]any{"clusterAffinity": map[string]any{"clusterNames": []any{"hangzhou", "singapore", "tokyo"}}}
	makeObject(t, "asia", policyResource("propagationpolicies"), p)
	var running []map[string]any
	eventually(t, time.Minute, func() error {
		running = nil
		for _, member := range []string{"hangzhou", "singapore", "tokyo"} {
			list, err := client(t, member).Resource(podResource).Namespace(space).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				return err
			}
			for _, pod := range list.Items {
				if fieldOf(&pod, "status", "phase") == "Running" {
					running = append(running, map[string]any{"cluster": member, "namespace": space, "pod": pod.GetName()})
				}
			}
		}
		if len(running) < pods {
			return fmt.Errorf("%d pods run", len(running))
		}
		running = running[:pods]
		return nil
	})
	// All pods of the playground's members log what is in one file.
	file := filepath.Join(stateDir(), "config", "pod.log")
	was, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Truncate(file, was.Size()) })

	second := serverWith(t, []string{"--max-event-rate=1000000", "--max-rate=1000000"})
	input := map[string]any{"instance": "asia", "follow": true, "tailLines": 0, "also": running[1:]}
	for key, value := range running[0] {
		input[key] = value
	}
	reader := &logReader{last: map[string]int{}, begun: map[string]bool{}}
	stream := subscribeAt(t, second.url, token, `subscription($in: PodLogsInput!) { podLogs(input: $in) { lines { cluster pod text } dropped ended { pod error { code message } } } }`, map[string]any{"in": input})
	go func() { // ends with the stream
		for raw := range stream.events {
			reader.take(raw)
		}
	}()
	log, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	say := func(text string) {
		if _, err := fmt.Fprintf(log, "%s stdout F %s\n", time.Now().UTC().Format(time.RFC3339Nano), text); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, time.Minute, func() error {
		say("is anybody there?")
		reader.mu.Lock()
		defer reader.mu.Unlock()
		if n := len(reader.begun); n < pods || reader.wrong != "" {
			return fmt.Errorf("%d pods are followed: %s", n, reader.wrong)
		}
		return nil
	})
	before := memoryOf(t, second.cmd.Process.Pid)
	writing, stop := context.WithTimeout(t.Context(), seconds*time.Second)
	defer stop()
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	written := 0
	for began := time.Now(); writing.Err() == nil; {
		for ; written < int(time.Since(began).Seconds()*rate); written++ {
			say(fmt.Sprintf("e2e-line-%d%s", written+1, strings.Repeat(".", 80)))
		}
		select {
		case <-tick.C:
		case <-writing.Done():
		}
	}
	most := 0
	eventually(t, time.Minute, func() error {
		most = max(most, memoryOf(t, second.cmd.Process.Pid))
		reader.mu.Lock()
		defer reader.mu.Unlock()
		switch {
		case reader.wrong != "":
			t.Fatal(reader.wrong)
		case reader.lines+reader.lost != pods*written:
			return fmt.Errorf("%d lines came, and %d are said to be dropped, of %d", reader.lines, reader.lost, pods*written)
		}
		return nil
	})
	t.Logf("%d lines a second: %d were read and %d said to be dropped; memory %d kB before, %d at most", pods*written/seconds, reader.lines, reader.lost, before, most)
	if grown := most - before; grown > 300<<10 {
		t.Errorf("the server's memory has grown by %d kB", grown)
	}
}

// Whoever may not read a log is told so by the member, in its words.
func TestALogThatIsNotTheirsIsRefusedByTheMember(t *testing.T) {
	whole(t)
	const space = "e2e-nobodys-log"
	createNamespaces(t, "asia", space)
	d := deployment(space, "quiet")
	d["spec"].(map[string]any)["replicas"] = int64(1)
	makeObject(t, "asia", workloadsKinds["Deployment"], d)
	makeObject(t, "asia", policyResource("propagationpolicies"), propagationPolicy(space, "quiet", "apps/v1", "Deployment", "quiet"))
	pod := podOf(t, "hangzhou", space)
	s := subscribeAs(t, idTokenOf(t, "editor"), `subscription($in: PodLogsInput!) { podLogs(input: $in) { lines { text } ended { error { code message } } } }`,
		map[string]any{"in": map[string]any{"instance": "asia", "cluster": "hangzhou", "namespace": space, "pod": pod}})
	select {
	case raw := <-s.events:
		if text := string(raw); !strings.Contains(text, `"FORBIDDEN"`) || !strings.Contains(text, "kairship:oidc:editor") || !strings.Contains(text, "pods/log") {
			t.Errorf("got %s", text)
		}
	case <-time.After(30 * time.Second):
		t.Error("nothing is said")
	}
}
