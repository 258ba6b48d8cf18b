package loaders

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// stateFleet has members that can be reached, so that health is judged.
type stateFleet struct{ worldFleet }

func (stateFleet) ClusterStates(rbac.Scope, string) map[string]*model.Cluster {
	return map[string]*model.Cluster{"eu": {Name: "eu", State: model.ClusterReady}, "us": {Name: "us", State: model.ClusterReady}}
}

type stateStore struct{ standin pediatest.Standin }

func (s *stateStore) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := s.standin.Answer(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: int64(len(body)), Request: r}, nil
}

// Whatever template and binding say, a list filtered by a state has all that are in it: what the store
// leaves out is in another. The states of the list without a filter are what is compared with.
func TestAStateFilterLosesNoRow(t *testing.T) {
	const n = 180
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same rows in each run
	var rows []pediatest.Row
	for i := range n {
		kind := model.WorkloadKinds[i%len(model.WorkloadKinds)]
		rows = append(rows, stateRows(t, random, kind, fmt.Sprintf("w-%03d", i))...)
	}
	store := &stateStore{pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}}
	client, err := store.standin.Client(&rest.Config{Host: "http://store", Transport: store}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	ctx := rbac.NewAuthorizer([]string{"g"}).NewContext(t.Context(), auth.Principal{Name: "a", Groups: []string{"g"}})
	list := func(states ...model.WorkloadState) map[string]model.WorkloadState {
		k := Source{Fleet: stateFleet{}, Store: client, KubeAPI: worldOrigin{}}.NewLoaders(ctx)
		conn, partial, err := k.Workloads(ctx, WorkloadQuery{Instances: []string{"prod"}, Filter: &model.WorkloadFilter{States: states}, ListOptions: onePage})
		if err != nil || partial != nil {
			t.Fatal(err, partial)
		}
		out := map[string]model.WorkloadState{}
		for _, w := range conn.Nodes() {
			state, _, err := k.State(ctx, w.Meta())
			if err != nil {
				t.Fatal(err)
			}
			out[w.Meta().Ref.Name] = state
		}
		return out
	}
	all := list()
	if len(all) != n {
		t.Fatalf("%d workloads", len(all))
	}
	seen := map[model.WorkloadState]int{}
	for _, state := range all {
		seen[state]++
	}
	for _, state := range []model.WorkloadState{model.WorkloadRunning, model.WorkloadProgressing, model.WorkloadDegraded, model.WorkloadStopped, model.WorkloadPaused,
		model.WorkloadNotPropagated, model.WorkloadCompleted, model.WorkloadFailed, model.WorkloadDeleting, model.WorkloadUnknown} {
		if seen[state] == 0 {
			t.Errorf("no workload is %s: %v", state, seen)
		}
		got := list(state)
		if len(got) != seen[state] {
			t.Errorf("%d of %d are found by %s", len(got), seen[state], state)
			for name, s := range all {
				if _, ok := got[name]; s == state && !ok {
					t.Logf("lost: %s", name)
				}
			}
		}
	}
	if got := list(model.WorkloadRunning, model.WorkloadDegraded, model.WorkloadFailed); len(got) != seen[model.WorkloadRunning]+seen[model.WorkloadDegraded]+seen[model.WorkloadFailed] {
		t.Errorf("%d are found by three states of %v", len(got), seen)
	}
}

