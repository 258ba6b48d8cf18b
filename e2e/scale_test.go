package e2e

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const statefulManifests = `apiVersion: v1
kind: Namespace
metadata: {name: e2e-scale}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: e2e-scale}
spec:
  replicas: 1
  serviceName: store
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: store, image: registry.example/store:1}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: store, namespace: e2e-scale}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: StatefulSet, name: store}]
  placement: {clusterAffinity: {clusterNames: [singapore, tokyo]}}
`

func TestAStatefulSetIsScaledInEveryMember(t *testing.T) {
	t.Parallel()
	whole(t)
	removeNamespace(t, "e2e-scale")
	if got := apply(t, map[string]any{"manifests": statefulManifests}); got.outcomes() != "CREATED CREATED CREATED" {
		t.Fatalf("outcomes %q: %+v", got.outcomes(), got)
	}
	// ready waits until every member runs so many, and the graph says so.
	var id string
	ready := func(replicas int) time.Duration {
		t.Helper()
		return eventually(t, 30*time.Second, func() error {
			for _, member := range []string{"singapore", "tokyo"} {
				s, err := clientset(t, member).AppsV1().StatefulSets("e2e-scale").Get(t.Context(), "store", metav1.GetOptions{})
				if err != nil {
					return err
				}
				if int(*s.Spec.Replicas) != replicas || int(s.Status.ReadyReplicas) != replicas {
					return fmt.Errorf("%s has %d of %d replicas ready, want %d", member, s.Status.ReadyReplicas, *s.Spec.Replicas, replicas)
				}
			}
			data, err := read[struct {
				Instance struct {
					Workload *struct {
						ID, State string
						Replicas  int
					}
				}
			}](t, `{instance(name:"asia"){workload(kind:STATEFUL_SET,namespace:"e2e-scale",name:"store"){id state replicas}}}`, nil)
			if err != nil {
				return err
			}
			w := data.Instance.Workload
			state := "RUNNING"
			if replicas == 0 {
				state = "STOPPED"
			}
			if w == nil || w.State != state || w.Replicas != replicas {
				return fmt.Errorf("the graph says %+v", w)
			}
			id = w.ID
			return nil
		})
	}
	ready(1)
	for _, replicas := range []int{3, 0, 2} {
		got := into[struct {
			ScaleWorkload struct {
				Workload   *struct{ Replicas int }
				UserErrors []struct{ Message string }
			}
		}](t, `mutation($id: ID!, $n: Int!) { scaleWorkload(input: {id: $id, replicas: $n}) { workload { replicas } userErrors { message } } }`,
			map[string]any{"id": id, "n": replicas})
		if w := got.ScaleWorkload.Workload; w == nil || w.Replicas != replicas || len(got.ScaleWorkload.UserErrors) > 0 {
			t.Fatalf("scaling to %d answered %+v", replicas, got)
		}
		t.Logf("%d replicas in every member after %s", replicas, ready(replicas).Round(100*time.Millisecond))
	}
	// Under a key it is done once, and whoever sends it again is answered as the first time.
	body, err := json.Marshal(map[string]any{"query": `mutation($id: ID!) { scaleWorkload(input: {id: $id, replicas: 1}) { workload { replicas } userErrors { message } } }`, "variables": map[string]any{"id": id}})
	if err != nil {
		t.Fatal(err)
	}
	key := uuid.NewString()
	for i, want := range []string{"", ""} { // the second one is told what the first one did
		got := post(t, token, body, "Idempotency-Key", key)
		code := ""
		if len(got.Errors) > 0 {
			code = got.Errors[0].Extensions.Code
		}
		if code != want {
			t.Errorf("time %d under one key: %+v, want %q", i+1, got, want)
		}
	}
	removeNamespace(t, "e2e-scale")
}
