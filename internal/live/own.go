package live

import (
	"maps"
	"slices"
	"unique"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

// ownWrites keeps a reader from being sent an older version of a workload than the one that the person wrote: the shared watch may not have
// it yet. A stream begins with what they wrote; of what comes later, older versions are left out, since the watch will bring the newer one.
func (h *Hub) ownWrites(who string, in *instanceFeeds, kinds []model.WorkloadKind, r *reader[refKey, model.Workload]) {
	own := h.cfg.Own
	if own == nil {
		return
	}
	r.buffer.outdated = func(w model.Workload) bool { return own.Outdated(who, w.ObjectRef(), versionOf(w)) }
	r.overlay = func(held map[refKey]model.Workload) map[refKey]model.Workload {
		return overlay[refKey, model.Workload]{
			wanted: func(ref model.Ref) bool {
				kind, ok := model.WorkloadKindOf(ref.GVK)
				return ok && ref.Instance == in.name && slices.Contains(kinds, kind)
			},
			key: unique.Make[model.Ref], version: versionOf,
			read: func(ref model.Ref, raw []byte) (model.Workload, error) { return h.written(in.board, ref, raw) },
		}.over(h, who, held)
	}
}

// ownClusters does the same for the member clusters of an instance.
func (h *Hub) ownClusters(who, instance string, r *reader[string, *model.Cluster]) {
	own := h.cfg.Own
	if own == nil {
		return
	}
	version := func(c *model.Cluster) ownwrites.Version {
		return ownwrites.Version{UID: c.UID, ResourceVersion: c.ResourceVersion}
	}
	r.buffer.outdated = func(c *model.Cluster) bool {
		ref := model.Ref{Instance: instance, GVK: clusterKind, Name: c.Name}
		return own.Outdated(who, ref, version(c))
	}
	r.overlay = func(held map[string]*model.Cluster) map[string]*model.Cluster {
		return overlay[string, *model.Cluster]{
			wanted: func(ref model.Ref) bool { return ref.Instance == instance && ref.GVK == clusterKind },
			key:    func(ref model.Ref) string { return ref.Name }, version: version,
			read: func(_ model.Ref, raw []byte) (*model.Cluster, error) { return h.cfg.DecodeCluster(instance, raw) },
		}.over(h, who, held)
	}
}

// overlay lays what a person wrote over what a board holds.
type overlay[K comparable, T any] struct {
	wanted  func(model.Ref) bool
	key     func(model.Ref) K
	version func(T) ownwrites.Version
	// read reads an object as the person wrote it.
	read func(ref model.Ref, raw []byte) (T, error)
}

// over is what is held, and in the place of what is older what the person wrote. What is held is not changed.
func (o overlay[K, T]) over(h *Hub, who string, held map[K]T) map[K]T {
	writes := h.cfg.Own.Of(who, o.wanted)
	if len(writes) == 0 {
		return held
	}
	all := maps.Clone(held)
	for _, w := range writes {
		var known *ownwrites.Version
		if is, ok := all[o.key(w.Ref)]; ok {
			v := o.version(is)
			known = &v
		}
		raw, newer := h.cfg.Own.Newer(who, w.Ref, known)
		if !newer {
			continue
		}
		delete(all, o.key(w.Ref))
		if raw == nil { // they deleted it
			continue
		}
		mine, err := o.read(w.Ref, raw)
		if err != nil {
			h.cfg.Logger.Error("leaving out an object that cannot be read", "kind", w.Ref.GVK.Kind, "error", err)
			continue
		}
		all[o.key(w.Ref)] = mine
	}
	return all
}

// written is a workload as the person wrote it, with its propagation as the board, whose lock is held, knows it.
func (h *Hub) written(b *board, ref model.Ref, raw []byte) (model.Workload, error) {
	kind, _ := model.WorkloadKindOf(ref.GVK)
	w, err := h.cfg.DecodeWorkload(ref.Instance, kind, raw)
	if err != nil {
		return nil, err
	}
	return withLive(w, b.compute(w.Meta(), b.bindings[b.carriers[ref]], b.clusters)), nil
}

func versionOf(w model.Workload) ownwrites.Version {
	return ownwrites.Version{UID: w.Meta().UID, ResourceVersion: w.Meta().ResourceVersion}
}
