// Package seed fills an instance with equal workloads, to see how things behave
// at scale. It must not know how the fleet is run.
package seed

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

const (
	// label marks what a seed made, so that only that is ever deleted.
	label = "playground.kairship.io/seed"
	// workers apply at once; more only queue in the API server on two cores.
	workers = 8
	// most is where the nodes of the demo are full of pods.
	most = 5000
)

var (
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	bindings    = schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}
	dns         = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
)

// Seed is the desired set of workloads.
type Seed struct {
	Namespace string
	Workloads int
	Replicas  int
	Clusters  []string
}

// Check returns what is wrong with the request.
func (s Seed) Check() error {
	switch {
	case s.Workloads < 0 || s.Workloads > most:
		return fmt.Errorf("--workloads is %d: allowed are 0 to %d", s.Workloads, most)
	case s.Replicas < 0 || s.Replicas > 100:
		return fmt.Errorf("--replicas is %d: allowed are 0 to 100", s.Replicas)
	case !dns.MatchString(s.Namespace):
		return fmt.Errorf("--namespace is %q: allowed are lower case letters, digits and hyphens", s.Namespace)
	}
	return nil
}

// Name is the name of the n-th workload, counted from 1.
func Name(n int) string { return fmt.Sprintf("seed-%04d", n) }

// Run makes the workloads exactly these and waits until every one is applied in every cluster. It may be repeated, with
// more or fewer.
func (s Seed) Run(ctx context.Context, c *kube.Client, timeout time.Duration, say func(string, ...any)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not done after %s", timeout))
	defer cancel()
	if err := c.Apply(ctx, s.namespace(), s.policy()); err != nil {
		return err
	}
	pruned, err := s.prune(ctx, c)
	if err != nil {
		return err
	}
	if pruned > 0 {
		say("%d surplus workloads deleted", pruned)
	}
	if err := s.apply(ctx, c); err != nil {
		return err
	}
	say("%d workloads applied", s.Workloads)
	return s.wait(ctx, c, say)
}

func (s Seed) namespace() *unstructured.Unstructured {
	return kube.Object(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.Namespace}})
}

func (s Seed) policy() *unstructured.Unstructured {
	return kube.Object(map[string]any{
		"apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy",
		"metadata": map[string]any{"namespace": s.Namespace, "name": "seed"},
		"spec": map[string]any{
			"resourceSelectors": []any{map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
				"labelSelector": map[string]any{"matchLabels": map[string]any{label: "true"}}}},
			"placement": map[string]any{
				"clusterAffinity":   map[string]any{"clusterNames": s.Clusters},
				"replicaScheduling": map[string]any{"replicaSchedulingType": "Duplicated"},
			},
		},
	})
}

func (s Seed) deployment(n int) *unstructured.Unstructured {
	labels := map[string]any{"app": Name(n), label: "true"}
	return kube.Object(map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"namespace": s.Namespace, "name": Name(n), "labels": labels},
		"spec": map[string]any{
			"replicas": s.Replicas,
			"selector": map[string]any{"matchLabels": map[string]any{"app": Name(n)}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec": map[string]any{"terminationGracePeriodSeconds": 0, "containers": []any{map[string]any{
					"name": "app", "image": "registry.k8s.io/pause:3.10",
					"resources": map[string]any{"requests": map[string]any{"cpu": "5m", "memory": "8Mi"}},
				}}},
			},
		},
	})
}

func (s Seed) prune(ctx context.Context, c *kube.Client) (int, error) {
	r := c.Resource(deployments, s.Namespace)
	list, err := r.List(ctx, metav1.ListOptions{LabelSelector: label + "=true"})
	if err != nil {
		return 0, fmt.Errorf("listing what an earlier seed made: %w", err)
	}
	var surplus []string
	for _, o := range list.Items {
		if o.GetName() > Name(s.Workloads) {
			surplus = append(surplus, o.GetName())
		}
	}
	err = together(ctx, len(surplus), func(ctx context.Context, n int) error {
		if err := r.Delete(ctx, surplus[n], metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("deleting surplus %s: %w", surplus[n], err)
		}
		return nil
	})
	return len(surplus), err
}

func (s Seed) apply(ctx context.Context, c *kube.Client) error {
	return together(ctx, s.Workloads, func(ctx context.Context, n int) error {
		return c.Apply(ctx, s.deployment(n+1))
	})
}

// together does n things, some at once, until one fails.
func together(ctx context.Context, n int, do func(context.Context, int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		next atomic.Int64
		wg   sync.WaitGroup
		errs = make([]error, workers)
	)
	for w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[w] = do(ctx, i); errs[w] != nil {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if next.Load() < int64(n) { // none failed, but not everything was done
		return context.Cause(ctx)
	}
	return nil
}

// wait returns when exactly the workloads asked for are bound and every cluster
// has reported each of them.
func (s Seed) wait(ctx context.Context, c *kube.Client, say func(string, ...any)) error {
	last := -1
	return kube.Wait(ctx, time.Second, "the workloads in their clusters", func(ctx context.Context) (bool, string) {
		list, err := c.Resource(bindings, s.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err.Error()
		}
		done, surplus := 0, 0
		for _, o := range list.Items {
			name, _, _ := unstructured.NestedString(o.Object, "spec", "resource", "name") // always there
			switch {
			case name > Name(s.Workloads):
				surplus++
			case s.healthy(&o):
				done++
			}
		}
		if step := max(1, s.Workloads/10); last < 0 || done/step != last/step {
			say("%d of %d healthy in %d clusters", done, s.Workloads, len(s.Clusters))
			last = done
		}
		return done == s.Workloads && surplus == 0, fmt.Sprintf("%d of %d are healthy, %d are surplus", done, s.Workloads, surplus)
	})
}

func (s Seed) healthy(binding *unstructured.Unstructured) bool {
	status, _, _ := unstructured.NestedSlice(binding.Object, "status", "aggregatedStatus") // absent: not yet
	healthy := 0
	for _, item := range status {
		if m, ok := item.(map[string]any); ok {
			if applied, _ := m["applied"].(bool); applied && m["health"] == "Healthy" {
				healthy++
			}
		}
	}
	return healthy == len(s.Clusters)
}
