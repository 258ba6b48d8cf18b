package kubelet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

const (
	// agent is how the kubelet introduces itself to the API server.
	agent = "kairship-playground-kubelet"
	// workers is how many pods are worked on at once. One that ends occupies a worker for as long as its programs take.
	workers = 16
	// allServices is the one item of the queue that is not a pod.
	allServices = "services"
)

// Kubelet is the node at work.
type Kubelet struct {
	config    Config
	client    kubernetes.Interface
	processes Processes
	log       *slog.Logger
	clock     clock.Clock
	pool      *pool
	names     *names
	prober    *supervisor.Prober
	queue     workqueue.TypedRateLimitingInterface[string]
	recorder  record.EventRecorder

	podLister     corelisters.PodLister
	serviceLister corelisters.ServiceLister
	source        source

	mu      sync.Mutex
	pods    map[string]*local // by namespace/name
	entries []entry
	// forwarders belong to whoever works on allServices: one at a time.
	forwarders map[string]*forwarder
	pulses     sync.WaitGroup
	first      chan struct{}
}

// New returns a kubelet that does nothing yet.
func New(c Config, p Processes, log *slog.Logger) (*Kubelet, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the host's kubeconfig: %w", err)
	}
	config.QPS, config.UserAgent, config.WarningHandler = -1, agent, rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of the host: %w", err)
	}
	return newKubelet(c, client, p, clock.RealClock{}, log), nil
}

func newKubelet(c Config, client kubernetes.Interface, p Processes, clk clock.Clock, log *slog.Logger) *Kubelet {
	return &Kubelet{
		config: c, client: client, processes: p, clock: clk, log: log.With("node", c.Node),
		pool: newPool(c.Addresses), names: newNames(c.Reserved), prober: &supervisor.Prober{},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](100*time.Millisecond, 15*time.Second)),
		pods: map[string]*local{}, forwarders: map[string]*forwarder{}, first: make(chan struct{}),
	}
}

// Config is what it was made with.
func (k *Kubelet) Config() Config { return k.config }

// Settled returns when every pod that existed at the start has been looked at: from then on, no status is from before
// the start.
func (k *Kubelet) Settled(ctx context.Context) error {
	select {
	case <-k.first:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the kubelet: %w", context.Cause(ctx))
	}
}

// Run works until ctx ends. Processes stay as they are then: they belong to the
// supervisor.
func (k *Kubelet) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer k.queue.ShutDown()
	if err := k.register(ctx); err != nil {
		return // ctx ended
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: k.client.CoreV1().Events("")})
	k.recorder = broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: k.config.Node})

	factory := informers.NewSharedInformerFactory(k.client, 0)
	k.follow(factory)
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			k.log.Info("ended before it knew the host's objects", "kind", kind)
			return
		}
	}
	k.processes.Watch(func(s process.Spec) {
		if pod := s.Pod; pod != "" && ctx.Err() == nil {
			k.queue.Add(keyOf(pod))
		}
	})
	k.recover(ctx)
	defer k.closeForwarders()
	defer k.pulses.Wait()
	defer cancel()
	k.pass(ctx)
	close(k.first)
	k.log.Info("runs the host's pods", "addresses", k.config.Addresses.First)

	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { // ends when the queue is shut down
			for k.work(ctx) {
			}
		})
	}
	<-ctx.Done()
	k.queue.ShutDown()
	wg.Wait()
}

func (k *Kubelet) follow(f informers.SharedInformerFactory) {
	core := f.Core().V1()
	handle := func(i cache.SharedIndexInformer, told func(o metav1.Object)) {
		one := func(o any) {
			if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = gone.Obj
			}
			if m, ok := o.(metav1.Object); ok {
				told(m)
			}
		}
		// It fails only for an informer that was stopped.
		_, _ = i.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: one, DeleteFunc: one, UpdateFunc: func(_, o any) { one(o) },
		})
	}
	ofNamespace := func(o metav1.Object) {
		for _, key := range k.keys(o.GetNamespace()) {
			k.queue.Add(key)
		}
	}
	handle(core.Pods().Informer(), func(o metav1.Object) { k.queue.Add(o.GetNamespace() + "/" + o.GetName()) })
	handle(core.Services().Informer(), func(metav1.Object) { k.queue.Add(allServices) })
	handle(core.Secrets().Informer(), ofNamespace)
	handle(core.ConfigMaps().Informer(), ofNamespace)
	k.podLister, k.serviceLister = core.Pods().Lister(), core.Services().Lister()
	k.source = listed{core.Secrets().Lister(), core.ConfigMaps().Lister()}
}

