package loaders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/policy/schedule"
	"github.com/kairship-io/kairship/loaders/batch"
)

const (
	// mostDependents is how many objects that others depend on are looked for at once.
	mostDependents = 1000
	// mostLookedThrough is how many objects of a kind that the read store does not keep are looked through in one namespace, by their
	// metadata, and mostLists in how many namespaces.
	mostLookedThrough = 2000
	mostLists         = 10
)

// carried is what would go along with an object that is placed somewhere, whether it is there or not, by kind and name (Karmada's
// pkg/dependenciesdistributor). What cannot be named is a finding of the place.
func (s *subject) carried(where *placed) []model.Dependency {
	// The distributor knows ResourceBindings only: nothing goes along with cluster-scoped objects.
	if !where.carries || s.object.Ref.Namespace == "" {
		return nil
	}
	all, known := s.dependencies()
	if !known {
		where.say(model.PreviewDependents, "What it depends on goes along with it, and is not known here: interpreters of the instance tell it for this kind.")
	}
	var out []model.Dependency
	for _, d := range all {
		if d.Ref.Name != "" {
			out = append(out, d)
			continue
		}
		where.say(model.PreviewDependents, "Each %s with the labels %s goes along with it, too.", d.Ref.GVK.Kind, d.LabelSelector)
	}
	return out
}

// dependencies is what an object depends on, as far as it is known.
func (s *subject) dependencies() (out []model.Dependency, known bool) {
	out, known, err := schedule.Dependencies(s.object.Ref, s.object.Raw)
	known = known && err == nil
	// Karmada's own reading of the object wins where it is of this version: an interpreter of the instance may have made it.
	if b := s.binding; b != nil && b.PropagateDeps && b.DependsOn != nil && !s.changed && (!known || b.Resource.ResourceVersion == s.object.ResourceVersion) {
		return b.DependsOn, true
	}
	return out, known
}

// PreviewDependents is what goes along with an object of a preview, now or afterwards, as far as it is there and the reader may see it.
func (k *Loaders) PreviewDependents(ctx context.Context, row *model.PolicyPreviewRow) ([]model.PreviewDependent, error) {
	return previewDependents.Of(ctx, k, k.Batch(row), batch.None{}, row)
}

var previewDependents = &edge[batch.None, *model.PolicyPreviewRow, []model.PreviewDependent]{
	From: batch.Members[*model.PolicyPreviewRow],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, rows []*model.PolicyPreviewRow) (map[*model.PolicyPreviewRow][]model.PreviewDependent, error) {
		all := map[model.Ref]bool{}
		for _, row := range rows {
			for _, ref := range mayGoAlong(row) {
				all[ref] = true
			}
		}
		if len(all) > mostDependents {
			return nil, &model.Error{Code: model.CodeLimitExceeded, Instance: rows[0].Object.Ref.Instance,
				Message: fmt.Sprintf("these rows depend on %d objects, at most %d are looked for at once: ask for fewer rows, or leave out dependents", len(all), mostDependents)}
		}
		there, err := k.dependedOn(ctx, all)
		if err != nil {
			return nil, err
		}
		out := make(map[*model.PolicyPreviewRow][]model.PreviewDependent, len(rows))
		for _, row := range rows {
			list := []model.PreviewDependent{}
			for _, ref := range mayGoAlong(row) {
				if d := dependent(row, ref, there[ref]); d != nil {
					list = append(list, *d)
				}
			}
			out[row] = list
		}
		return out, nil
	},
}

// mayGoAlong is what goes along with an object now or afterwards if it is there: by kind and name, each once.
func mayGoAlong(row *model.PolicyPreviewRow) []model.Ref {
	var out []model.Ref
	add := func(all []model.Dependency) {
		for _, d := range all {
			if d.Ref.Name != "" && d.Ref.Namespace != "" {
				out = append(out, d.Ref)
			}
		}
	}
	add(row.Carries)
	if row.Binding != nil && row.Binding.PropagateDeps {
		add(row.Binding.DependsOn)
	}
	slices.SortFunc(out, func(a, b model.Ref) int {
		return cmp.Or(strings.Compare(a.GVK.Kind, b.GVK.Kind), strings.Compare(a.GVK.Group, b.GVK.Group), strings.Compare(a.Name, b.Name))
	})
	return slices.Compact(out)
}

// dependent is one object that goes along with the object of a row; nil when it is not there, or does not go along.
func dependent(row *model.PolicyPreviewRow, ref model.Ref, is *bound) *model.PreviewDependent {
	if is == nil {
		return nil
	}
	out := &model.PreviewDependent{Object: model.PreviewObject{Ref: ref}, Before: []model.PreviewCluster{}, After: []model.PreviewCluster{}, AlsoIn: []string{}}
	if slices.ContainsFunc(row.Carries, func(d model.Dependency) bool { return d.Ref == ref }) {
		for _, c := range row.After {
			out.After = append(out.After, model.PreviewCluster{ClusterName: c.ClusterName})
		}
	}
	if is.binding != nil {
		for _, c := range is.binding.Clusters {
			out.AlsoIn = append(out.AlsoIn, c.ClusterName)
		}
		for _, by := range is.binding.RequiredBy {
			if row.Binding == nil || by.Ref != row.Binding.Ref {
				out.AlsoIn = append(out.AlsoIn, by.Clusters...)
				continue
			}
			for _, name := range by.Clusters {
				out.Before = append(out.Before, model.PreviewCluster{ClusterName: name})
			}
		}
	}
	slices.Sort(out.AlsoIn)
	if out.AlsoIn = slices.Compact(out.AlsoIn); len(out.Before)+len(out.After) == 0 {
		return nil
	}
	return out
}

