package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

const (
	stormSpace = "kairship-bench-storm"
	// stormName is what the name of each workload begins with, before its number.
	stormName = "changing-"
	// stormObjects is how many workloads change, and stormWriters by how many requests at once.
	stormObjects, stormWriters = 120, 8
	// stormSlowest is the largest latency that is told from larger ones, in milliseconds.
	stormSlowest = 10_000
	followStorm  = `subscription($instance: String!) { workloads(instance: $instance, filter: {namespaces: ["` + stormSpace + `"]}) { type node { id name resourceVersion state } } }`
)

// stormOptions say how many are told of how much.
type stormOptions struct {
	changes, readers, silent int
	lasts                    time.Duration
	// slowest is the limit of p99; 0 for none.
	slowest time.Duration
}

// storm measures how soon many subscribers are told of many changes while others never read.
type storm struct {
	*fanOut
	o       stormOptions
	objects [stormObjects]stormObject
	// latencies counts milliseconds from Karmada's event to the socket, of each change and reader.
	latencies [stormSlowest + 1]atomic.Int64
	events    atomic.Int64
}

// stormObject is when the versions of an object were told by Karmada's own watch.
type stormObject struct {
	mu       sync.Mutex
	versions []stormVersion
}

type stormVersion struct {
	version int
	at      time.Time
}

func (o *stormObject) add(version int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.versions); n > 0 && o.versions[n-1].version >= version {
		return
	}
	o.versions = append(o.versions, stormVersion{version, time.Now()})
}

// upTo is the versions from the i-th up to one; false while that one is not known.
func (o *stormObject) upTo(i, version int) ([]stormVersion, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.versions)
	if n == 0 || o.versions[n-1].version < version {
		return nil, false
	}
	end := i
	for end < n && o.versions[end].version <= version {
		end++
	}
	return o.versions[i:end], true
}

func (o *stormObject) last() (version, count int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.versions); n > 0 {
		return o.versions[n-1].version, n
	}
	return 0, 0
}

// measureStorm changes workloads, so many a second, while some read all of it and some nothing, and says how late the first are told.
func measureStorm(ctx context.Context, f *fleet, o *options) (err error) {
	m := &storm{fanOut: &fanOut{fleet: f, instance: o.instance}, o: o.storm}
	if _, m.server, err = f.karmada(ctx, o.instance); err != nil {
		return err
	}
	if err := m.prepare(ctx); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, m.server.CoreV1().Namespaces().Delete(context.WithoutCancel(ctx), stormSpace, metav1.DeleteOptions{}))
	}()
	s, err := startServerOf(ctx, f, o.kairship, f.storeFile, o.instance, "--max-subscriptions-per-user=100000", "--max-sockets-per-user=100000",
		"--max-event-rate=100000000", "--max-rate=100000000", "--max-events-at-once=64")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	return m.run(ctx, s)
}

