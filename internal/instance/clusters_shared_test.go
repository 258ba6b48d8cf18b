package instance

import (
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

func TestAClusterIsMadeOnceForEachVersionOfItsObject(t *testing.T) {
	var m clusterModels
	object := func(name, region string) *clusterv1alpha1.Cluster {
		return &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: clusterv1alpha1.ClusterSpec{Region: region}}
	}
	a, b := object("tokyo", "jp"), object("osaka", "jp")
	one := m.of("asia", []*clusterv1alpha1.Cluster{a, b})
	changed := object("tokyo", "kr")
	two := m.of("asia", []*clusterv1alpha1.Cluster{changed, b})
	if *two[0].Region != "kr" || two[1] != one[1] || *m.one("asia", changed).Region != "kr" || m.one("asia", changed) != two[0] || len(m.known) != 2 {
		t.Errorf("tokyo is in %s, osaka is the same: %v, %d are known", *two[0].Region, two[1] == one[1], len(m.known))
	}
}

func TestWhatIsSharedOfAClusterStaysWhileKarmadaIsAway(t *testing.T) {
	conn := follower(t, "asia", health{})
	f := &Fleet{cfg: Config{Clock: testclock.NewFakePassiveClock(now)}, instances: map[string]*entry{"asia": {object: &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}}, conn: conn}}}
	scope := rbac.NewAuthorizer([]string{"kairship:oidc:book-club"}).Scope(mary)
	states := func() model.ClusterState { return f.ClusterStates(scope, "asia")["tokyo"].State }
	one := func() model.Cluster {
		c, err := f.Cluster(scope, "asia", "tokyo")
		if err != nil || c == nil {
			t.Fatalf("%+v, %v", c, err)
		}
		return *c
	}
	before := f.ClusterStates(scope, "asia")["tokyo"]
	if before.State != model.ClusterReady || !one().Schedulable {
		t.Fatalf("%+v", before)
	}
	conn.health.Store(&health{clusterAPI: "away"})
	if s, c := states(), one(); s != model.ClusterUnknown || c.State != model.ClusterUnknown || c.Schedulable {
		t.Errorf("the state is %s, the cluster %+v", s, c)
	}
	if before.State != model.ClusterReady || before.StateMessage != "" || !before.Schedulable {
		t.Errorf("what was handed out is now %+v", before)
	}
	conn.health.Store(&health{})
	if s, c := states(), one(); s != model.ClusterReady || c.State != model.ClusterReady || !c.Schedulable || c.StateMessage != "" {
		t.Errorf("the state is %s, the cluster %+v", s, c)
	}
}
