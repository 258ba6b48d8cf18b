package kubelet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// local is a pod that runs here. What may change belongs to the worker of the pod's key, one at a time; the rest is
// read by all.
type local struct {
	key, namespace, name string
	uid                  types.UID
	instance, component  string
	group                string
	ip, dir              string
	hostname, subdomain  string
	labels               map[string]string
	spec                 []corev1.Container
	seen                 atomic.Pointer[seen]

	runs map[string]*run // by container
	stop context.CancelFunc
	ctx  context.Context //nolint:containedctx // ends with the pod
}

// seen is what Services need to know of a pod.
type seen struct{ ready, paused bool }

// run is a container with its process.
type run struct {
	base, holder string
	spec         atomic.Pointer[process.Spec] // nil before it was started
	waiting      *corev1.ContainerStateWaiting
	restarts     int32
	began        time.Time
}

func (k *Kubelet) syncPod(ctx context.Context, key string) error {
	namespace, name, _ := split(key)
	pod, err := k.podLister.Pods(namespace).Get(name)
	l := k.local(key)
	if apierrors.IsNotFound(err) {
		if l != nil {
			k.end(ctx, l)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking up pod %s: %w", key, err)
	}
	if l != nil && l.uid != pod.UID { // another of the same name
		k.end(ctx, l)
		l = nil
	}
	switch {
	case pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil:
		return k.bind(ctx, pod)
	case pod.Spec.NodeName != k.config.Node:
		return nil
	case pod.DeletionTimestamp != nil:
		if l != nil {
			k.end(ctx, l)
		}
		return k.gone(ctx, pod)
	case pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed:
		return nil
	}
	if l == nil {
		if l, err = k.adopt(ctx, pod); err != nil {
			return err
		}
	}
	k.publish(l.namespace, l.instance, l.group)
	k.start(ctx, l, pod)
	return k.report(ctx, l, pod)
}

func split(key string) (namespace, name string, ok bool) {
	for i := range key {
		if key[i] == '/' {
			return key[:i], key[i+1:], true
		}
	}
	return "", key, false
}

func (k *Kubelet) local(key string) *local {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pods[key]
}

// bind binds a pod that has no node yet. There is one node: it needs no scheduler.
func (k *Kubelet) bind(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := k.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: k.config.Node},
	}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("binding pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	return nil
}

// adopt gives a pod its address, its folder and its name here.
func (k *Kubelet) adopt(ctx context.Context, pod *corev1.Pod) (*local, error) {
	ip, err := k.pool.take(string(pod.UID), pod.Status.PodIP, false)
	if err != nil {
		return nil, fmt.Errorf("an address for pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	l := &local{
		key: pod.Namespace + "/" + pod.Name, namespace: pod.Namespace, name: pod.Name, uid: pod.UID,
		ip: ip, dir: filepath.Join(k.config.Dir, string(pod.UID)),
		hostname: pod.Spec.Hostname, subdomain: pod.Spec.Subdomain,
		labels: pod.Labels, spec: pod.Spec.Containers, runs: map[string]*run{},
	}
	l.instance, l.component = instanceOf(pod)
	l.group = k.names.group(pod.Namespace, l.instance)
	l.ctx, l.stop = context.WithCancel(ctx)
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		l.stop()
		return nil, fmt.Errorf("making the folder of pod %s: %w", l.key, err)
	}
	for i, c := range pod.Spec.Containers {
		base := l.group + "-" + l.component
		if i > 0 {
			base += "-" + c.Name
		}
		r := &run{base: base, holder: string(pod.UID) + "/" + c.Name}
		for _, old := range pod.Status.ContainerStatuses {
			if old.Name == c.Name {
				r.restarts = old.RestartCount
				if s, ok := k.find(r.holder); old.ContainerID != "" && (!ok || s.Began.IsZero()) {
					r.restarts++ // it ran under a former kubelet
				} else if ok {
					r.began = s.Began
				}
			}
		}
		l.runs[c.Name] = r
	}
	k.mu.Lock()
	k.pods[l.key] = l
	k.mu.Unlock()
	return l, nil
}

// find returns the process of a container.
func (k *Kubelet) find(holder string) (supervisor.Status, bool) {
	for _, s := range k.processes.Status() {
		if uid, c := holderOf(s.Spec.Pod); uid+"/"+c == holder {
			return s, true
		}
	}
	return supervisor.Status{}, false
}

