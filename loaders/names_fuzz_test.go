package loaders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// lookups is every way to ask for one object by what a user wrote.
var lookups = []struct {
	name string
	find func(ctx context.Context, apiVersion, kind, namespace, name string) (model.KubernetesObject, error)
}{
	{"an id", func(ctx context.Context, apiVersion, kind, namespace, name string) (model.KubernetesObject, error) {
		group, version, _ := strings.Cut(apiVersion, "/")
		return byID(ctx, model.Ref{Instance: "prod", GVK: schema.GroupVersionKind{Group: group, Version: version, Kind: kind}, Namespace: namespace, Name: name}.ID())
	}},
	{"an id of any place", func(ctx context.Context, instance, cluster, namespace, name string) (model.KubernetesObject, error) {
		return byID(ctx, model.Ref{Instance: instance, Cluster: cluster, GVK: gvk("apps", "v1", "Deployment"), Namespace: namespace, Name: name}.ID())
	}},
	{"a resource of a control plane", func(ctx context.Context, apiVersion, kind, namespace, name string) (model.KubernetesObject, error) {
		return asObject(From(ctx).Resource(ctx, Place{Instance: "prod"}, apiVersion, kind, namespace, name))
	}},
	{"a resource of a member", func(ctx context.Context, apiVersion, kind, namespace, name string) (model.KubernetesObject, error) {
		return asObject(From(ctx).Resource(ctx, Place{"prod", &model.Cluster{InstanceName: "prod", Name: "eu"}}, apiVersion, kind, namespace, name))
	}},
	{"a workload", func(ctx context.Context, _, _, namespace, name string) (model.KubernetesObject, error) {
		return From(ctx).Object(ctx, model.Ref{Instance: "prod", GVK: gvk("apps", "v1", "Deployment"), Namespace: namespace, Name: name})
	}},
	{"a policy", func(ctx context.Context, _, _, namespace, name string) (model.KubernetesObject, error) {
		return From(ctx).Object(ctx, model.Ref{Instance: "prod", GVK: model.PolicyPropagation.GVK(), Namespace: namespace, Name: name})
	}},
	{"a namespace", func(ctx context.Context, _, _, _, name string) (model.KubernetesObject, error) {
		return From(ctx).Object(ctx, model.Ref{Instance: "prod", GVK: gvk("", "v1", "Namespace"), Name: name})
	}},
}

// byID finds an object as `node` does. What is found has the id that was asked for.
func byID(ctx context.Context, id string) (model.KubernetesObject, error) {
	decoded, err := model.ParseID(id)
	if err != nil || !decoded.IsObject() {
		return nil, err
	}
	obj, err := From(ctx).Object(ctx, decoded.Ref)
	if err == nil && obj != nil && obj.ObjectRef().ID() != id {
		return nil, fmt.Errorf("the id of %+v found %+v", decoded.Ref, obj.ObjectRef())
	}
	return obj, err
}

func asObject(r *model.KubernetesResource, err error) (model.KubernetesObject, error) {
	if r == nil || err != nil {
		return nil, err
	}
	return r, nil
}

// strange says what is wrong with an object that was found by a name.
func strange(obj model.KubernetesObject, place, namespace, name string) error {
	if obj == nil {
		return nil
	}
	p, err := pageFrom(&model.Connection[model.KubernetesObject]{Edges: []model.Edge[model.KubernetesObject]{{Node: obj}}}, nil)
	if err != nil {
		return err
	}
	l := listed{at: worldClusters()}
	ref := obj.ObjectRef()
	if ref.Namespace != namespace && ref.Namespace != "" || ref.Name != name {
		return fmt.Errorf("%q/%q was asked for, %+v found", namespace, name, ref)
	}
	if at := pediacluster.Name(ref.Instance, ref.Cluster); place != "" && at != place {
		return fmt.Errorf("an object of %s was asked for, one of %s found", place, at)
	}
	return l.foreign(p.rows)
}

