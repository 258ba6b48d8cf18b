package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha1 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"

	"github.com/kairship-io/kairship/bench/controllers/standin"
)

// dashboards reads a page of workloads from Karmada's own API servers, in the two ways of those who have no read store.
type dashboards struct {
	// karmada holds the lab's templates and bindings in memory, in this process: a stand-in, for a real one on this machine
	// would hold nothing like as many. What that takes beside, for etcd above all, is left out, to the advantage of full
	// lists.
	karmada *standin.Karmada
	listing client.Client
	held    int
	// real is an instance of the fleet, with its members, by name: requests for each workload cost what they cost there.
	real    client.Client
	members map[string]client.Client
}

const (
	// mostListed is for how many workloads full lists are asked for: they take seconds with more.
	mostListed = 10_000
	// atOnce is how many rows are completed at the same time: a browser has six connections to a server.
	atOnce = 6
	// shown is the rows of the page.
	shown = 50
	// seeded marks workloads that a seed made; leastSeeded is how many there have to be.
	seeded      = "playground.kairship.io/seed"
	leastSeeded = 60
)

// errNotAsked is the error for a question that a contender is not asked.
var errNotAsked = errors.New("it is not asked this")

func startDashboards(ctx context.Context, f *fleet, o *options) (*dashboards, error) {
	const number = 5001
	karmada, err := standin.Start(ctx, number, standin.Content{Clusters: labClusters})
	if err != nil {
		return nil, err
	}
	d := &dashboards{karmada: karmada, members: map[string]client.Client{}}
	if err := d.connect(ctx, f, o); err != nil {
		return nil, errors.Join(err, karmada.Stop())
	}
	return d, nil
}

func (d *dashboards) connect(ctx context.Context, f *fleet, o *options) error {
	kubeconfig, err := d.karmada.Kubeconfig()
	if err != nil {
		return err
	}
	standIn, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of the stand-in: %w", err)
	}
	if d.listing, err = typed(standIn, ""); err != nil {
		return err
	}
	if _, err := f.run(ctx, "seed", "--workloads", strconv.Itoa(max(o.workloads, leastSeeded)), "--instance", o.instance); err != nil {
		return err
	}
	file, err := f.run(ctx, "kubeconfig", o.instance)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of %s: %w", o.instance, err)
	}
	if d.real, err = typed(config, ""); err != nil {
		return err
	}
	var clusters clusterv1alpha1.ClusterList
	if err := d.real.List(ctx, &clusters); err != nil {
		return fmt.Errorf("listing the clusters of %s: %w", o.instance, err)
	}
	for i := range clusters.Items {
		name := clusters.Items[i].Name
		if d.members[name], err = typed(config, "/apis/cluster.karmada.io/v1alpha1/clusters/"+name+"/proxy"); err != nil {
			return err
		}
	}
	return nil
}

// typed is a client of an API server, or of one behind it.
func typed(config *rest.Config, behind string) (client.Client, error) {
	config = rest.CopyConfig(config)
	config.Host, config.QPS, config.ContentType = config.Host+behind, -1, runtime.ContentTypeJSON
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, batchv1.AddToScheme, clusterv1alpha1.Install, workv1alpha1.Install, workv1alpha2.Install} {
		if err := add(known); err != nil {
			return nil, fmt.Errorf("registering types: %w", err)
		}
	}
	c, err := client.New(config, client.Options{Scheme: known})
	if err != nil {
		return nil, fmt.Errorf("making a client of %s: %w", config.Host, err)
	}
	return c, nil
}

