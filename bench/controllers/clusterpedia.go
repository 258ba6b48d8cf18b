package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/controllers/virtualcluster"
)

// pediaFinalizer is that of Clusterpedia.
const pediaFinalizer = "clusterpedia.io/cluster-synchro-controller"

// clusterpedia stands in for Clusterpedia: it takes over each PediaCluster, reports that it follows it, and releases it
// when it is deleted.
type clusterpedia struct {
	client  dynamic.NamespaceableResourceInterface
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func startClusterpedia(ctx context.Context, config *rest.Config) (*clusterpedia, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	resource := virtualcluster.PediaClusterKind.GroupVersion().WithResource("pediaclusters")
	ctx, cancel := context.WithCancel(ctx)
	p := &clusterpedia{client: client.Resource(resource), cancel: cancel}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	informer := factory.ForResource(resource).Informer()
	const workers, waiting = 4, 16384
	work := make(chan *unstructured.Unstructured, waiting)
	put := func(o any) {
		if u, ok := o.(*unstructured.Unstructured); ok {
			select {
			case work <- u:
			case <-ctx.Done():
			}
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: put, UpdateFunc: func(_, o any) { put(o) }}); err != nil {
		cancel()
		return nil, fmt.Errorf("watching PediaClusters: %w", err)
	}
	for range workers {
		p.running.Go(func() {
			for {
				select {
				case u := <-work:
					if err := p.follow(ctx, u); err != nil && ctx.Err() == nil {
						slog.Warn("the stand-in for Clusterpedia failed", "cluster", u.GetName(), "error", err)
					}
				case <-ctx.Done():
					return
				}
			}
		})
	}
	p.running.Go(func() { informer.RunWithContext(ctx) })
	return p, nil
}

func (p *clusterpedia) stop() {
	p.cancel()
	p.running.Wait()
}

// follow brings one PediaCluster a step further.
func (p *clusterpedia) follow(ctx context.Context, u *unstructured.Unstructured) error {
	held := slices.Contains(u.GetFinalizers(), pediaFinalizer)
	_, told, _ := unstructured.NestedFieldNoCopy(u.Object, "status", "conditions")
	switch {
	case u.GetDeletionTimestamp() != nil && held:
		return p.patch(ctx, u, map[string]any{"metadata": map[string]any{"finalizers": []string{}}})
	case u.GetDeletionTimestamp() != nil:
		return nil
	case !held:
		// The patch triggers the next step.
		return p.patch(ctx, u, map[string]any{"metadata": map[string]any{"finalizers": []string{pediaFinalizer}}})
	case !told:
		return p.patch(ctx, u, map[string]any{"status": following(time.Now())}, "status")
	}
	return nil
}

func (p *clusterpedia) patch(ctx context.Context, u *unstructured.Unstructured, patch map[string]any, subresources ...string) error {
	raw, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("writing a patch: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err = p.client.Patch(ctx, u.GetName(), types.MergePatchType, raw, metav1.PatchOptions{FieldManager: "clusterpedia"}, subresources...)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// following is the status of a PediaCluster whose resources are all followed.
func following(now time.Time) map[string]any {
	at := now.UTC().Format(time.RFC3339)
	condition := func(kind, reason string) map[string]any {
		return map[string]any{"type": kind, "status": "True", "reason": reason, "message": "", "lastTransitionTime": at}
	}
	var resources []any
	for _, name := range []string{"deployments", "statefulsets", "daemonsets", "replicasets"} {
		resources = append(resources, map[string]any{
			"name": name, "kind": name, "namespaced": true,
			"syncConditions": []any{map[string]any{"version": "v1", "storageVersion": "v1", "status": "Syncing", "lastTransitionTime": at}},
		})
	}
	return map[string]any{
		"version":       "v1.35.0",
		"conditions":    []any{condition("Validated", "Validated"), condition("SynchroRunning", "Running"), condition("ClusterHealthy", "Healthy")},
		"syncResources": []any{map[string]any{"group": "apps", "resources": resources}},
	}
}
