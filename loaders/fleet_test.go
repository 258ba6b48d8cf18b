package loaders

import (
	"errors"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders/batch"
)

// countedFleet counts what is looked up; the first of it fails, as often as it says.
type countedFleet struct {
	Fleet
	fail  int
	asked int
}

func (f *countedFleet) Cluster(_ rbac.Scope, instance, name string) (*model.Cluster, error) {
	f.asked++
	if f.asked <= f.fail {
		return nil, errors.New("away")
	}
	return &model.Cluster{InstanceName: instance, Name: name}, nil
}

func (f *countedFleet) Freshness(instance, name string) *model.Freshness {
	return &model.Freshness{State: model.FreshnessState(instance + "/" + name)}
}

func loadersOf(f *countedFleet) *Loaders {
	return &Loaders{source: Source{Fleet: f}, Operation: batch.NewOperation(rowKey)}
}

func TestAClusterIsLookedUpOnceAnOperation(t *testing.T) {
	f := &countedFleet{}
	k := loadersOf(f)
	a, _ := k.Cluster("asia", "m")
	b, _ := k.Cluster("europe", "m")
	again, _ := k.Cluster("asia", "m")
	if a.InstanceName != "asia" || b.InstanceName != "europe" || again != a || f.asked != 2 {
		t.Errorf("they are %+v and %+v, after %d look-ups", a, b, f.asked)
	}
}

func TestFreshnessIsThatOfTheInstance(t *testing.T) {
	k := loadersOf(&countedFleet{})
	if a, b := k.Freshness("asia", "m"), k.Freshness("europe", "m"); a.State != "asia/m" || b.State != "europe/m" {
		t.Errorf("they are %+v and %+v", a, b)
	}
}

func TestAFailedLookUpIsTriedAgain(t *testing.T) {
	k := loadersOf(&countedFleet{fail: 1})
	if _, err := k.Cluster("asia", "m"); err == nil {
		t.Fatal("no error")
	}
	if c, err := k.Cluster("asia", "m"); c == nil || err != nil {
		t.Errorf("it is %+v, %v", c, err)
	}
}

func TestClustersOfTargetsAreReadTogether(t *testing.T) {
	k := loadersOf(&countedFleet{})
	k.joinClusters([]*model.PropagationTarget{{InstanceName: "asia", ClusterName: "a"}, {InstanceName: "asia", ClusterName: "a"}, {InstanceName: "asia", ClusterName: "b"}})
	a, _ := k.Cluster("asia", "a")
	b, _ := k.Cluster("asia", "b")
	if k.Batch(a) == nil || k.Batch(a) != k.Batch(b) || len(batch.Members[*model.Cluster](k.Batch(a))) != 2 {
		t.Errorf("the batches are %v and %v", k.Batch(a), k.Batch(b))
	}
}

func TestClustersStayInTheBatchTheyCameIn(t *testing.T) {
	k := loadersOf(&countedFleet{})
	a, _ := k.Cluster("asia", "a")
	c, _ := k.Cluster("asia", "c")
	batch.Join(k.Operation, []*model.Cluster{a, c})
	before := k.Batch(a)
	k.joinClusters([]*model.PropagationTarget{{InstanceName: "asia", ClusterName: "a"}, {InstanceName: "asia", ClusterName: "b"}})
	if k.Batch(a) != before || k.Batch(c) != before {
		t.Error("they left it")
	}
}