// FuzzNames asks for single objects by whatever name.
func FuzzNames(f *testing.F) {
	known := newVocabulary()
	for _, l := range lookups {
		for _, kind := range []string{"Deployment", "Pod"} {
			ctx, w := newWorld(f)
			if _, err := l.find(ctx, "apps/v1", kind, canary, canary); told(err, model.CodeNotFound, model.CodeBadUserInput, model.CodeNotSynced) != nil {
				f.Fatalf("%s: %v", l.name, err)
			}
			known.learn(f, w)
		}
	}
	for i := range lookups {
		f.Add(uint8(i), "apps/v1", "Deployment", "shop", "cart")
		f.Add(uint8(i), customGroup+"/v1", "Deployment", "shop", "cart")
		f.Add(uint8(i), "v1", "ConfigMap", "shop-a", "cart.1")
		f.Add(uint8(i), "policy.karmada.io/v1alpha1", "PropagationPolicy", "shop", "cart-1")
		f.Add(uint8(i), "prod", "eu", "shop", "cart")
		f.Add(uint8(i), "prod.eu", "", "shop", "cart")
		f.Add(uint8(i), "prod-eu", "", "shop", "cart")
		f.Add(uint8(i), "prod", "eu,kairship.prod-eu", "shop", "cart")
		f.Add(uint8(i), "v1", "Namespace", "", "'; DROP TABLE resources --")
		f.Add(uint8(i), "v1/", "Pod\n", "../x", "a/b?c=d#e")
		f.Add(uint8(i), "a/b/c", "", "\x00", "\u0001")
		f.Add(uint8(i), "apps/v1", "Deployment", "shop", "cart\u0001")
	}
	f.Fuzz(func(t *testing.T, which uint8, apiVersion, kind, namespace, name string) {
		l := lookups[int(which)%len(lookups)]
		ctx, w := newWorld(t)
		obj, err := l.find(ctx, apiVersion, kind, namespace, name)
		place := "kairship.prod"
		switch l.name {
		case "a resource of a member":
			place = "kairship.prod.eu"
		case "an id of any place":
			place = pediacluster.Name(apiVersion, kind)
		}
		if failed := errors.Join(told(err, model.CodeBadUserInput, model.CodeNotFound, model.CodeNotSynced), strange(obj, place, namespace, name), known.check(w, true)); failed != nil {
			t.Fatalf("%s: %q %q %q %q: %v", l.name, apiVersion, kind, namespace, name, failed)
		}
	})
}

// TestInstancesWhoseNamesAreAlikeNeverMix: prod with its member eu, prod-eu, and prod-eu with its member eu.
func TestInstancesWhoseNamesAreAlikeNeverMix(t *testing.T) {
	places := []model.Ref{{Instance: "prod"}, {Instance: "prod", Cluster: "eu"}, {Instance: "prod-eu"}, {Instance: "prod-eu", Cluster: "eu"}}
	var refs []model.Ref
	for _, ref := range places {
		ref.GVK, ref.Namespace, ref.Name = gvk("apps", "v1", "Deployment"), "shop", "cart"
		refs = append(refs, ref)
	}
	ctx, _ := newWorld(t)
	found, failed := From(ctx).readRefs(ctx, refs) // all at once, as a page of edges does
	for _, ref := range refs {
		d, ok := found[ref].(interface{ ObjectMeta() *model.Object })
		if !ok || failed[ref] != nil {
			t.Fatalf("%+v: %v, %v", ref, found[ref], failed[ref])
		}
		if want := worldUID(pediacluster.Name(ref.Instance, ref.Cluster), "Deployment", "shop", "cart"); d.ObjectMeta().UID != want || d.ObjectMeta().Ref != ref {
			t.Errorf("%+v gave %+v with uid %s", ref, d.ObjectMeta().Ref, d.ObjectMeta().UID)
		}
		if obj, err := byID(ctx, ref.ID()); err != nil || obj == nil {
			t.Errorf("the id of %+v gave %v, %v", ref, obj, err)
		}
	}
	if obj, err := byID(ctx, model.Ref{Instance: "prod.eu", GVK: gvk("apps", "v1", "Deployment"), Namespace: "shop", Name: "cart"}.ID()); err == nil || obj != nil {
		t.Errorf("an instance called prod.eu gave %+v, %v", obj, err)
	}
}

func gvk(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}