// bound is an object that is there, with its binding.
type bound struct {
	uid string
	// binding is nil when there is none.
	binding *model.ResourceBinding
}

// dependedOn looks for objects and their bindings, and returns those that are there and that the reader sees. What the read store keeps is one
// request, the others a list of their kind in their namespace.
func (k *Loaders) dependedOn(ctx context.Context, all map[model.Ref]bool) (map[model.Ref]*bound, error) {
	var refs []model.Ref
	elsewhere := map[kindIn][]model.Ref{}
	for ref := range all {
		known := catalog.ByGVK(ref.GVK)
		kept := known != nil && known.KeptIn("")
		if (kept || ref.GVK == secretKind) && !k.mayRead(ref) {
			continue
		}
		refs = append(refs, bindingRef(&model.Object{Ref: ref}))
		if kept {
			refs = append(refs, ref)
		} else {
			at := kindIn{ref.Instance, ref.GVK, ref.Namespace}
			elsewhere[at] = append(elsewhere[at], ref)
		}
	}
	found, failed := k.readRefs(ctx, refs)
	if errs := slices.Collect(maps.Values(failed)); len(errs) > 0 {
		return nil, errs[0]
	}
	out, err := k.listed(ctx, elsewhere)
	if err != nil {
		return nil, err
	}
	for ref := range all {
		if o, ok := found[ref].(interface{ ObjectMeta() *model.Object }); ok {
			out[ref] = &bound{uid: o.ObjectMeta().UID}
		}
		b, ok := found[bindingRef(&model.Object{Ref: ref})].(*model.ResourceBinding)
		if is := out[ref]; ok && is != nil && (b.Resource.UID == "" || string(b.Resource.UID) == is.uid) {
			is.binding = b
		}
	}
	return out, nil
}

var secretKind = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}

// mayRead reports whether the reader may see an object of a kind of the catalogue, or a Secret, by its kind and namespace.
func (k *Loaders) mayRead(ref model.Ref) bool {
	resource := schema.GroupResource{Resource: "secrets"}
	if known := catalog.ByGVK(ref.GVK); known != nil {
		resource = known.GVR().GroupResource()
	} else if ref.GVK != secretKind {
		return false
	}
	return k.scope.MayIn(ref.Instance, "list", resource, ref.Namespace)
}

// kindIn is a kind in a namespace of an instance.
type kindIn struct {
	instance  string
	gvk       schema.GroupVersionKind
	namespace string
}

// listed looks for objects that the read store does not keep, by the metadata of what is in their namespaces.
func (k *Loaders) listed(ctx context.Context, elsewhere map[kindIn][]model.Ref) (map[model.Ref]*bound, error) {
	out := map[model.Ref]*bound{}
	for at, refs := range elsewhere {
		if len(elsewhere) > mostLists {
			return nil, &model.Error{Code: model.CodeLimitExceeded, Instance: at.instance,
				Message: fmt.Sprintf("what goes along is of %d kinds and namespaces that the read store does not keep, at most %d are looked through: ask for fewer rows", len(elsewhere), mostLists)}
		}
		page, err := k.source.KubeAPI.List(ctx, kubeapi.Query{Who: k.who(), Instance: at.instance, GVK: at.gvk, Namespaces: []string{at.namespace},
			MetadataOnly: true, Limit: mostLookedThrough})
		var e *model.Error
		switch {
		case errors.As(err, &e) && (e.Code == model.CodeNotFound || e.Code == model.CodeForbidden):
			continue // no such kind, or none that the reader may see
		case err != nil:
			return nil, err
		case page.Next != "":
			return nil, &model.Error{Code: model.CodeLimitExceeded, Instance: at.instance,
				Message: fmt.Sprintf("namespace %q has more than %d objects of kind %s: which of them go along is not looked for; leave out dependents", at.namespace, mostLookedThrough, at.gvk.Kind)}
		}
		for _, row := range page.Rows {
			ref := model.Ref{Instance: at.instance, GVK: at.gvk, Namespace: row.Namespace, Name: row.Name}
			if !slices.Contains(refs, ref) {
				continue
			}
			obj, err := objects.DecodeResource(at.instance, "", at.gvk, row.Raw)
			if err != nil {
				return nil, err
			}
			out[ref] = &bound{uid: obj.UID}
		}
	}
	return out, nil
}