// hold adds the templates and bindings of the workloads up to a number.
func (d *dashboards) hold(g *generator, size int) error {
	for ; d.held < min(size, mostListed); d.held++ {
		err := g.workload(d.held, func(r row) error {
			if r.cluster != labCluster {
				return nil
			}
			return d.karmada.Keep(schema.GroupVersionResource{Group: r.group, Version: r.version, Resource: r.resource}, r.object)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *dashboards) stop() error { return d.karmada.Stop() }

// listed reads the workloads of all kinds, in the order of the page.
func listed(ctx context.Context, from client.Client, options ...client.ListOption) ([]client.Object, error) {
	lists := []client.ObjectList{&appsv1.DeploymentList{}, &appsv1.StatefulSetList{}, &appsv1.DaemonSetList{}, &batchv1.JobList{}, &batchv1.CronJobList{}}
	g, together := errgroup.WithContext(ctx)
	for _, list := range lists {
		g.Go(func() error { return from.List(together, list, options...) })
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("listing workloads: %w", err)
	}
	var out []client.Object
	for _, list := range lists {
		err := meta.EachListItem(list, func(o runtime.Object) error {
			out = append(out, o.(client.Object))
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading a list: %w", err)
		}
	}
	slices.SortFunc(out, func(a, b client.Object) int {
		return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
	})
	return out, nil
}

func bindingOf(o client.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: o.GetNamespace(), Name: strings.ToLower(o.GetName() + "-" + kindName(o))}
}

// kindName is the kind of a typed object, which lists leave out.
func kindName(o client.Object) string {
	name := fmt.Sprintf("%T", o)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// fullLists lists everything and pages it in memory, as an API server without a read store allows.
func (d *dashboards) fullLists(ctx context.Context) error {
	var bindings workv1alpha2.ResourceBindingList
	var all []client.Object
	g, together := errgroup.WithContext(ctx)
	g.Go(func() (err error) { all, err = listed(together, d.listing); return err })
	g.Go(func() error { return d.listing.List(together, &bindings) })
	if err := g.Wait(); err != nil {
		return fmt.Errorf("listing: %w", err)
	}
	byName := make(map[types.NamespacedName]*workv1alpha2.ResourceBinding, len(bindings.Items))
	for i := range bindings.Items {
		byName[client.ObjectKeyFromObject(&bindings.Items[i])] = &bindings.Items[i]
	}
	for _, o := range all[:min(len(all), shown)] {
		if byName[bindingOf(o)] == nil {
			return fmt.Errorf("%s has no binding", o.GetName())
		}
	}
	return nil
}

// perWorkload lists the first workloads, and completes each of them: its binding, its Works, and its copies. The instance has
// fewer than ten members: as many copies are read, of the same ones more than once.
func (d *dashboards) perWorkload(ctx context.Context) error {
	all, err := listed(ctx, d.real, client.Limit(shown+1), client.HasLabels{seeded})
	if err != nil {
		return err
	}
	g, together := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, o := range all[:min(len(all), shown)] {
		g.Go(func() error { return d.complete(together, o) })
	}
	return g.Wait()
}

func (d *dashboards) complete(ctx context.Context, o client.Object) error {
	var binding workv1alpha2.ResourceBinding
	if err := d.real.Get(ctx, bindingOf(o), &binding); err != nil {
		return fmt.Errorf("reading a binding: %w", err)
	}
	var works workv1alpha1.WorkList
	id := binding.Labels[workv1alpha2.ResourceBindingPermanentIDLabel]
	if err := d.real.List(ctx, &works, client.MatchingLabels{workv1alpha2.ResourceBindingPermanentIDLabel: id}); err != nil {
		return fmt.Errorf("reading Works: %w", err)
	}
	if len(works.Items) != len(binding.Spec.Clusters) || len(works.Items) == 0 {
		return fmt.Errorf("%s is in %d clusters and has %d Works", o.GetName(), len(binding.Spec.Clusters), len(works.Items))
	}
	for i := range labTargets {
		cluster := binding.Spec.Clusters[i%len(binding.Spec.Clusters)]
		into := o.DeepCopyObject().(client.Object)
		if err := d.members[cluster.Name].Get(ctx, client.ObjectKeyFromObject(o), into); err != nil {
			return fmt.Errorf("reading the copy in %s: %w", cluster.Name, err)
		}
	}
	return nil
}