// stateRows makes a template and, mostly, its binding, of which anything may be unhealthy. As in Karmada,
// FullyApplied is True only of what is applied everywhere.
func stateRows(t *testing.T, random *rand.Rand, kind model.WorkloadKind, name string) []pediatest.Row {
	t.Helper()
	type object = map[string]any
	seldom := func() bool { return random.IntN(10) == 0 }
	const at = "2026-01-01T00:00:00Z"
	uid := "uid-" + name
	meta := object{"name": name, "namespace": "shop", "uid": uid, "resourceVersion": "7", "generation": 1, "creationTimestamp": at}
	annotations := object{"shadow.clusterpedia.io/cluster-name": "kairship.prod"}
	if !seldom() {
		annotations["clusterpropagationpolicy.karmada.io/name"] = "p"
	}
	meta["annotations"] = annotations
	replicas := 2
	if seldom() {
		replicas = 0
	}
	spec := object{"replicas": replicas, "paused": seldom(), "suspend": seldom()}
	if seldom() {
		meta["deletionTimestamp"] = at
	}
	if seldom() {
		// So young that it is so at the end of the test, too.
		meta["creationTimestamp"] = time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	}
	gvk, gvr := kind.GVK(), kind.GVR()
	rows := []object{{"metadata": meta, "spec": spec}}

	var chosen, items []object
	applied := true
	for _, cluster := range []string{"eu", "us"} {
		if seldom() {
			applied = false
			continue
		}
		if seldom() {
			applied = false
		} else {
			chosen = append(chosen, object{"name": cluster, "replicas": replicas})
		}
		status := object{"generation": 1, "observedGeneration": 1, "resourceTemplateGeneration": 1, "replicas": replicas, "readyReplicas": replicas, "updatedReplicas": replicas, "availableReplicas": replicas}
		item := object{"clusterName": cluster, "applied": true, "health": "Healthy", "status": status}
		switch random.IntN(10) {
		case 0:
			item["health"], status["availableReplicas"] = "Unhealthy", 0
		case 1:
			item["applied"], item["appliedMessage"], applied = false, "no", false
			delete(item, "status")
		case 2:
			item["applied"], applied = false, false
		case 3:
			item["health"] = "Unknown"
		}
		if kind == model.KindJob {
			switch random.IntN(5) {
			case 0:
				status["failed"] = 1
			case 1:
				status["conditions"] = []object{{"type": "Failed", "status": "True"}}
			case 2, 3:
				status["conditions"] = []object{{"type": "Complete", "status": "True"}}
			}
		}
		items = append(items, item)
	}
	condition := func(kind string, well bool) object {
		if well {
			return object{"type": kind, "status": "True", "lastTransitionTime": at}
		}
		return object{"type": kind, "status": "False", "reason": "Not" + kind, "lastTransitionTime": at}
	}
	conditions := []object{condition("FullyApplied", applied && len(chosen) > 0)}
	if !seldom() {
		conditions = append(conditions, condition("Scheduled", !seldom()))
	}
	bindingMeta := object{"name": name + "-" + strings.ToLower(gvk.Kind), "namespace": "shop", "uid": "b-" + uid, "generation": 2, "creationTimestamp": at,
		"annotations": object{"shadow.clusterpedia.io/cluster-name": "kairship.prod"}}
	if seldom() {
		bindingMeta["deletionTimestamp"] = at
	}
	bindingSpec := object{"resource": object{"apiVersion": gvk.GroupVersion().String(), "kind": gvk.Kind, "namespace": "shop", "name": name, "uid": uid, "resourceVersion": "7"},
		"replicas": replicas, "clusters": chosen}
	if seldom() {
		bindingSpec["suspension"] = object{"scheduling": seldom(), "dispatching": true}
	}
	if seldom() {
		bindingSpec["requiredBy"] = []object{{"namespace": "shop", "name": "other", "clusters": []object{{"name": "us"}}}}
	}
	status := object{"conditions": conditions, "aggregatedStatus": items, "schedulerObservedGeneration": 2}
	if seldom() {
		status["schedulerObservedGeneration"] = 1
	}
	if !seldom() {
		rows = append(rows, object{"metadata": bindingMeta, "spec": bindingSpec, "status": status})
	}
	out := make([]pediatest.Row, len(rows))
	for i, row := range rows {
		raw, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = pediatest.Row{Kind: gvk.Kind, Row: sql.Row{Cluster: "kairship.prod", GVR: gvr, Raw: raw}}
		if i == 1 {
			out[i].Kind, out[i].GVR = "ResourceBinding", catalog.Resources("ResourceBinding")[0]
		}
	}
	return out
}

func TestAFilterOfTemplatesIsRefusedForAMember(t *testing.T) {
	ctx := rbac.NewAuthorizer([]string{"g"}).NewContext(t.Context(), auth.Principal{Name: "a", Groups: []string{"g"}})
	policy := "shop/spread"
	for field, f := range map[string]model.WorkloadFilter{"clusters": {Clusters: []string{"us"}}, "policy": {Policy: &policy}} {
		k := Source{Fleet: stateFleet{}, KubeAPI: worldOrigin{}}.NewLoaders(ctx)
		_, _, err := k.Workloads(ctx, WorkloadQuery{Instances: []string{"prod"}, Member: &model.Cluster{InstanceName: "prod", Name: "eu"}, Filter: &f, ListOptions: onePage})
		e := (*model.Error)(nil)
		if !errors.As(err, &e) || e.Code != model.CodeBadUserInput || !slices.Equal(e.Field, []string{field}) || !strings.Contains(e.Message, "remove it") {
			t.Errorf("%s: %v", field, err)
		}
	}
}
