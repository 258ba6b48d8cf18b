package resolvers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// randomTime is how long operations of one seed are tried.
const randomTime = 6 * time.Second

// Whatever somebody types is answered, or refused with what is wrong: nothing of it is an error of the server's own.
func TestNoOperationIsAnInternalError(t *testing.T) {
	rows := world(t)
	known, authorizer := rightsOfPeople()
	server := newProcess(t, known, authorizer, rows, "asia", "europe")
	values, ids := typedInTheWorld(t, rows)
	owner := people[0]
	for _, seed := range schematest.Seeds(t) {
		t.Run(fmt.Sprintf("%s=%d", schematest.SeedVariable, seed), func(t *testing.T) {
			random := schematest.NewRandom(graph.NewExecutableSchema(graph.Config{}).Schema(), seed, values, ids)
			codes := map[string]int{}
			tried := 0
			for until := time.Now().Add(randomTime); time.Now().Before(until); tried++ {
				operation := random.Query()
				if tried%5 == 4 {
					operation = random.Mutation()
				}
				body, err := json.Marshal(operation)
				if err != nil {
					t.Fatal(err)
				}
				got, err := server.do(t.Context(), owner, inquiry{method: http.MethodPost, path: "/graphql", body: string(body)})
				if err != nil || got.Status >= http.StatusInternalServerError {
					t.Errorf("status %d, %v, of %s", got.Status, err, body)
				}
				if len(got.Graph.Errors) == 0 {
					codes["well"]++
				}
				for _, e := range got.Graph.Errors {
					codes[string(e.Extensions.Code)]++
					if e.Extensions.Code == model.CodeInternal || e.Extensions.Code == "" {
						t.Errorf("%+v of %s", e, body)
					}
				}
				if t.Failed() && tried > 2_000 {
					break
				}
			}
			t.Logf("%d operations, by code: %v", tried, codes)
			if tried < 20 || codes["well"] < tried/20 || codes[string(model.CodeBadUserInput)] == 0 {
				t.Error("the operations have lost their way")
			}
		})
	}
}

// typedInTheWorld are texts that name something in the world, by where they are typed, and the ids of all that there is.
func typedInTheWorld(t *testing.T, rows []pediatest.Row) (values map[string][]string, ids []string) {
	t.Helper()
	seen := map[string]bool{}
	names := map[string]bool{}
	for _, r := range rows {
		p := placeOf(t, r)
		for _, ref := range []model.Ref{{Instance: p.instance, GVK: kinds[r.Kind], Namespace: p.namespace, Name: p.name}} {
			if id := ref.ID(); ref.GVK.Kind != "" && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		names[p.name] = true
	}
	return map[string][]string{
		"instance": {"asia", "europe"}, "instances": {"asia", "europe"}, "cluster": {"member-00"}, "clusters": {"member-00", "member-01"},
		"namespace": {"shop"}, "namespaces": {"shop"}, "name": slices.Concat(slices.Sorted(maps.Keys(names)), []string{"asia", "member-00"}),
		"apiVersion": {"v1", "apps/v1", "example.com/v1"}, "kind": {"ConfigMap", "Pod", "Deployment", "Widget"}, "text": {"cart", "till"},
		"labelSelector": {"app=cart", "app in (cart)"}, "manifests": {controlPlane, strings.ReplaceAll(perApp, "APP", "cart")},
	}, ids
}
