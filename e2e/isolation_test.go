package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// isolated is a namespace of these tests' own; isolated-a is one whose name sorts beside it.
const isolated = "isolated"

// makeObject makes an object and removes it when the test ends.
func makeObject(t *testing.T, cluster string, kind schema.GroupVersionResource, o map[string]any) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{Object: o}
	at := client(t, cluster).Resource(kind).Namespace(object.GetNamespace())
	var made *unstructured.Unstructured
	eventually(t, 30*time.Second, func() (err error) {
		if made, err = at.Create(t.Context(), object, metav1.CreateOptions{}); apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
		return err
	})
	t.Cleanup(func() {
		if err := at.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	return made
}

// createNamespaces makes the namespaces of these tests in an instance, and waits at the end until they are gone.
func createNamespaces(t *testing.T, instance string, names ...string) {
	t.Helper()
	at := client(t, instance).Resource(namespacesKind)
	t.Cleanup(func() {
		deadline := time.Now().Add(time.Minute)
		for _, name := range names {
			for {
				_, err := at.Get(context.Background(), name, metav1.GetOptions{})
				if apierrors.IsNotFound(err) {
					break
				}
				if time.Now().After(deadline) {
					t.Errorf("namespace %s of %s stays", name, instance)
					return
				}
				<-time.After(200 * time.Millisecond)
			}
		}
	})
	for _, name := range names {
		makeObject(t, instance, namespacesKind, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
	}
}

func deployment(namespace, name string) map[string]any {
	labels := map[string]any{"app": name}
	return map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": namespace, "name": name, "labels": labels},
		"spec": map[string]any{"replicas": int64(0), "selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": []any{map[string]any{"name": "c", "image": "registry.k8s.io/pause"}}}}}}
}

func propagationPolicy(namespace, name, apiVersion, kind, object string) map[string]any {
	return map[string]any{"apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy", "metadata": map[string]any{"namespace": namespace, "name": name},
		"spec": map[string]any{"resourceSelectors": []any{map[string]any{"apiVersion": apiVersion, "kind": kind, "name": object}},
			"placement": map[string]any{"clusterAffinity": map[string]any{"clusterNames": []any{"hangzhou"}}}}}
}

// placeOf is where a row is from.
type placeOf struct {
	ID, UID, Namespace, Name string
	Instance                 struct{ Name string }
}

