package virtualcluster_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func shardOf(t *testing.T, name string) string {
	t.Helper()
	shard, _, _ := unstructured.NestedString(appears(t, name).Object, "spec", "shardingName")
	return shard
}

// hold does what the synchro manager of a shard does when it takes a PediaCluster.
func hold(t *testing.T, name, shard string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		u := appears(t, name)
		if err := unstructured.SetNestedField(u.Object, shard, "status", "shardingName"); err != nil {
			t.Fatal(err)
		}
		return text(host.Client.Status().Update(t.Context(), u))
	})
}

func TestVirtualClustersAreSpreadOverShardsAndMoveWithThem(t *testing.T) {
	karmada := testenv.NewKarmada(t, first)
	names := []string{"kairship.asia"}
	for _, member := range []string{"m1", "m2", "m3", "m4", "m5", "m6"} {
		karmada.Join(member, http.StatusOK)
		names = append(names, "kairship.asia."+member)
	}
	r := start(t, "one", "two")
	attach(t, "asia", karmada.Kubeconfig("kairship"))
	placed := map[string]string{}
	for _, name := range names {
		placed[name] = shardOf(t, name)
		hold(t, name, placed[name])
	}
	used := func() []string {
		var out []string
		for _, shard := range placed {
			out = append(out, shard)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if diff := cmp.Diff([]string{"one", "two"}, used()); diff != "" {
		t.Fatalf("shards in use (-want +got):\n%s", diff)
	}
	testenv.Eventually(t, func() string {
		status := instance(t, "asia").Status.VirtualCluster
		if status == nil {
			return "no status"
		}
		return cmp.Diff([]string{"one", "two"}, status.Shards)
	})
	r.stop()

	// Shard two goes. What it held is to move, but only when its synchro manager is known not to run.
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: clusterpediaNamespace, Name: "clusterpedia-clustersynchro-manager-two"},
		Spec:       coordinationv1.LeaseSpec{RenewTime: ptr.To(metav1.NowMicro()), LeaseDurationSeconds: ptr.To[int32](10)},
	}
	if err := host.Client.Create(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), lease) })
	r = start(t, "one")
	for _, name := range names {
		testenv.Eventually(t, func() string { return cmp.Diff("one", shardOf(t, name)) })
	}
	holders := func() map[string]string {
		out := map[string]string{}
		for _, name := range names {
			out[name], _, _ = unstructured.NestedString(appears(t, name).Object, "status", "shardingName")
		}
		return out
	}
	if diff := cmp.Diff(placed, holders()); diff != "" {
		t.Errorf("taken from a shard that still runs (-want +got):\n%s", diff)
	}
	r.clock.SetTime(time.Now().Add(time.Hour))
	update(t, "kairship.asia", func(u *unstructured.Unstructured) { u.SetAnnotations(map[string]string{"look": "again"}) })
	want := map[string]string{}
	for name, shard := range placed {
		if want[name] = shard; shard == "two" {
			want[name] = ""
		}
	}
	testenv.Eventually(t, func() string { return cmp.Diff(want, holders()) })
	r.stop()

	// Without shards there is one synchro manager, without a name.
	start(t)
	for _, name := range names {
		testenv.Eventually(t, func() string { return cmp.Diff("", shardOf(t, name)) })
	}
}

func TestAVirtualClusterThatIsBeingDeletedIsTakenFromAShardThatIsNoMore(t *testing.T) {
	karmada := testenv.NewKarmada(t, first)
	members := []string{"m1", "m2", "m3", "m4", "m5", "m6"}
	for _, member := range members {
		karmada.Join(member, http.StatusOK)
	}
	r := start(t, "one", "two")
	attach(t, "asia", karmada.Kubeconfig("kairship"))
	for _, member := range members {
		appears(t, "kairship.asia."+member)
	}
	leaver := members[slices.IndexFunc(members, func(m string) bool { return shardOf(t, "kairship.asia."+m) == "two" })]
	name := "kairship.asia." + leaver
	takeUp(t, name)
	hold(t, name, "two")
	r.stop()

	// Its synchro manager is gone with shard two: nobody but Kairship can let go of what it held.
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: clusterpediaNamespace, Name: "clusterpedia-clustersynchro-manager-two"},
		Spec:       coordinationv1.LeaseSpec{RenewTime: ptr.To(metav1.NewMicroTime(time.Now().Add(-time.Hour))), LeaseDurationSeconds: ptr.To[int32](10)},
	}
	if err := host.Client.Create(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), lease) })
	if err := host.Client.Delete(t.Context(), appears(t, name)); err != nil {
		t.Fatal(err)
	}
	karmada.Leave(leaver)
	start(t, "one")
	leaving(t, name)
	testenv.Eventually(t, func() string {
		u := appears(t, name)
		if holder, held, _ := unstructured.NestedString(u.Object, "status", "shardingName"); held {
			return "it is held by shard " + holder
		}
		return cmp.Diff("two", shardOf(t, name)) // nobody moves what is being deleted
	})
}
