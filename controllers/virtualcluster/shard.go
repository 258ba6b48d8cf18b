package virtualcluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// CheckShards returns what is wrong with the names of the shards.
func CheckShards(shards []string) error {
	for i, shard := range shards {
		if problems := validation.IsDNS1123Label(shard); len(problems) > 0 {
			return fmt.Errorf("%q is not the --sharding-name of a synchro manager: %s", shard, problems[0])
		}
		if slices.Contains(shards[:i], shard) {
			return fmt.Errorf("%q is there twice", shard)
		}
	}
	return nil
}

// place chooses the shard that follows a PediaCluster, by rendezvous hashing: every shard bids for it,
// and the highest bid wins. So a shard that is added takes its share evenly from the others, one that is
// removed leaves its own to them, and nothing else moves. Without shards the name is empty: there is one
// synchro manager, which has none.
func place(shards []string, cluster string) string {
	var chosen string
	var highest uint64
	for _, shard := range shards {
		sum := sha256.Sum256([]byte(shard + "/" + cluster))
		bid := binary.BigEndian.Uint64(sum[:])
		if chosen == "" || bid > highest || (bid == highest && shard < chosen) {
			chosen, highest = shard, bid
		}
	}
	return chosen
}

// shardOf is the shard that should follow a PediaCluster.
func shardOf(object *unstructured.Unstructured) string {
	shard, _, _ := unstructured.NestedString(object.Object, "spec", "shardingName")
	return shard
}

// holderOf is the shard that follows a PediaCluster now. held is false while none does.
func holderOf(object *unstructured.Unstructured) (shard string, held bool) {
	shard, held, _ = unstructured.NestedString(object.Object, "status", "shardingName")
	return shard, held
}

// leaseSlack is how long after its end the Lease of a synchro manager still counts as held: clocks differ, and two
// managers of one PediaCluster would overwrite each other.
const leaseSlack = 30 * time.Second

// takeOver frees PediaClusters from a shard that no longer exists. A synchro manager hands over only what it releases
// itself; one that was removed together with its shard would hold its PediaClusters, including those that are being
// deleted, forever.
func (c *Controller) takeOver(ctx context.Context, objects []*unstructured.Unstructured) error {
	var failed []error
	gone := map[string]bool{}
	for _, object := range objects {
		holder, held := holderOf(object)
		if !held || holder == shardOf(object) && object.GetDeletionTimestamp() == nil || c.serves(holder) {
			continue
		}
		if _, asked := gone[holder]; !asked {
			stopped, err := c.stopped(ctx, holder)
			if err != nil {
				return err
			}
			gone[holder] = stopped
		}
		if !gone[holder] {
			continue
		}
		failed = append(failed, c.free(ctx, object, holder))
	}
	return errors.Join(failed...)
}

// serves reports whether a shard is configured.
func (c *Controller) serves(shard string) bool {
	if len(c.options.Shards) == 0 {
		return shard == ""
	}
	return slices.Contains(c.options.Shards, shard)
}

// stopped reports whether the synchro manager of a shard is known not to run. Each shard elects a leader by a Lease;
// without one nothing is known.
func (c *Controller) stopped(ctx context.Context, shard string) (bool, error) {
	name := synchroLease
	if shard != "" {
		name += "-" + shard
	}
	var lease coordinationv1.Lease
	err := c.Live.Get(ctx, client.ObjectKey{Namespace: c.options.ClusterpediaNamespace, Name: name}, &lease)
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading Lease %q: %w", name, err)
	case lease.Spec.RenewTime == nil || lease.Spec.LeaseDurationSeconds == nil:
		return false, nil
	}
	end := lease.Spec.RenewTime.Add(time.Duration(*lease.Spec.LeaseDurationSeconds)*time.Second + leaseSlack)
	return c.Clock.Now().After(end), nil
}

// synchroLease is the Lease of Clusterpedia's synchro manager; that of a shard appends a dash and its name.
const synchroLease = "clusterpedia-clustersynchro-manager"

// free takes a PediaCluster from the shard that held it.
func (c *Controller) free(ctx context.Context, object *unstructured.Unstructured, holder string) error {
	before := object.DeepCopy()
	freed := object.DeepCopy()
	unstructured.RemoveNestedField(freed.Object, "status", "shardingName")
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := c.Client.Status().Patch(ctx, freed, patch, fieldOwner); err != nil {
		return fmt.Errorf("taking PediaCluster %q from shard %q: %w", object.GetName(), holder, err)
	}
	writesCounter.WithLabelValues(PediaClusterKind.Kind, "patch").Inc()
	c.Logger.Info("a PediaCluster was taken from a shard that is no more", "pediacluster", object.GetName(), "shard", holder, "to", shardOf(object))
	c.Events.Eventf(object, nil, corev1.EventTypeNormal, "ShardTakenOver", actionSync, "shard %q, which held it, does not run any more", holder)
	return nil
}
