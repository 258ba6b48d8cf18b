package v1alpha1_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/yaml"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/api/v1alpha1/crds"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var host *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		host, err = env.Start(testenv.KairshipDefinitions)
		return err
	})
}

// create returns what the API server says of an Instance, empty when it takes it.
func create(t *testing.T, name, spec string) (*unstructured.Unstructured, string) {
	t.Helper()
	u := &unstructured.Unstructured{Object: map[string]any{}}
	if err := yaml.Unmarshal([]byte(spec), &u.Object); err != nil {
		t.Fatal(err)
	}
	u.SetGroupVersionKind(v1alpha1.InstanceKind)
	u.SetName(name)
	if err := host.Client.Create(t.Context(), u); err != nil {
		return u, err.Error()
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), u) })
	return u, ""
}

func TestAnInstanceIsCheckedWhenItIsWritten(t *testing.T) {
	const attached = "source: Attached, attached: {kubeconfigSecretRef: {name: k}}"
	sync := func(kinds string) string { return "spec: {" + attached + ", sync: {kinds: [" + kinds + "]}}" }
	for name, tt := range map[string]struct {
		name, spec string
		// want is part of the refusal, empty when the Instance is good.
		want string
	}{
		"a good one":                      {"prod-eu", "spec: {" + attached + ", displayName: EU, description: Production}", ""},
		"the longest name":                {strings.Repeat("a", 48), "spec: {" + attached + "}", ""},
		"a name that is too long":         {strings.Repeat("a", 49), "spec: {" + attached + "}", "metadata.name may have at most 48 characters"},
		"a name with a dot":               {"prod.eu", "spec: {" + attached + "}", "metadata.name must be a DNS label"},
		"a name that ends with a hyphen":  {"prod-", "spec: {" + attached + "}", "metadata.name"},
		"no spec":                         {"a", "{}", "spec: Required value"},
		"no source":                       {"a", "spec: {attached: {kubeconfigSecretRef: {name: k}}}", "spec.source: Required value"},
		"a source that nothing serves":    {"a", "spec: {source: Borrowed}", `supported values: "Managed", "Attached"`},
		"managed":                         {"a", "spec: {source: Managed}", ""},
		"managed and attached":            {"a", "spec: {source: Managed, attached: {kubeconfigSecretRef: {name: k}}}", "spec.attached is required when spec.source is Attached, and only then"},
		"attached, to be managed":         {"a", "spec: {source: Attached, attached: {kubeconfigSecretRef: {name: k}}, managed: {version: v1.18.2}}", "spec.managed is allowed only when spec.source is Managed"},
		"attached, to be deleted":         {"a", "spec: {source: Attached, attached: {kubeconfigSecretRef: {name: k}}, deletionPolicy: Cascade}", "spec.deletionPolicy must be Orphan"},
		"managed, two kinds of etcd":      {"a", "spec: {source: Managed, managed: {etcd: {local: {}, external: {endpoints: ['http://e'], credentialSecretRef: {name: k}}}}}", "etcd.local and etcd.external exclude each other"},
		"managed, a version that is none": {"a", "spec: {source: Managed, managed: {version: latest}}", "spec.managed.version"},
		"attached to nothing":             {"a", "spec: {source: Attached}", "spec.attached is required"},
		"no Secret":                       {"a", "spec: {source: Attached, attached: {}}", "spec.attached.kubeconfigSecretRef: Required value"},
		"a Secret that cannot be":         {"a", "spec: {source: Attached, attached: {kubeconfigSecretRef: {name: ../etc}}}", "spec.attached.kubeconfigSecretRef.name"},
		"kinds of its own":                {"a", sync("{group: apps, resources: [deployments]}, {resources: [pods]}"), ""},
		"no kinds":                        {"a", sync(""), "spec.sync.kinds"},
		"a kind without resources":        {"a", sync("{group: apps, resources: []}"), "resources"},
		"all kinds of a group":            {"a", sync("{group: apps, resources: ['*']}"), "resources"},
		"all groups":                      {"a", sync("{group: '*', resources: [pods]}"), "group"},
		"a part of a kind":                {"a", sync("{group: apps, resources: [deployments/scale]}"), "resources"},
		"Secrets":                         {"a", sync("{resources: [pods, secrets]}"), "secrets are never kept in the read store"},
		"Secrets of the core group":       {"a", sync("{group: '', resources: [secrets]}"), "secrets are never kept in the read store"},
		"secrets of another group":        {"a", sync("{group: example.com, resources: [secrets]}"), ""},
		"Karmada's clusters":              {"a", sync("{group: cluster.karmada.io, resources: [clusters]}"), "cluster.karmada.io cannot be kept"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := create(t, tt.name, tt.spec)
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("want %q, got %q", tt.want, got)
			}
		})
	}
}

func TestTheSourceOfAnInstanceIsFinal(t *testing.T) {
	u, refused := create(t, "final", "spec: {source: Attached, attached: {kubeconfigSecretRef: {name: k}}}")
	if refused != "" {
		t.Fatal(refused)
	}
	if err := unstructured.SetNestedField(u.Object, "Other", "spec", "source"); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Update(t.Context(), u); err == nil {
		t.Error("another source was taken")
	}
}

func TestTheDefinitionsThatAreShippedAreTheAPI(t *testing.T) {
	entries, err := crds.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		raw, err := crds.Files.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		var definition apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(raw, &definition); err != nil {
			t.Fatal(err)
		}
		got = append(got, definition.Spec.Group+"/"+definition.Spec.Versions[0].Name+" "+definition.Spec.Names.Plural)
	}
	if diff := cmp.Diff([]string{"kairship.io/v1alpha1 accessbindings", "kairship.io/v1alpha1 globalresources", "kairship.io/v1alpha1 instances", "kairship.io/v1alpha1 operations"}, got); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
}