func (m *storm) prepare(ctx context.Context) error {
	if err := makeNamespace(ctx, m.server, stormSpace); err != nil {
		return err
	}
	for i := range stormObjects {
		if err := makeDeployment(ctx, m.server, stormSpace, idleDeployment(stormName+strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func (m *storm) run(ctx context.Context, s *server) error {
	goroutines, err := s.gauge(ctx, "go_goroutines")
	if err != nil {
		return err
	}
	resident := residentMB(s.command.Process.Pid)
	reading, leave := context.WithCancel(ctx)
	defer leave()
	var running sync.WaitGroup
	if err := m.watch(reading, &running); err != nil {
		return err
	}
	for range m.o.silent {
		if err := m.neverRead(reading, s.address); err != nil {
			return err
		}
	}
	readers := make([]*stormReader, m.o.readers)
	for i := range readers {
		var under net.Conn
		conn, err := m.subscribe(reading, s.address, followStorm, 1, &http.Transport{DialContext: func(ctx context.Context, network, addr string) (_ net.Conn, err error) {
			under, err = (&net.Dialer{}).DialContext(ctx, network, addr)
			return under, err
		}})
		if err != nil {
			return err
		}
		readers[i] = &stormReader{m: m}
		context.AfterFunc(reading, func() { _ = conn.CloseNow() })
		running.Go(func() { _ = frames(under, readers[i].told) })
	}
	if err := m.settled(ctx, readers); err != nil {
		return fmt.Errorf("the snapshot: %w", err)
	}
	for i := range m.latencies {
		m.latencies[i].Store(0)
	}
	m.events.Store(0)
	before, began := processorTime([]int{s.command.Process.Pid}), time.Now()
	sizes, err := m.change(ctx, s)
	if err != nil {
		return err
	}
	took, used, events := time.Since(began), processorTime([]int{s.command.Process.Pid})-before, m.events.Load()
	if err := m.settled(ctx, readers); err != nil {
		return fmt.Errorf("after the last change: %w", err)
	}
	changes := 0
	for i := range m.objects {
		_, n := m.objects[i].last()
		changes += n - 1
	}
	leave()
	running.Wait()
	after, err := atMost(ctx, func() (float64, error) { return s.gauge(ctx, "go_goroutines") }, goroutines+10)
	p50, p99 := m.quantile(.5), m.quantile(.99)
	fmt.Printf("storm: %d workloads of %s, %d changes in %s (%.0f a second), %d subscribers that read and %d that never do\n", stormObjects, m.instance, changes, took.Round(time.Second),
		float64(changes)/took.Seconds(), m.o.readers, m.o.silent)
	fmt.Printf("  from Karmada's event to the socket   p50 %s, p99 %s\n  every reader holds the last state of every workload\n", p50, p99)
	fmt.Printf("  events written                       %d (%.0f a second), %s of processor each\n", events, float64(events)/took.Seconds(), (used / time.Duration(max(events, 1))).Round(10*time.Nanosecond))
	fmt.Printf("  memory of the server                 %.0f MB before, %.0f, %.0f and %.0f in the thirds\n", resident, sizes[0], sizes[1], sizes[2])
	fmt.Printf("  goroutines                           %.0f before, %.0f after the last has left\n\n", goroutines, after)
	if err == nil && m.o.slowest > 0 && p99 > m.o.slowest {
		err = fmt.Errorf("p99 from Karmada's event to the socket is %s; at most %s are allowed", p99, m.o.slowest)
	}
	return err
}

// watch notes when Karmada tells of each version.
func (m *storm) watch(ctx context.Context, running *sync.WaitGroup) error {
	all, err := m.server.AppsV1().Deployments(stormSpace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing the workloads: %w", err)
	}
	for i := range all.Items {
		m.saw(&all.Items[i])
	}
	// An API server ends the watches of who is slow for a moment: it is taken up again where it was.
	w, err := watchtools.NewRetryWatcherWithContext(ctx, all.ResourceVersion, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return m.server.AppsV1().Deployments(stormSpace).Watch(ctx, o)
		}})
	if err != nil {
		return fmt.Errorf("watching the workloads: %w", err)
	}
	running.Go(func() {
		defer w.Stop()
		for e := range w.ResultChan() {
			if d, ok := e.Object.(*appsv1.Deployment); ok {
				m.saw(d)
			}
		}
	})
	return nil
}

func (m *storm) saw(d *appsv1.Deployment) {
	version, err := strconv.Atoi(d.ResourceVersion)
	number, is := strings.CutPrefix(d.Name, stormName)
	if i, wrong := strconv.Atoi(number); is && err == nil && wrong == nil {
		m.objects[i].add(version)
	}
}

// change changes the workloads, so many times a second, and returns the server's memory in the thirds, in MB.
func (m *storm) change(ctx context.Context, s *server) (sizes [3]float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.o.lasts)
	defer cancel()
	pace := rate.NewLimiter(rate.Limit(m.o.changes), 1)
	var next atomic.Int64
	var writing sync.WaitGroup
	wrong := make([]error, stormWriters)
	for i := range stormWriters {
		writing.Go(func() {
			for pace.Wait(ctx) == nil {
				n := next.Add(1)
				patch := fmt.Sprintf(`{"metadata":{"annotations":{"bench":"%d"}}}`, n)
				_, err := m.server.AppsV1().Deployments(stormSpace).Patch(ctx, fmt.Sprint(stormName, n%stormObjects), types.MergePatchType, []byte(patch), metav1.PatchOptions{})
				if err != nil && ctx.Err() == nil {
					wrong[i] = fmt.Errorf("changing a workload: %w", err)
					return
				}
			}
		})
	}
	for i := range sizes {
		select {
		case <-time.After(m.o.lasts / 3):
		case <-ctx.Done():
		}
		sizes[i] = residentMB(s.command.Process.Pid)
	}
	writing.Wait()
	return sizes, errors.Join(wrong...)
}

// stormReader reads all it is told.
type stormReader struct {
	m *storm

	mu sync.Mutex
	// held is the version of each object that was told last, and next how many of its versions were told before.
	held, next [stormObjects]int
	// early were told before Karmada's own watch has told the bench of them: they are judged once it has, and hold nothing up.
	early []stormSight
}

// stormSight is when a reader was told of a version of an object.
type stormSight struct {
	object, version int
	at              time.Time
}

// told takes a message that came at a time.
func (r *stormReader) told(message []byte, at time.Time) {
	object, version := number(message, `"name":"`+stormName), number(message, `"resourceVersion":"`)
	if object < 0 || object >= stormObjects || version < 0 {
		return
	}
	r.m.events.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[object] = version
	if sight := (stormSight{object, version, at}); len(r.early) > 0 || !r.judge(sight) {
		r.early = append(r.early, sight)
		r.catchUp()
	}
}

// judge counts how late the versions are that were told; false while it is not known.
func (r *stormReader) judge(s stormSight) bool {
	seen, known := r.m.objects[s.object].upTo(r.next[s.object], s.version)
	r.next[s.object] += len(seen)
	for _, v := range seen {
		r.m.latencies[min(max(s.at.Sub(v.at).Milliseconds(), 0), stormSlowest)].Add(1)
	}
	return known
}

func (r *stormReader) catchUp() {
	for len(r.early) > 0 && r.judge(r.early[0]) {
		r.early = r.early[1:]
	}
}

// number is the number after some text; -1 when there is none.
func number(message []byte, before string) int {
	at := bytes.Index(message, []byte(before))
	if at < 0 {
		return -1
	}
	n, digits := 0, 0
	for _, c := range message[at+len(before):] {
		if c < '0' || c > '9' {
			break
		}
		n, digits = n*10+int(c-'0'), digits+1
	}
	if digits == 0 {
		return -1
	}
	return n
}

// settled waits until every reader holds the last version of every object.
func (m *storm) settled(ctx context.Context, readers []*stormReader) error {
	behind := func() (n int) {
		for _, r := range readers {
			r.mu.Lock()
			r.catchUp()
			n += len(r.early)
			for i := range m.objects {
				if last, _ := m.objects[i].last(); r.held[i] != last {
					n++
				}
			}
			r.mu.Unlock()
		}
		return n
	}
	n, err := atMost(ctx, func() (float64, error) { return float64(behind()), nil }, 0)
	if err != nil {
		return fmt.Errorf("readers hold an older version of %.0f objects: %w", n, err)
	}
	return nil
}

// atMost asks for a number until it is at most so much, for a minute.
func atMost(ctx context.Context, number func() (float64, error), most float64) (n float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if n, err = number(); err != nil || n <= most {
			return n, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return n, ctx.Err()
		}
	}
}

func (m *storm) quantile(q float64) time.Duration {
	all := int64(0)
	for i := range m.latencies {
		all += m.latencies[i].Load()
	}
	left := int64(q * float64(all))
	for i := range m.latencies {
		if left -= m.latencies[i].Load(); left < 0 {
			return time.Duration(i) * time.Millisecond
		}
	}
	return stormSlowest * time.Millisecond
}

// neverRead subscribes and never reads.
func (m *storm) neverRead(ctx context.Context, address string) error {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4 << 10) // no large window takes what is not read
		}
		return conn, err
	}
	conn, err := m.subscribe(ctx, address, followStorm, 1, &http.Transport{DialContext: dial})
	if err == nil {
		context.AfterFunc(ctx, func() { _ = conn.CloseNow() })
	}
	return err
}
