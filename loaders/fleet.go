package loaders

import (
	"sync"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders/batch"
)

// remembered is what an operation has looked up of the fleet: hundreds of rows name the same few clusters, and all fields
// of one answer say the same of each.
type remembered struct {
	mu        sync.Mutex
	instances map[string]*model.Instance
	states    map[string]map[string]*model.Cluster
	clusters  map[place]*model.Cluster
	freshness map[place]*model.Freshness
}

// place is a member, or the instance itself when cluster is empty.
type place struct{ instance, cluster string }

// once returns what is remembered under a key; it is looked up the first time. Failures are not remembered.
func once[K comparable, V any](r *remembered, all *map[K]V, key K, look func() (V, error)) (V, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := (*all)[key]; ok {
		return known, nil
	}
	found, err := look()
	if err != nil {
		return found, err
	}
	if *all == nil {
		*all = map[K]V{}
	}
	(*all)[key] = found
	return found, nil
}

// Instance is the instance that an object is in.
func (k *Loaders) Instance(name string) (*model.Instance, error) {
	return once(&k.remembered, &k.remembered.instances, name, func() (*model.Instance, error) { return k.source.Fleet.Instance(k.scope, name) })
}

// Cluster is the member that an object is in; nil when there is none any more.
func (k *Loaders) Cluster(instance, name string) (*model.Cluster, error) {
	return once(&k.remembered, &k.remembered.clusters, place{instance, name}, func() (*model.Cluster, error) { return k.source.Fleet.Cluster(k.scope, instance, name) })
}

// Freshness is how fresh the rows of a member are, or of the instance itself when cluster is empty.
func (k *Loaders) Freshness(instance, cluster string) *model.Freshness {
	f, _ := once(&k.remembered, &k.remembered.freshness, place{instance, cluster}, func() (*model.Freshness, error) { return k.source.Fleet.Freshness(instance, cluster), nil })
	return f
}

// clusterStates is the members of an instance by name; nil when they are not known.
func (k *Loaders) clusterStates(instance string) map[string]*model.Cluster {
	states, _ := once(&k.remembered, &k.remembered.states, instance, func() (map[string]*model.Cluster, error) {
		return k.source.Fleet.ClusterStates(k.scope, instance), nil
	})
	return states
}

// joinClusters makes the clusters of targets a batch, so that what is read of them is read for all at once.
func (k *Loaders) joinClusters(targets []*model.PropagationTarget) {
	var all []*model.Cluster
	known := map[place]bool{}
	for _, t := range targets {
		at := place{t.InstanceName, t.ClusterName}
		if known[at] {
			continue
		}
		known[at] = true
		if c, err := k.Cluster(t.InstanceName, t.ClusterName); err == nil && c != nil && k.Batch(c) == nil {
			all = append(all, c)
		}
	}
	batch.Join(k.Operation, all)
}
