package loaders

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Place is the parent of a list: the control plane of an instance, or one of its members.
type Place struct {
	Instance string
	// Member is nil for the control plane. The lists of all members of one batch are read in one request.
	Member *model.Cluster
}

func (p Place) cluster() string {
	if p.Member == nil {
		return ""
	}
	return p.Member.Name
}

func (p Place) id() string {
	if p.Member == nil {
		return model.InstanceID(p.Instance)
	}
	return p.Member.ID()
}

// rowsAsked is a request for a list of a place: the rows of some kinds that meet all conditions, in an order.
type rowsAsked struct {
	ListOptions
	gvrs  []schema.GroupVersionResource
	where []sql.Condition
	order sorting
}

// listAt is an edge from places to their lists.
type listAt[T model.KubernetesObject] struct {
	edge[rowsAsked, Place, *model.Connection[T]]
}

// newListAt makes an edge to lists whose name their cursors contain.
func newListAt[T model.KubernetesObject](name string, decode pedia.Decode[T]) *listAt[T] {
	return &listAt[T]{edge[rowsAsked, Place, *model.Connection[T]]{
		From: placesOf,
		Read: func(ctx context.Context, k *Loaders, asked rowsAsked, places []Place) (map[Place]*model.Connection[T], error) {
			return listsAt(ctx, k, name, asked, places, decode)
		},
	}}
}

// listsAt reads one list of each of some places.
func listsAt[T model.KubernetesObject](ctx context.Context, k *Loaders, name string, asked rowsAsked, places []Place, decode pedia.Decode[T]) (map[Place]*model.Connection[T], error) {
	return paging[Place, T]{
		name: name, of: Place.id, sorting: asked.order, decode: decode,
		parts: func(p Place) ([]part, error) {
			rows, err := k.rowsIn(p.Instance, p.cluster(), asked.gvrs, asked.where...)
			if err != nil {
				return nil, err
			}
			return []part{rows}, nil
		},
	}.read(ctx, k, asked.ListOptions, places)
}

func (l *listAt[T]) at(ctx context.Context, k *Loaders, at Place, asked rowsAsked) (*model.Connection[T], error) {
	return l.Of(ctx, k, at.batch(k), asked, at)
}

func (p Place) batch(k *Loaders) *batch.Batch {
	if p.Member == nil {
		return nil
	}
	return k.Batch(p.Member)
}

func placesOf(b *batch.Batch) []Place {
	var out []Place
	for _, c := range batch.Members[*model.Cluster](b) {
		out = append(out, Place{c.InstanceName, c})
	}
	return out
}
