package loaders

import (
	"context"
	"errors"
	"sync"

	"github.com/graph-gophers/dataloader/v7"
	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Object is one object of a control plane or a member by reference; nil when there is none. Objects requested at the
// same time are read together.
func (k *Loaders) Object(ctx context.Context, ref model.Ref) (model.KubernetesObject, error) {
	// Reading a Work by its name, not through the object it carries, requires the right to read Works.
	if !k.scope.Instance(ref.Instance) || ref.GVK == workKind && !k.scope.Sees(ref.Instance, workResource[0].GroupResource()).Has(ref.Namespace) {
		return nil, nil //nolint:nilnil // hidden and absent objects look alike
	}
	return k.objects.Load(ctx, ref)()
}

// loadObjects is the batch function of Object.
func (k *Loaders) loadObjects(ctx context.Context, refs []model.Ref) []*dataloader.Result[model.KubernetesObject] {
	batched("objects", len(refs))
	// The batch runs under its first caller's context; another caller must not fail with that one.
	found, failed := k.readRefs(context.WithoutCancel(ctx), refs)
	out := make([]*dataloader.Result[model.KubernetesObject], len(refs))
	for i, ref := range refs {
		out[i] = &dataloader.Result[model.KubernetesObject]{Data: found[ref], Error: failed[ref]}
	}
	return out
}

// readRefs reads objects of any kinds: those that the read store holds in one request, each other one from its API
// server. Objects that do not exist are in neither map.
func (k *Loaders) readRefs(ctx context.Context, refs []model.Ref) (found map[model.Ref]model.KubernetesObject, failed map[model.Ref]error) {
	found, failed = map[model.Ref]model.KubernetesObject{}, map[model.Ref]error{}
	var keys []sql.Key
	var stored, elsewhere []model.Ref
	for _, ref := range refs {
		switch held, err := k.held(ref); {
		case !k.scope.Instance(ref.Instance):
		case err != nil:
			failed[ref] = err
		case held:
			keys, stored = append(keys, storeKey(ref)), append(stored, ref)
		default:
			elsewhere = append(elsewhere, ref)
		}
	}
	var mu sync.Mutex
	var rows []model.KubernetesObject
	g, ctx := errgroup.WithContext(ctx)
	if len(keys) > 0 {
		g.Go(panics.Guard(func() error {
			// Works are named after the objects that they carry; see Object.
			objects, err := pedia.FetchKeys(ctx, k.source.Store, sql.Query{Scope: k.scope.Carrying()}, keys, decodeRow)
			mu.Lock()
			defer mu.Unlock()
			for i, ref := range stored {
				if obj := objects[keys[i]]; obj != nil && err == nil {
					found[ref] = obj
					rows = append(rows, obj)
				} else if err != nil {
					failed[ref] = err
				}
			}
			return nil
		}))
	}
	if len(elsewhere) > 0 {
		g.Go(panics.Guard(func() error {
			answers := k.source.KubeAPI.GetAll(ctx, k.who(), elsewhere)
			mu.Lock()
			defer mu.Unlock()
			for i, ref := range elsewhere {
				obj, err := fromAPI(ref, answers[i])
				switch {
				case err != nil:
					failed[ref] = err
				case obj != nil:
					found[ref] = obj
					rows = append(rows, obj)
				}
			}
			return nil
		}))
	}
	// Errors are kept by object; a panic is an error for all requested ones.
	if err := g.Wait(); err != nil {
		for _, ref := range refs {
			failed[ref] = err
		}
		return map[model.Ref]model.KubernetesObject{}, failed
	}
	batch.Join(k.Operation, rows)
	return found, failed
}

// held reports whether the read store holds the kind of an object. A kind that it should hold and does not yet is an
// error: it is not read elsewhere, or each page would cost a request for each object.
func (k *Loaders) held(ref model.Ref) (bool, error) {
	known := catalog.ByGVK(ref.GVK)
	if known == nil || !known.KeptIn(ref.Cluster) {
		return false, nil
	}
	err := k.source.Fleet.Synced(ref.Instance, ref.Cluster, known.GVR())
	return err == nil, err
}

// fromAPI converts an API server's answer for an object; nil when there is none, or no such kind.
func fromAPI(ref model.Ref, answer kubeapi.Result) (model.KubernetesObject, error) {
	var e *model.Error
	switch {
	case errors.As(answer.Err, &e) && e.Code == model.CodeNotFound:
		return nil, nil //nolint:nilnil // there is none
	case answer.Err != nil:
		return nil, answer.Err
	case answer.Raw == nil:
		return nil, nil //nolint:nilnil // there is none
	}
	return objects.DecodeResource(ref.Instance, ref.Cluster, ref.GVK, answer.Raw)
}

// storeKey is the key of an object of a known kind in the read store.
func storeKey(ref model.Ref) sql.Key {
	return sql.Key{Cluster: pediacluster.Name(ref.Instance, ref.Cluster), GVR: catalog.ByGVK(ref.GVK).GVR(), Namespace: ref.Namespace, Name: ref.Name}
}

// refsOf reads objects of one type by reference, for edges whose parents came in a batch.
func refsOf[T model.KubernetesObject](ctx context.Context, k *Loaders, refs []model.Ref) (map[model.Ref]T, batch.Each[model.Ref]) {
	return ofType[T](k.readRefs(ctx, refs))
}

// gatheredOf is refsOf combined with the requests of sibling fields.
func gatheredOf[T model.KubernetesObject](ctx context.Context, k *Loaders, refs []model.Ref) (map[model.Ref]T, batch.Each[model.Ref]) {
	return ofType[T](k.gatherRefs(ctx, refs))
}

func ofType[T model.KubernetesObject](found map[model.Ref]model.KubernetesObject, unread map[model.Ref]error) (map[model.Ref]T, batch.Each[model.Ref]) {
	out := make(map[model.Ref]T, len(found))
	for ref, obj := range found {
		if t, ok := obj.(T); ok {
			out[ref] = t
		}
	}
	return out, unread
}
