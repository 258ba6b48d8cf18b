package loaders

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/graph-gophers/dataloader/v7"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

func TestAPanicOfABatchIsTheErrorOfAllWhoseKeysAreInIt(t *testing.T) {
	ref := func(name string) model.Ref {
		return model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Name: name}
	}
	read := guarded(func(context.Context, []model.Ref) []*dataloader.Result[int] { panic("too bad") }) //nolint:forbidigo // what is tested
	got := read(t.Context(), []model.Ref{ref("a"), ref("b")})
	if len(got) != 2 || slices.ContainsFunc(got, func(r *dataloader.Result[int]) bool { return !errors.As(r.Error, new(*panics.Error)) }) {
		t.Errorf("told %v", got)
	}
}

// Each edge counts its lists from one: of several edges that are read together, no two lists may be ranked as one.
func TestTheListsOfEdgesThatAreReadTogetherStayApart(t *testing.T) {
	group := func(list int) sql.Group { return sql.Group{Cluster: "kairship.asia", List: list} }
	asked := []*groupsAsked{
		{groups: []sql.Group{group(1), group(1), group(2)}, limit: 2}, {groups: []sql.Group{group(0)}, limit: 50},
		{groups: []sql.Group{group(1), group(2), group(2)}, limit: 5}, {groups: []sql.Group{group(1)}, limit: 3},
	}
	q := asOne(asked, []int{0, 1, 2, 3})
	var lists []int
	for _, g := range q.Groups {
		lists = append(lists, g.List)
	}
	if want := []int{1, 1, 2, 0, 3, 4, 4, 5}; !slices.Equal(lists, want) || q.Limit != 50 {
		t.Errorf("lists %v, want %v; limit %d", lists, want, q.Limit)
	}
	if q = asOne(asked, []int{2}); q.Groups[0].List != 1 || q.Limit != 5 {
		t.Errorf("alone it is %+v", q)
	}
	if asked[2].groups[0].List != 1 {
		t.Error("what an edge asks for was changed")
	}
}

// Another edge may have asked for more rows of its groups than this one.
func TestAListIsCutToWhatItsEdgeAskedFor(t *testing.T) {
	l := pedia.List[int]{Rows: []int{1, 2, 3}, Positions: make([]sql.Position, 3), Full: false}
	cut(&l, 2)
	if len(l.Rows) != 2 || len(l.Positions) != 2 || !l.Full {
		t.Errorf("cut to %+v", l)
	}
	if cut(&l, 5); len(l.Rows) != 2 || l.Full {
		t.Errorf("of a list that is shorter: %+v", l)
	}
}
