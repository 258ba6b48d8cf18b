package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

const kindsNamespace = "e2e-kinds"

// writtenKinds are kinds of objects that are no workloads: each is made, edited as YAML and removed, and its member follows.
var writtenKinds = []struct {
	apiVersion, kind, resource string
	// content is the object but for its apiVersion, kind and metadata.
	content string
	// from in its manifest is edited to to, which changes one path.
	from, to, path string
	// hidden may be in no answer.
	hidden string
}{
	{"v1", "Namespace", "namespaces", "", "team: red", "team: blue", "/metadata/labels/team", ""},
	{"v1", "ConfigMap", "configmaps", "data: {greeting: hello}", "greeting: hello", "greeting: hi", "/data/greeting", ""},
	{"v1", "Secret", "secrets", "stringData: {password: e2e-correct-horse}", "team: red", "team: blue", "/metadata/labels/team", "correct-horse"},
	{"v1", "Service", "services", "spec: {ports: [{name: http, port: 80}], selector: {app: web}}", "port: 80\n", "port: 81\n", "/spec/ports[name=http]/port", ""},
	{"networking.k8s.io/v1", "Ingress", "ingresses", "spec: {ingressClassName: nginx, rules: [{host: shop.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: kinds, port: {number: 80}}}}]}}]}",
		"host: shop.example", "host: store.example", "/spec/rules/0/host", ""},
	{"v1", "PersistentVolumeClaim", "persistentvolumeclaims", "spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}", "team: red", "team: blue", "/metadata/labels/team", ""},
	{"demo.kairship.io/v1", "Cache", "caches", "spec: {size: 1Gi, ttlSeconds: 60}", "ttlSeconds: 60", "ttlSeconds: 61", "/spec/ttlSeconds", ""},
}

