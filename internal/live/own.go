package live

import (
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

// ownWrites keeps a reader from being sent an older version of a workload than the one that the person wrote: the shared watch may not have
// it yet. A stream begins with what they wrote; of what comes later, older versions are left out, since the watch will bring the newer one.
func (h *Hub) ownWrites(who, instance string, kinds []model.WorkloadKind, r *reader[model.Ref, model.Workload]) {
	own := h.cfg.Own
	if own == nil {
		return
	}
	r.buffer.outdated = func(w model.Workload) bool { return own.Outdated(who, w.ObjectRef(), versionOf(w)) }
	r.first = func(b *board) map[model.Ref]model.Workload {
		writes := own.Of(who, func(ref model.Ref) bool {
			kind, ok := model.WorkloadKindOf(ref.GVK)
			return ok && ref.Instance == instance && slices.Contains(kinds, kind)
		})
		if len(writes) == 0 {
			return b.views
		}
		all := maps.Clone(b.views)
		for _, w := range writes {
			var held *ownwrites.Version
			if view := all[w.Ref]; view != nil {
				v := versionOf(view)
				held = &v
			}
			raw, newer := own.Newer(who, w.Ref, held)
			if !newer {
				continue
			}
			delete(all, w.Ref)
			if mine := h.written(b, w.Ref, raw); mine != nil {
				all[w.Ref] = mine
			}
		}
		return all
	}
}

// written is a workload as the person wrote it, with its propagation as the board knows it; nil for one that they deleted.
func (h *Hub) written(b *board, ref model.Ref, raw []byte) model.Workload {
	kind, _ := model.WorkloadKindOf(ref.GVK)
	if raw == nil {
		return nil
	}
	w, err := h.cfg.DecodeWorkload(ref.Instance, kind, raw)
	if err != nil {
		h.cfg.Logger.Error("leaving out an object that cannot be read", "kind", ref.GVK.Kind, "error", err)
		return nil
	}
	return withLive(w, b.compute(w.Meta(), b.bindings[b.carriers[ref]], b.clusters))
}

func versionOf(w model.Workload) ownwrites.Version {
	return ownwrites.Version{UID: w.Meta().UID, ResourceVersion: w.Meta().ResourceVersion}
}
