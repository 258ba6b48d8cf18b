package loaders

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// SearchKinds is the kinds that a search covers, by name.
func SearchKinds() []string {
	var out []string
	for _, k := range catalog.Kinds() {
		if k.Searched {
			out = append(out, k.GVK.Kind)
		}
	}
	return out
}

// Search finds objects whose names contain a string, in the control planes of instances and in their members: one
// request.
func (k *Loaders) Search(ctx context.Context, text string, kinds, instances []string, opts ListOptions) (*model.Connection[model.KubernetesObject], error) {
	if text == "" {
		return nil, model.BadInput("text", "is empty; give at least one character")
	}
	if err := model.CheckNamePart("text", text); err != nil {
		return nil, err
	}
	gvrs, err := searched(kinds)
	if err != nil {
		return nil, err
	}
	var clusters []string
	for _, instance := range instances {
		clusters = append(clusters, pediacluster.OfInstance(instance))
		for _, member := range slices.Sorted(maps.Keys(k.clusterStates(instance))) {
			clusters = append(clusters, pediacluster.OfMember(instance, member))
		}
	}
	if len(clusters) == 0 || len(gvrs) == 0 {
		return emptyPage[model.KubernetesObject](opts), CheckPage(opts.Page)
	}
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	return paging[string, model.KubernetesObject]{
		name: "search", of: func(s string) string { return s }, decode: decodeRow,
	}.one(ctx, k, opts, fmt.Sprint(text, " ", strings.Join(kinds, ",")), []part{{clusters: clusters, gvrs: gvrs, where: []sql.Condition{sql.NameContains(text)}}})
}

// foundBeside are the kinds that a search finds by fields of their own: they are no objects of a control plane.
var foundBeside = []string{"Instance", "Cluster", "AccessBinding"}

// searched is the resources of the kinds that a user named; none when all of them are found beside.
func searched(kinds []string) ([]schema.GroupVersionResource, error) {
	if n := len(kinds); n > maxFilterValues {
		return nil, model.BadInput("kinds", "has %d entries, at most %d are allowed", n, maxFilterValues)
	}
	all := SearchKinds()
	if len(kinds) == 0 {
		return catalog.Resources(all...), nil
	}
	var objects []string
	for _, kind := range kinds {
		switch {
		case slices.Contains(all, kind):
			objects = append(objects, kind)
		case !slices.Contains(foundBeside, kind):
			return nil, model.BadInput("kinds", "%q is not searched; allowed are %s", model.Clip(kind), strings.Join(slices.Concat(all, foundBeside), ", "))
		}
	}
	slices.Sort(objects)
	return catalog.Resources(slices.Compact(objects)...), nil
}