// listed reads from the caches of the informers.
type listed struct {
	secrets    corelisters.SecretLister
	configMaps corelisters.ConfigMapLister
}

func (l listed) secret(namespace, name string) (*corev1.Secret, error) {
	return l.secrets.Secrets(namespace).Get(name)
}

func (l listed) configMap(namespace, name string) (*corev1.ConfigMap, error) {
	return l.configMaps.ConfigMaps(namespace).Get(name)
}

// keys are the pods of a namespace that are at work here.
func (k *Kubelet) keys(namespace string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []string
	for key, l := range k.pods {
		if l.namespace == namespace {
			all = append(all, key)
		}
	}
	return all
}

// recover takes over addresses and processes from a former kubelet, and removes folders and processes of pods that are
// gone.
func (k *Kubelet) recover(ctx context.Context) {
	pods, err := k.podLister.List(labels.Everything())
	if err != nil { // a lister of an informer's cache has none to give
		k.log.Error("listing pods failed", "error", err)
	}
	uids := map[string]bool{}
	for _, p := range pods {
		uids[string(p.UID)] = true
		if p.Status.PodIP != "" {
			_, _ = k.pool.take(string(p.UID), p.Status.PodIP, false) // when none is left, the pod tries again
		}
	}
	for _, s := range k.processes.Status() {
		if s.Spec.Pod == "" {
			continue
		}
		uid, container := holderOf(s.Spec.Pod)
		if uids[uid] {
			k.names.take(s.Spec.Name, s.Spec.Name, uid+"/"+container)
			continue
		}
		if err := k.processes.Forget(ctx, s.Spec.Name); err != nil {
			k.log.Error("ending a process of a pod that is gone failed", "process", s.Spec.Name, "error", err)
		}
	}
	folders, err := os.ReadDir(k.config.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.log.Error("reading the folder of pods failed", "error", err)
	}
	for _, f := range folders {
		if f.IsDir() && !uids[f.Name()] {
			k.remove(filepath.Join(k.config.Dir, f.Name()))
		}
	}
}

// pass looks at everything once.
func (k *Kubelet) pass(ctx context.Context) {
	pods, err := k.podLister.List(labels.Everything())
	if err != nil {
		k.log.Error("listing pods failed", "error", err)
	}
	// Addresses of Services first: pods start with their names.
	if err := k.syncServices(ctx); err != nil {
		k.queue.AddRateLimited(allServices)
	}
	var wg sync.WaitGroup
	for _, p := range pods {
		wg.Go(func() {
			key := p.Namespace + "/" + p.Name
			if err := k.syncPod(ctx, key); err != nil {
				k.queue.AddRateLimited(key)
			}
		})
	}
	wg.Wait()
}

func (k *Kubelet) work(ctx context.Context) bool {
	item, down := k.queue.Get()
	if down {
		return false
	}
	defer k.queue.Done(item)
	var err error
	if item == allServices {
		err = k.syncServices(ctx)
	} else {
		err = k.syncPod(ctx, item)
	}
	if err == nil {
		k.queue.Forget(item)
		return true
	}
	if ctx.Err() == nil {
		k.log.Info("trying again", "item", item, "error", err)
		k.queue.AddRateLimited(item)
	}
	return true
}

// Repair starts what was stopped and thaws what was paused on demand: the fleet should be up.
func (k *Kubelet) Repair(ctx context.Context) error {
	var errs []error
	for _, s := range k.processes.Status() {
		if s.Spec.Pod != "" && (s.State == supervisor.Stopped || s.State == supervisor.Paused) {
			errs = append(errs, k.processes.Ensure(ctx, s.Spec))
		}
	}
	return errors.Join(errs...)
}

func (k *Kubelet) remove(dir string) {
	if err := os.RemoveAll(dir); err != nil {
		k.log.Error("removing the files of a pod failed", "dir", dir, "error", err)
	}
}

// A process says for which container it runs: namespace/name/uid/container.
func podOf(p *corev1.Pod, container string) string {
	return strings.Join([]string{p.Namespace, p.Name, string(p.UID), container}, "/")
}

func keyOf(pod string) string {
	parts := strings.SplitN(pod, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func holderOf(pod string) (uid, container string) {
	parts := append(strings.SplitN(pod, "/", 4), "", "", "", "")
	return parts[2], parts[3]
}

// sorted are the pods at work here, by name.
func (k *Kubelet) sorted() []*local {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []*local
	for _, l := range k.pods {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *local) int { return strings.Compare(a.key, b.key) })
	return all
}