// start brings the files of a pod up to date and starts what does not run yet.
func (k *Kubelet) start(ctx context.Context, l *local, pod *corev1.Pod) {
	k.writeHosts(l)
	volumes, err := materialise(pod, l.dir, l.ip, k.source)
	for _, c := range pod.Spec.Containers {
		r := l.runs[c.Name]
		if r.spec.Load() != nil {
			continue
		}
		was := r.waiting
		r.waiting = k.launch(ctx, l, pod, c, r, volumes, err)
		if r.waiting != nil && (was == nil || *was != *r.waiting) {
			k.recorder.Event(pod, corev1.EventTypeWarning, r.waiting.Reason, r.waiting.Message)
		}
	}
}

// launch starts a container, or returns why it cannot be started.
func (k *Kubelet) launch(ctx context.Context, l *local, pod *corev1.Pod, c corev1.Container, r *run, volumes map[string]string, broken error) *corev1.ContainerStateWaiting {
	if len(pod.Spec.InitContainers) > 0 {
		return waiting("CreateContainerConfigError", errInit)
	}
	p, err := program(k.config.Programs, c.Image)
	if err != nil {
		return waiting("ErrImagePull", err)
	}
	if broken != nil {
		return waiting("FailedMount", broken)
	}
	s, err := k.describe(l, pod, c, r, p, volumes)
	if err != nil {
		return waiting("CreateContainerConfigError", err)
	}
	// The supervisor retries a failed start, if it has the process.
	if err := k.processes.Ensure(ctx, s); err != nil {
		if _, ok := k.processes.Of(s.Name); !ok {
			return waiting("RunContainerError", err)
		}
	}
	r.spec.Store(&s)
	k.recorder.Eventf(pod, corev1.EventTypeNormal, "Started", "Started container %s as the process %s", c.Name, s.Name)
	k.watch(l, pod, c, r)
	return nil
}

var errInit = errors.New("the playground's kubelet runs no init containers")

func waiting(reason string, err error) *corev1.ContainerStateWaiting {
	return &corev1.ContainerStateWaiting{Reason: reason, Message: err.Error()}
}

// describe says how to run a container.
func (k *Kubelet) describe(l *local, pod *corev1.Pod, c corev1.Container, r *run, p Program, volumes map[string]string) (process.Spec, error) {
	order, env, err := environment(pod, c, l.ip, k.source)
	if err != nil {
		return process.Spec{}, err
	}
	args, err := arguments(p, c, env, r.base, l.ip)
	if err != nil {
		return process.Spec{}, err
	}
	seen, err := mounts(c, volumes, env)
	if err != nil {
		return process.Spec{}, err
	}
	ready, err := readiness(c, p, l.ip)
	if err != nil {
		return process.Spec{}, err
	}
	root := filepath.Join(l.dir, "root-"+c.Name)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return process.Spec{}, err
	}
	name := k.names.take(r.base, "", r.holder)
	s := process.Spec{
		Name: name, Group: l.group, Tier: p.Tier, Path: p.Path, Binary: p.Binary, Args: args, Dir: l.dir,
		Env: append([]string{"HOSTNAME=" + pod.Name}, p.Env...), Log: k.logOf(name), Ready: ready, Pod: podOf(pod, c.Name),
		Root: &process.Root{Dir: root, Mounts: append(seen, p.Mounts...)},
	}
	s.Root.Mounts = append(s.Root.Mounts, process.Mount{Source: l.hosts(), Target: "/etc/hosts", ReadOnly: true})
	for _, n := range order {
		s.Env = append(s.Env, n+"="+env[n])
	}
	if p.Metrics != nil {
		s.Metrics = p.Metrics.endpoint(l.ip, k.kubeconfig(l.group))
	}
	grace := 30 * time.Second
	if g := pod.Spec.TerminationGracePeriodSeconds; g != nil {
		grace = max(time.Duration(*g)*time.Second, time.Second)
	}
	if p.Grace > 0 {
		grace = min(grace, time.Duration(p.Grace))
	}
	s.StopGrace = process.Duration(grace)
	return s, nil
}

func (k *Kubelet) logOf(name string) string { return filepath.Join(k.config.Logs, name+".log") }

