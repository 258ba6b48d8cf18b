package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

const (
	// randomTime is how long operations of one seed are tried, and randomAnswer how long the slowest may take.
	randomTime   = 12 * time.Second
	randomAnswer = 2 * time.Second
)

// Whatever somebody types is answered in time, or refused with what is wrong: no operation is an error of the server's
// own. Mutations are dry runs, or name what is not there.
func TestNoOperationIsAnInternalErrorOrSlow(t *testing.T) {
	whole(t)
	defer survived(t)()
	values, ids := typedOnTheFleet(t)
	schema := loadSchema(t).Schema
	for _, seed := range schematest.Seeds(t) {
		t.Run(fmt.Sprintf("%s=%d", schematest.SeedVariable, seed), func(t *testing.T) {
			random := schematest.NewRandom(schema, seed, values, ids)
			codes := map[string]int{}
			var slowest time.Duration
			tried := 0
			for until := time.Now().Add(randomTime); time.Now().Before(until) && !t.Failed(); tried++ {
				operation := random.Query()
				if tried%5 == 4 {
					operation = random.Mutation()
				}
				status, answered, took := try(t, operation)
				slowest = max(slowest, took)
				if status >= http.StatusInternalServerError || took > randomAnswer {
					t.Errorf("status %d after %s, of %s", status, took, requestBody(t, operation))
				}
				if len(answered.Errors) == 0 {
					codes["well"]++
				}
				for _, e := range answered.Errors {
					codes[e.Extensions.Code]++
					if e.Extensions.Code == "INTERNAL" || e.Extensions.Code == "" {
						t.Errorf("%+v of %s", e, requestBody(t, operation))
					}
				}
			}
			t.Logf("%d operations, the slowest answered after %s, by code: %v", tried, slowest.Round(time.Millisecond), codes)
			if tried < 50 || codes["well"] < tried/20 || codes["BAD_USER_INPUT"] == 0 {
				t.Error("the operations have lost their way")
			}
		})
	}
}

// A subscription to whatever it may be begins, or is refused with what is wrong.
func TestNoSubscriptionIsAnInternalError(t *testing.T) {
	whole(t)
	defer survived(t)()
	values, ids := typedOnTheFleet(t)
	schema := loadSchema(t).Schema
	for _, seed := range schematest.Seeds(t) {
		t.Run(fmt.Sprintf("%s=%d", schematest.SeedVariable, seed), func(t *testing.T) {
			random := schematest.NewRandom(schema, seed, values, ids)
			for range 15 {
				operation := random.Subscription()
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/graphql", bytes.NewReader(requestBody(t, operation)))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "text/event-stream")
				req.Header.Set("Authorization", "Bearer "+token)
				// Nothing may be told at all, until the time is over.
				if resp, err := http.DefaultClient.Do(req); err == nil {
					raw, _ := io.ReadAll(resp.Body)
					_ = resp.Body.Close()
					if resp.StatusCode >= http.StatusInternalServerError || bytes.Contains(raw, []byte(`"INTERNAL"`)) {
						t.Errorf("status %d, %.500s of %s", resp.StatusCode, raw, requestBody(t, operation))
					}
				}
				cancel()
			}
		})
	}
}

func requestBody(t *testing.T, operation schematest.Operation) []byte {
	t.Helper()
	raw, err := json.Marshal(operation)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// try sends an operation, and again when too much was asked for of late.
func try(t *testing.T, operation schematest.Operation) (int, answer, time.Duration) {
	t.Helper()
	body := requestBody(t, operation)
	for {
		watch := startWatch()
		out := post(t, token, body)
		took := watch.took()
		if out.status != http.StatusTooManyRequests {
			return out.status, out, took
		}
		select {
		case <-time.After(time.Second):
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

// typedOnTheFleet are texts that name something on the fleet, by where they are typed, and ids of many types.
func typedOnTheFleet(t *testing.T) (values map[string][]string, ids []string) {
	t.Helper()
	data := into[map[string]any](t, `{instances{nodes{id name clusters{nodes{id name pods(first:3){nodes{id}} nodeList(first:2){nodes{id}}}}
		namespaces(first:5){nodes{id name}} policies(first:5){nodes{id name}} events(first:3){nodes{id}}
		workloads(first:10){nodes{id name namespace propagation{binding{id} targets{member{id} work{id}}}}}}}}`, nil)
	named := func(path ...string) []string {
		var out []string
		for _, v := range at(data, path...) {
			if text, ok := v.(string); ok && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		slices.Sort(out)
		return out
	}
	for _, path := range [][]string{{}, {"clusters", "nodes"}, {"clusters", "nodes", "pods", "nodes"}, {"clusters", "nodes", "nodes", "nodes"}, {"namespaces", "nodes"}, {"policies", "nodes"}, {"events", "nodes"},
		{"workloads", "nodes"}, {"workloads", "nodes", "propagation", "binding"}, {"workloads", "nodes", "propagation", "targets", "member"}, {"workloads", "nodes", "propagation", "targets", "work"}} {
		ids = append(ids, named(slices.Concat([]string{"instances", "nodes"}, path, []string{"id"})...)...)
	}
	instances := named("instances", "nodes", "name")
	members := named("instances", "nodes", "clusters", "nodes", "name")
	namespaces := named("instances", "nodes", "workloads", "nodes", "namespace")
	workloads := named("instances", "nodes", "workloads", "nodes", "name")
	if len(ids) < 20 || len(members) == 0 || len(workloads) == 0 {
		t.Fatalf("the fleet has %d ids, the clusters %v and the workloads %v", len(ids), members, workloads)
	}
	return map[string][]string{
		"instance": instances, "instances": instances, "cluster": members, "clusters": members, "namespace": namespaces, "namespaces": namespaces,
		"name": slices.Concat(workloads, namespaces, instances, members), "apiVersion": {"v1", "apps/v1", "policy.karmada.io/v1alpha1"},
		"kind": {"ConfigMap", "Pod", "Deployment", "PropagationPolicy"}, "text": workloads, "labelSelector": {"app", "app in (cart)", "!app"},
		"manifests": {"{apiVersion: v1, kind: ConfigMap, metadata: {name: e2e-random, namespace: default}, data: {a: b}}", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: e2e-random, namespace: default}, spec: {replicas: two}}"},
	}, ids
}