// Objects of any kind are made, shown with where they are, edited as YAML after a look at the difference, and removed.
func TestObjectsOfEveryKindAreWrittenAndTheirMembersFollow(t *testing.T) {
	whole(t)
	removeNamespace(t, kindsNamespace)
	leaveNothing(t, kindsNamespace)
	var made, selectors []string
	for _, k := range writtenKinds {
		if k.kind == "Namespace" {
			made = slices.Insert(made, 0, fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s, labels: {team: red}}\n", kindsNamespace))
			continue
		}
		made = append(made, fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %s, name: kinds, labels: {team: red}}\n%s\n", k.apiVersion, k.kind, kindsNamespace, k.content))
		selectors = append(selectors, fmt.Sprintf("{apiVersion: %s, kind: %s, name: kinds}", k.apiVersion, k.kind))
	}
	made = append(made, fmt.Sprintf("{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: %s, name: kinds}, spec: {resourceSelectors: [%s], placement: {clusterAffinity: {clusterNames: [hangzhou]}}}}\n",
		kindsNamespace, strings.Join(selectors, ", ")),
		// The class of an Ingress is another one in each member.
		fmt.Sprintf("{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: %s, name: class}, spec: {resourceSelectors: [{apiVersion: networking.k8s.io/v1, kind: Ingress}], overrideRules: [{targetCluster: {clusterNames: [hangzhou]}, overriders: {plaintext: [{path: /spec/ingressClassName, operator: replace, value: haproxy}]}}]}}\n", kindsNamespace))
	got := apply(t, map[string]any{"manifests": strings.Join(made, "---\n")})
	if len(got.ApplyManifests.UserErrors) > 0 || strings.Count(got.outcomes(), "CREATED") != len(made) {
		t.Fatalf("%s: %+v", got.outcomes(), got)
	}
	for _, k := range writtenKinds {
		t.Run(k.kind, func(t *testing.T) {
			gv, err := schema.ParseGroupVersion(k.apiVersion)
			if err != nil {
				t.Fatal(err)
			}
			ref := model.Ref{Instance: "asia", GVK: gv.WithKind(k.kind), Namespace: kindsNamespace, Name: "kinds"}
			if k.kind == "Namespace" {
				ref.Namespace, ref.Name = "", kindsNamespace
			}
			inMember := func() (string, error) {
				o, err := karmada(t, "hangzhou").Resource(gv.WithResource(k.resource)).Namespace(ref.Namespace).Get(t.Context(), ref.Name, metav1.GetOptions{})
				if err != nil {
					return "", err
				}
				if k.kind == "Ingress" && fieldOf(o, "spec", "ingressClassName") != "haproxy" {
					return "", fmt.Errorf("its class is %s", fieldOf(o, "spec", "ingressClassName"))
				}
				top, _, _ := strings.Cut(k.path[1:], "/")
				return fieldOf(o, top), nil
			}
			eventually(t, time.Minute, func() error { _, err := inMember(); return err })
			manifest := shownIn(t, ref.ID(), "hangzhou", k.kind != "Namespace")
			if !strings.Contains(manifest, k.from) || k.hidden != "" && strings.Contains(manifest, k.hidden) {
				t.Fatalf("its manifest is\n%s", manifest)
			}
			if k.kind == "Secret" {
				return // what is masked cannot be sent back: it is patched below
			}
			edited := strings.Replace(manifest, k.from, k.to, 1)
			preview := into[previewedManifests](t, previewManifestsQuery, map[string]any{"in": map[string]any{"instance": "asia", "manifests": edited}})
			if d := preview.PreviewManifests.Documents; len(d) != 1 || d[0].Change != "CONFIGURED" || len(d[0].Changes) != 1 || d[0].Changes[0].Path != k.path {
				t.Errorf("the edit is previewed as %s %+v, want %s", preview.String(), d, k.path)
			}
			if got := apply(t, map[string]any{"manifests": edited}); got.outcomes() != "CONFIGURED" {
				t.Fatalf("the edit: %+v", got)
			}
			eventually(t, time.Minute, func() error {
				value := k.to[strings.LastIndex(k.to, " ")+1:]
				if now, err := inMember(); err != nil || !strings.Contains(now, strings.TrimSpace(value)) {
					return fmt.Errorf("the member has %s, %w", now, err)
				}
				return nil
			})
		})
	}
	secret := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: kindsNamespace, Name: "kinds"}.ID()
	if got := mutated(t, token, "patchResource", map[string]any{"id": secret, "patch": `{"stringData":{"password":"e2e-battery"}}`}); len(got) > 0 {
		t.Errorf("the Secret is patched: %s", got)
	}
	for _, k := range writtenKinds[1:] {
		gv, _ := schema.ParseGroupVersion(k.apiVersion)
		ref := model.Ref{Instance: "asia", GVK: gv.WithKind(k.kind), Namespace: kindsNamespace, Name: "kinds"}
		if got := mutated(t, token, "deleteResource", map[string]any{"id": ref.ID()}); len(got) > 0 {
			t.Errorf("%s: deleting it is answered %s", k.kind, got)
		}
		eventually(t, time.Minute, func() error {
			_, err := karmada(t, "hangzhou").Resource(gv.WithResource(k.resource)).Namespace(kindsNamespace).Get(t.Context(), "kinds", metav1.GetOptions{})
			if !apierrors.IsNotFound(err) {
				return fmt.Errorf("%s is still in the member: %w", k.kind, err)
			}
			return nil
		})
	}
}

// shownIn waits until an object is shown as applied in a cluster, if it is propagated, and returns its manifest.
func shownIn(t *testing.T, id, cluster string, propagated bool) (manifest string) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		got, err := read[struct {
			Node *struct {
				Manifest    string
				Propagation *struct {
					Targets []struct {
						ClusterName string
						Applied     struct{ Value string }
						Member      *struct{ Name string }
					}
				}
			}
		}](t, `query($id: ID!) { node(id: $id) { ... on KubernetesObject { manifest propagation { targets { clusterName applied { value } member { name } } } } } }`, map[string]any{"id": id})
		if err != nil || got.Node == nil {
			return fmt.Errorf("it is not shown: %w", err)
		}
		manifest = got.Node.Manifest
		if !propagated {
			return nil
		}
		if got.Node.Propagation != nil {
			for _, target := range got.Node.Propagation.Targets {
				if target.ClusterName == cluster && target.Applied.Value == "TRUE" && target.Member != nil {
					return nil
				}
			}
		}
		return fmt.Errorf("it is not shown in %s: %+v", cluster, got.Node.Propagation)
	})
	return manifest
}
