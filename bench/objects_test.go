package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha1 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

func labGenerator() *generator {
	g := &generator{instance: "lab", start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), unhealthyEvery: unhealthyEvery}
	for i := range labClusters {
		g.members = append(g.members, memberName(i))
	}
	return g
}

func TestRowsAreWhatTheirColumnsSay(t *testing.T) {
	kinds, unplaced, unhealthy := map[string]int{}, 0, 0
	for i := range 500 {
		err := labGenerator().workload(i, func(r row) error {
			into := map[string]metav1.Object{"Deployment": &appsv1.Deployment{}, "StatefulSet": &appsv1.StatefulSet{}, "DaemonSet": &appsv1.DaemonSet{},
				"Job": &batchv1.Job{}, "CronJob": &batchv1.CronJob{}, "ResourceBinding": &workv1alpha2.ResourceBinding{},
				"Work": &workv1alpha1.Work{}, "PropagationPolicy": &policyv1alpha1.PropagationPolicy{}, "ReplicaSet": &appsv1.ReplicaSet{}, "Pod": &corev1.Pod{}, "Event": &corev1.Event{}}[r.kind]
			if err := json.Unmarshal(r.object, into); err != nil {
				return fmt.Errorf("%s %s: %w\n%s", r.kind, r.name, err, r.object)
			}
			kinds[r.kind]++
			if into.GetName() != r.name || into.GetNamespace() != r.namespace || string(into.GetUID()) != r.uid || into.GetResourceVersion() != r.resourceVersion ||
				!into.GetCreationTimestamp().Time.Equal(r.created) || into.GetAnnotations()["shadow.clusterpedia.io/cluster-name"] != r.cluster {
				return fmt.Errorf("the columns of %s %s/%s say otherwise than its object: %s", r.kind, r.namespace, r.name, r.object)
			}
			if owner := metav1.GetControllerOf(into); (owner != nil) != (r.owner != "") || owner != nil && string(owner.UID) != r.owner {
				return fmt.Errorf("%s %s has the owner %q, its object %v", r.kind, r.name, r.owner, owner)
			}
			if b, ok := into.(*workv1alpha2.ResourceBinding); ok {
				if len(b.Spec.Clusters) != len(b.Status.AggregatedStatus) {
					return fmt.Errorf("%s is in %d clusters, of which %d report", r.name, len(b.Spec.Clusters), len(b.Status.AggregatedStatus))
				}
				if len(b.Spec.Clusters) == 0 {
					unplaced++
				}
				for _, item := range b.Status.AggregatedStatus {
					if item.Health == workv1alpha2.ResourceUnhealthy {
						unhealthy++
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ResourceBinding", "Work", "PropagationPolicy", "ReplicaSet", "Pod", "Event"} {
		if kinds[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	if unplaced == 0 || unhealthy == 0 {
		t.Errorf("%d are unplaced, %d unhealthy: the state filter has nothing to find", unplaced, unhealthy)
	}
}

func TestTheSameNumberMakesTheSameRows(t *testing.T) {
	collect := func() (out []string) {
		for i := range 20 {
			if err := labGenerator().workload(i, func(r row) error {
				out = append(out, fmt.Sprintf("%s %s %s", r.cluster, r.name, r.object))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	first, second := collect(), collect()
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("row %d differs:\n%s\n%s", i, first[i], second[i])
		}
	}
}

func TestALongerWordIsNotTakenForItsBeginning(t *testing.T) {
	if got, want := words("$name", "a", "$namespace", "b").Replace("$namespace/$name"), "b/a"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