// watch runs the startup and liveness probes of a container, for as long as the pod is here.
func (k *Kubelet) watch(l *local, pod *corev1.Pod, c corev1.Container, r *run) {
	p := pulse{
		clock: k.clock, probes: [2]*corev1.Probe{c.StartupProbe, c.LivenessProbe},
		ask: func(ctx context.Context, e process.Endpoint) error {
			return k.prober.Probe(ctx, process.Spec{Ready: &e})
		},
		status: func() (supervisor.Status, bool) { return k.processes.Of(r.spec.Load().Name) },
		give: func(reason string) {
			k.recorder.Eventf(pod, corev1.EventTypeWarning, "Unhealthy", "Container %s is started again: %s", c.Name, reason)
			if err := k.processes.Retry(l.ctx, r.spec.Load().Name, reason); err != nil {
				k.log.Info("starting a container again failed", "pod", l.key, "error", err) // it may be going away
			}
		},
	}
	asked := false
	for i, probe := range p.probes {
		if probe == nil {
			continue
		}
		e, err := endpoint(c, probe, l.ip)
		if err != nil {
			k.recorder.Event(pod, corev1.EventTypeWarning, "Unhealthy", err.Error())
			p.probes[i] = nil
			continue
		}
		p.targets[i], asked = e, true
	}
	if asked {
		k.pulses.Go(func() { p.run(l.ctx) }) // ends with the pod, or the kubelet
	}
}

// report writes the status of a pod when it has changed.
func (k *Kubelet) report(ctx context.Context, l *local, pod *corev1.Pod) error {
	var all []observation
	paused := false
	for _, c := range pod.Spec.Containers {
		r := l.runs[c.Name]
		o := observation{container: c, waiting: r.waiting}
		if spec := r.spec.Load(); spec != nil {
			if st, ok := k.processes.Of(spec.Name); ok {
				o.process = &st
				if !st.Began.IsZero() && !st.Began.Equal(r.began) {
					if !r.began.IsZero() {
						r.restarts++
					}
					r.began = st.Began
				}
				paused = paused || st.State == supervisor.Paused
			}
		}
		o.restarts, o.id = r.restarts, fmt.Sprintf("process://%s/%d", r.holder, r.restarts)
		all = append(all, o)
	}
	s := status(pod, l.ip, all, metav1.NewTime(k.clock.Now()).Rfc3339Copy())
	ready := false
	for _, c := range s.Conditions {
		ready = ready || c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	}
	now := seen{ready: ready, paused: paused}
	if old := l.seen.Swap(&now); old == nil || *old != now {
		k.queue.Add(allServices)
	}
	if same(pod.Status, s) {
		return nil
	}
	update := pod.DeepCopy()
	update.Status = s
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	_, err := k.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, update, metav1.UpdateOptions{})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) { // the conflicting change will arrive
		return fmt.Errorf("reporting the status of pod %s: %w", l.key, err)
	}
	return nil
}

// end stops the processes of a pod and removes what they left here.
func (k *Kubelet) end(ctx context.Context, l *local) {
	l.stop()
	l.seen.Store(&seen{})
	k.queue.Add(allServices)
	var wg sync.WaitGroup
	for _, r := range l.runs {
		if s := r.spec.Load(); s != nil {
			wg.Go(func() {
				if err := k.processes.Forget(ctx, s.Name); err != nil {
					k.log.Error("ending a process failed", "process", s.Name, "error", err)
				}
			})
		}
	}
	wg.Wait()
	k.mu.Lock()
	delete(k.pods, l.key)
	var siblings []*local
	alone := true
	for _, other := range k.pods {
		if other.group == l.group {
			alone = false
			siblings = append(siblings, other)
		}
	}
	k.mu.Unlock()
	for _, r := range l.runs {
		k.names.free(r.holder)
		k.promote(ctx, siblings, r.base)
	}
	k.pool.free(string(l.uid))
	k.remove(l.dir)
	if alone {
		k.names.leave(l.group)
		if err := os.Remove(k.kubeconfig(l.group)); err != nil && !errors.Is(err, os.ErrNotExist) {
			k.log.Error("removing an instance's kubeconfig failed", "instance", l.group, "error", err)
		}
	}
}

// promote gives a plain name that has become free to another pod of the same kind.
func (k *Kubelet) promote(ctx context.Context, siblings []*local, base string) {
	for _, l := range siblings {
		for _, r := range l.runs {
			if r.base != base || r.spec.Load() == nil {
				continue
			}
			old, ok := k.names.better(base, r.holder)
			if !ok {
				return
			}
			s := *r.spec.Load()
			s.Name, s.Log = base, k.logOf(base)
			if err := k.processes.Rename(ctx, old, s); err != nil {
				k.log.Error("renaming a process failed", "process", old, "error", err)
				return
			}
			r.spec.Store(&s)
			return
		}
	}
}

// gone removes from the API server a pod of which nothing is left.
func (k *Kubelet) gone(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: new(int64), Preconditions: &metav1.Preconditions{UID: &pod.UID},
	})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return fmt.Errorf("removing pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	return nil
}