// TestWorkloadsOfTheSameNameNeverMix makes one Deployment in two instances and in two namespaces of each.
func TestWorkloadsOfTheSameNameNeverMix(t *testing.T) {
	instances, spaces := []string{"asia", "europe"}, []string{isolated, isolated + "-a"}
	want := map[string]placeOf{}
	for _, instance := range instances {
		createNamespaces(t, instance, spaces...)
		for _, space := range spaces {
			made := makeObject(t, instance, workloadsKinds["Deployment"], deployment(space, "twin"))
			p := placeOf{UID: string(made.GetUID()), Namespace: space, Name: "twin"}
			p.Instance.Name = instance
			want[instance+"/"+space] = p
		}
	}
	fields := "id uid namespace name instance { name }"
	check := func(what string, got []placeOf, keys ...string) error {
		slices.SortFunc(got, func(a, b placeOf) int {
			return cmp.Compare(a.Instance.Name+"/"+a.Namespace, b.Instance.Name+"/"+b.Namespace)
		})
		var expected []placeOf
		for _, k := range keys {
			expected = append(expected, want[k])
		}
		for i := range got {
			got[i].ID = ""
		}
		if diff := gocmp.Diff(expected, got); diff != "" {
			return fmt.Errorf("%s (-made +shown):\n%s", what, diff)
		}
		return nil
	}
	eventually(t, 30*time.Second, func() error {
		all, err := read[struct{ Workloads struct{ Nodes []placeOf } }](t, `{ workloads(filter: {nameContains: "twin"}) { nodes { `+fields+` } } }`, nil)
		if err != nil {
			return err
		}
		if err := check("workloads", slices.Clone(all.Workloads.Nodes), "asia/isolated", "asia/isolated-a", "europe/isolated", "europe/isolated-a"); err != nil {
			return err
		}
		ids := map[string]bool{}
		for _, n := range all.Workloads.Nodes {
			ids[n.ID] = true
			again, err := read[struct{ Node placeOf }](t, `query($id: ID!) { node(id: $id) { ... on Workload { `+fields+` } } }`, map[string]any{"id": n.ID})
			if err != nil {
				return err
			}
			if again.Node != n {
				return fmt.Errorf("the id of %+v gives %+v", n, again.Node)
			}
		}
		if len(ids) != 4 {
			return fmt.Errorf("%d ids of 4 objects", len(ids))
		}
		for _, instance := range instances {
			for _, space := range spaces {
				data, err := read[struct {
					Instance struct {
						Workload  placeOf
						Workloads struct{ Nodes []placeOf }
						Namespace struct{ Workloads struct{ Nodes []placeOf } }
					}
				}](t, fmt.Sprintf(`{ instance(name: %[1]q) { workload(kind: DEPLOYMENT, namespace: %[2]q, name: "twin") { %[3]s }
					workloads(filter: {namespaces: [%[2]q]}) { nodes { %[3]s } } namespace(name: %[2]q) { workloads { nodes { %[3]s } } } } }`, instance, space, fields), nil)
				if err != nil {
					return err
				}
				got := data.Instance
				for what, rows := range map[string][]placeOf{"workload": {got.Workload}, "workloads": got.Workloads.Nodes, "namespace": got.Namespace.Workloads.Nodes} {
					if err := check(what, rows, instance+"/"+space); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// TestObjectsThatShareTheNameOfABindingNeverMix makes a custom resource of kind Deployment beside a Deployment of
// the same name: Karmada's names of bindings leave out the API group, so that both would have `twin-deployment`.
// Whichever of them Karmada gives the binding to, the other one shows none of it.
func TestObjectsThatShareTheNameOfABindingNeverMix(t *testing.T) {
	t.Parallel()
	const group = "isolation.kairship.io"
	custom := gvr(group, "v1", "deployments")
	createNamespaces(t, "asia", isolated)
	makeObject(t, "asia", crdsKind, map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "deployments." + group},
		"spec": map[string]any{"group": group, "scope": "Namespaced", "names": map[string]any{"kind": "Deployment", "listKind": "DeploymentList", "plural": "deployments", "singular": "deployment"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}})
	apps := makeObject(t, "asia", workloadsKinds["Deployment"], deployment(isolated, "twin"))
	own := makeObject(t, "asia", custom, map[string]any{"apiVersion": group + "/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": isolated, "name": "twin"}})

	type shown struct {
		UID         string
		Propagation struct {
			Policy  *struct{ Name string }
			Binding *struct{ UID string }
			Targets []any
		}
		Binding *struct{ UID string }
	}
	look := func() (workload, ofApps, ofCustom shown, err error) {
		const fields = "uid propagation { policy { name } binding { uid } targets { cluster { name } } }"
		data, err := read[struct {
			Instance struct{ Workload, Apps, Custom shown }
		}](t, fmt.Sprintf(`{ instance(name: "asia") { workload(kind: DEPLOYMENT, namespace: %[1]q, name: "twin") { %[2]s }
			apps: resource(apiVersion: "apps/v1", kind: "Deployment", namespace: %[1]q, name: "twin") { %[2]s binding { uid } }
			custom: resource(apiVersion: %[3]q, kind: "Deployment", namespace: %[1]q, name: "twin") { %[2]s binding { uid } } } }`, isolated, fields, group+"/v1"), nil)
		if err != nil {
			return workload, ofApps, ofCustom, err
		}
		got := data.Instance
		return got.Workload, got.Apps, got.Custom, nil
	}
	// agree says that one has the binding and the other one nothing of it.
	agree := func(bound, other *unstructured.Unstructured) func() error {
		return func() error {
			binding, err := client(t, "asia").Resource(bindingsResource).Namespace(isolated).Get(t.Context(), "twin-deployment", metav1.GetOptions{})
			if err != nil {
				return err
			}
			if holder := nested(binding, "spec", "resource", "uid"); holder != string(bound.GetUID()) {
				return fmt.Errorf("the binding is of %s", holder)
			}
			workload, ofApps, ofCustom, err := look()
			if err != nil {
				return err
			}
			if workload.UID != string(apps.GetUID()) || ofApps.UID != workload.UID || ofCustom.UID != string(own.GetUID()) {
				return fmt.Errorf("mixed: %+v %+v %+v", workload, ofApps, ofCustom)
			}
			for _, s := range []shown{workload, ofApps, ofCustom} {
				has := s.Propagation.Binding != nil
				if has && (s.UID == string(other.GetUID()) || s.Propagation.Binding.UID != string(binding.GetUID())) {
					return fmt.Errorf("%+v shows a binding of another object", s)
				}
				if s.UID == string(bound.GetUID()) && !has {
					return fmt.Errorf("%+v shows no binding", s)
				}
				if s.UID == string(other.GetUID()) && (s.Binding != nil || len(s.Propagation.Targets) > 0) {
					return fmt.Errorf("%+v shows what is of another object", s)
				}
			}
			data, err := read[struct {
				Instance struct {
					Bindings struct {
						Nodes []struct {
							UID      string
							Template *struct{ UID, APIVersion string }
						}
					}
				}
			}](t, fmt.Sprintf(`{ instance(name: "asia") { bindings(filter: {namespaces: [%q]}) { nodes { uid template { uid apiVersion } } } } }`, isolated), nil)
			if err != nil {
				return err
			}
			got := data.Instance.Bindings.Nodes
			if len(got) != 1 || got[0].Template == nil || got[0].Template.UID != string(bound.GetUID()) {
				return fmt.Errorf("the binding's template is %+v, want %s", got, bound.GetUID())
			}
			return nil
		}
	}
	t.Run("the Deployment has it", func(t *testing.T) {
		makeObject(t, "asia", policiesKinds["PropagationPolicy"], propagationPolicy(isolated, "apps", "apps/v1", "Deployment", "twin"))
		eventually(t, 30*time.Second, agree(apps, own))
	})
	// Karmada takes a binding away with its object.
	eventually(t, 30*time.Second, func() error {
		at := client(t, "asia").Resource(workloadsKinds["Deployment"]).Namespace(isolated)
		if err := at.Delete(t.Context(), "twin", metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		_, err := client(t, "asia").Resource(bindingsResource).Namespace(isolated).Get(t.Context(), "twin-deployment", metav1.GetOptions{})
		if !apierrors.IsNotFound(err) {
			return errors.New("the binding is still there")
		}
		return nil
	})
	t.Run("the custom resource has it", func(t *testing.T) {
		makeObject(t, "asia", policiesKinds["PropagationPolicy"], propagationPolicy(isolated, "custom", group+"/v1", "Deployment", "twin"))
		eventually(t, 30*time.Second, func() error {
			_, err := client(t, "asia").Resource(bindingsResource).Namespace(isolated).Get(t.Context(), "twin-deployment", metav1.GetOptions{})
			return err
		})
		apps = makeObject(t, "asia", workloadsKinds["Deployment"], deployment(isolated, "twin"))
		eventually(t, 30*time.Second, agree(own, apps))
	})
}

// TestPagesOverNamesWithSignsLoseNothing reads names that orders other than by bytes would mix up, in pages of
// every small size.
func TestPagesOverNamesWithSignsLoseNothing(t *testing.T) {
	createNamespaces(t, "asia", isolated, isolated+"-a", isolated+"1")
	names := []string{"a", "a-", "a-b", "a.b", "a1", "ab", "a-1", "a.1", "a10", "a9", "a--b", "a.b-c"}
	for _, space := range []string{isolated, isolated + "-a", isolated + "1"} {
		for _, name := range names {
			if strings.HasSuffix(name, "-") {
				continue // no name ends so
			}
			makeObject(t, "asia", workloadsKinds["Deployment"], deployment(space, name))
		}
	}
	filter := fmt.Sprintf("filter: {namespaces: [%q, %q, %q]}", isolated, isolated+"-a", isolated+"1")
	var want []string
	for _, space := range []string{isolated, isolated + "-a", isolated + "1"} {
		want = append(want, keys(truths(t, "asia", map[string]schema.GroupVersionResource{"Deployment": workloadsKinds["Deployment"]}, space), nil)...)
	}
	for _, direction := range []string{"ASC", "DESC"} {
		for first := 1; first <= 7; first++ {
			eventually(t, 30*time.Second, func() error {
				got, err := of("asia", "workloads", filter+", orderBy: {field: NAME, direction: "+direction+"}").by(first).all(t)
				if err != nil {
					return err
				}
				shown := nodeKeys(got)
				if direction == "DESC" {
					slices.Reverse(shown)
				}
				slices.SortFunc(want, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
				if diff := gocmp.Diff(want, shown); diff != "" {
					return fmt.Errorf("%s, pages of %d (-API server +Kairship):\n%s", direction, first, diff)
				}
				return nil
			})
		}
	}
}
