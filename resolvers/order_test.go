package resolvers

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

func TestListsInMemoryAreOrderedByAnyField(t *testing.T) {
	version := func(v string) *string { return &v }
	rows := []*model.Instance{
		{Name: "a", State: model.InstanceDown, KubernetesVersion: version("v1.9.0"), CreatedAt: time.Unix(30, 5)},
		{Name: "b", State: model.InstanceRunning, KubernetesVersion: version("v1.35.3"), CreatedAt: time.Unix(30, 0),
			Statistics: &model.InstanceStatistics{Clusters: model.ReadyCount{Total: 9}, CPU: model.CPUSummary{Allocatable: model.CPUAmount{Cores: 2}}}},
		{Name: "c", State: model.InstanceRunning, CreatedAt: time.Unix(10, 0),
			Statistics: &model.InstanceStatistics{Clusters: model.ReadyCount{Total: 10}, CPU: model.CPUSummary{Allocatable: model.CPUAmount{Cores: 1.5}}}},
	}
	for _, c := range []struct {
		field     model.InstanceOrderField
		direction model.OrderDirection
		want      string
	}{
		{model.InstancesByName, model.Ascending, "abc"},
		{model.InstancesByName, model.Descending, "cba"},
		{model.InstancesByState, model.Ascending, "bca"},
		{model.InstancesByState, model.Descending, "abc"},
		{model.InstancesByCreation, model.Ascending, "cba"},
		{model.InstancesByClusters, model.Descending, "cba"},
		{model.InstancesByCPU, model.Ascending, "acb"},
		{model.InstancesByMemory, model.Ascending, "abc"},
		{model.InstancesByKubernetesVersion, model.Ascending, "cab"},
		{model.InstancesByKarmadaVersion, model.Descending, "abc"},
	} {
		t.Run(string(c.field)+" "+string(c.direction), func(t *testing.T) {
			by := &model.InstanceOrder{Field: c.field, Direction: c.direction}
			var got strings.Builder
			page := model.Page{First: 2}
			for {
				conn, err := loaders.PageOf("instances", "", slices.Clone(rows), page, instanceOrder(by))
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range conn.Nodes() {
					got.WriteString(i.Name)
				}
				if !conn.PageInfo.HasNextPage {
					break
				}
				page.After = *conn.PageInfo.EndCursor
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got.String(), c.want)
			}
		})
	}
	first, err := loaders.PageOf("instances", "", slices.Clone(rows), model.Page{First: 1}, instanceOrder(nil))
	if err != nil {
		t.Fatal(err)
	}
	by := &model.InstanceOrder{Field: model.InstancesByState, Direction: model.Ascending}
	if _, err := loaders.PageOf("instances", "", rows, model.Page{First: 1, After: *first.PageInfo.EndCursor}, instanceOrder(by)); err == nil {
		t.Error("a cursor of one order was taken for one of another")
	}
}

func TestClustersAreOrdered(t *testing.T) {
	region := func(r string) *string { return &r }
	rows := []*model.Cluster{
		{Name: "a", State: model.ClusterOffline, Region: region("west"), Nodes: &model.NodeSummary{Total: 10}},
		{Name: "b", State: model.ClusterReady, Region: region("east"), Nodes: &model.NodeSummary{Total: 9}},
		{Name: "c", State: model.ClusterReady},
	}
	for field, want := range map[model.ClusterOrderField]string{
		model.ClustersByName: "abc", model.ClustersByState: "bca", model.ClustersByRegion: "cba", model.ClustersByNodes: "cba",
		model.ClustersByCPU: "abc", model.ClustersByCreation: "abc",
	} {
		conn, err := loaders.PageOf("clusters", "asia", slices.Clone(rows), model.Page{First: 3}, clusterOrder(&model.ClusterOrder{Field: field, Direction: model.Ascending}))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range conn.Nodes() {
			got += c.Name
		}
		if got != want {
			t.Errorf("by %s: %s, want %s", field, got, want)
		}
	}
}
