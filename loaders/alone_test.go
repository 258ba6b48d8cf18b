package loaders_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/loaders"
)

// synced is a fleet of which everything is in the read store.
type synced struct{}

func (synced) Synced(string, string, schema.GroupVersionResource) error { return nil }

func (synced) ClusterStates(rbac.Scope, string) map[string]*model.Cluster { return nil }

func (synced) ClusterObjects(rbac.Scope, string) ([]*clusterv1alpha1.Cluster, error) {
	return nil, nil
}

func (synced) Instance(_ rbac.Scope, name string) (*model.Instance, error) {
	return &model.Instance{Name: name}, nil
}

func (synced) Cluster(rbac.Scope, string, string) (*model.Cluster, error) { return nil, nil } //nolint:nilnil // there is none

func (synced) Freshness(string, string) *model.Freshness {
	return &model.Freshness{State: model.FreshnessLive}
}

func TestAWorkloadFromAWatchIsNotReadAgainButItsPolicyIs(t *testing.T) {
	policies := schema.GroupVersionResource{Group: model.PolicyGroup, Version: model.PolicyVersion, Resource: "propagationpolicies"}
	standin := pediatest.Standin{Rows: func(sql.Query) []pediatest.Row {
		return []pediatest.Row{{Kind: "PropagationPolicy", Row: sql.Row{Cluster: pediacluster.OfInstance("asia"), GVR: policies,
			Raw: []byte(`{"metadata":{"namespace":"shop","name":"cart","uid":"u"},"spec":{"priority":3}}`)}}}
	}}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		body, err := standin.Answer(r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	store, err := standin.Client(&rest.Config{Host: server.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	ctx := rbac.NewAuthorizer([]string{"g"}).NewContext(t.Context(), auth.Principal{Name: "a", Groups: []string{"g"}})
	k := loaders.Source{Fleet: synced{}, Store: store}.NewLoaders(ctx)

	w := &model.WorkloadMeta{Live: &model.Propagation{}}
	if p, err := k.WorkloadPropagation(ctx, w); err != nil || p != w.Live {
		t.Errorf("propagation %v, %v", p, err)
	}
	if _, _, err := k.State(ctx, w); err != nil {
		t.Error(err)
	}
	if state, _, err := k.State(ctx, &model.WorkloadMeta{}); err != nil || state != model.WorkloadUnknown {
		t.Errorf("the state of a workload without propagation is %s, %v", state, err)
	}
	if len(asked) != 0 {
		t.Errorf("asked for %v", asked)
	}

	ref := model.Ref{Instance: "asia", Namespace: "shop", Name: "cart",
		GVK: schema.GroupVersionKind{Group: model.PolicyGroup, Version: model.PolicyVersion, Kind: "PropagationPolicy"}}
	body, err := k.PolicyBody(ctx, &model.PolicyMeta{Ref: ref})
	if err != nil || body == nil || body.Propagation.Priority != 3 || len(asked) != 1 {
		t.Errorf("body %+v, %v after %v", body, err, asked)
	}
}
