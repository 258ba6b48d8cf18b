package karmada

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

func TestApplyTellsCreatedConfiguredAndUnchangedApart(t *testing.T) {
	ns := namespace(t)
	first := docs(deployment(ns, "cart", 2), configMap(ns, "settings", "1"))
	expect(t, ns, apply(t, Request{Manifests: first, DryRun: true}), "0 Deployment @/cart CREATED", "1 ConfigMap @/settings CREATED")
	if get(t, deploymentKind, ns, "cart") != nil {
		t.Fatal("a dry run made the Deployment")
	}
	expect(t, ns, apply(t, Request{Manifests: first}), "0 Deployment @/cart CREATED", "1 ConfigMap @/settings CREATED")
	expect(t, ns, apply(t, Request{Manifests: first}), "0 Deployment @/cart UNCHANGED", "1 ConfigMap @/settings UNCHANGED")

	// What Karmada writes into the status is no change of what was applied.
	u := get(t, deploymentKind, ns, "cart")
	if err := unstructured.SetNestedField(u.Object, int64(2), "status", "replicas"); err != nil {
		t.Fatal(err)
	}
	if err := server.Client.Status().Update(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	before := get(t, deploymentKind, ns, "cart").GetResourceVersion()
	second := docs(deployment(ns, "cart", 2), configMap(ns, "settings", "2"))
	expect(t, ns, apply(t, Request{Manifests: second, DryRun: true}), "0 Deployment @/cart UNCHANGED", "1 ConfigMap @/settings CONFIGURED")
	expect(t, ns, apply(t, Request{Manifests: second}), "0 Deployment @/cart UNCHANGED", "1 ConfigMap @/settings CONFIGURED")
	if after := get(t, deploymentKind, ns, "cart").GetResourceVersion(); after != before {
		t.Errorf("an unchanged Deployment went from version %s to %s", before, after)
	}
	if v, _, _ := unstructured.NestedString(get(t, configMapKind, ns, "settings").Object, "data", "key"); v != "2" {
		t.Errorf("the ConfigMap holds %q, want 2", v)
	}
}

func TestApplyPutsDocumentsInOrderAndAnswersInTheirs(t *testing.T) {
	ns := unused("ordered")
	expect(t, ns, apply(t, Request{Manifests: docs(deployment(ns, "cart", 1), configMap(ns, "settings", "1"),
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: "+ns+"}\n")}),
		"0 Deployment @/cart CREATED", "1 ConfigMap @/settings CREATED", "2 Namespace -/@ CREATED")
}

func TestApplyActsAsThePersonUnderItsOwnName(t *testing.T) {
	ns := namespace(t)
	expect(t, ns, applyAs(t, reader, Request{Manifests: configMap(ns, "settings", "1")}),
		`0 ConfigMap @/settings FAILED FORBIDDEN [] configmaps "settings" is forbidden: User "kairship:host:rita" cannot patch resource "configmaps" in API group "" in the namespace "@"`)
	expect(t, ns, applyAs(t, writer, Request{Manifests: configMap(ns, "settings", "1")}), "0 ConfigMap @/settings CREATED")
	// Who may not get it cannot be told whether it changed.
	expect(t, ns, applyAs(t, writer, Request{Manifests: configMap(ns, "settings", "1")}), "0 ConfigMap @/settings CONFIGURED")
	fields := get(t, configMapKind, ns, "settings").GetManagedFields()
	if len(fields) != 1 || fields[0].Manager != FieldManager || fields[0].Operation != "Apply" {
		t.Errorf("the fields are managed by %v, want one Apply by %s", fields, FieldManager)
	}
}

func TestApplyRefusesNobody(t *testing.T) {
	_, _, err := Apply(t.Context(), connect(t, server.Config), auth.Principal{}, Request{Manifests: configMap("default", "x", "1")})
	if err == nil {
		t.Error("nobody applied something")
	}
}

func TestApplyFindsWhatIsWrongWithOneDocument(t *testing.T) {
	ns := namespace(t)
	if err := server.Client.Create(t.Context(), mustYAML(t, configMap(ns, "taken", "theirs")), client.FieldOwner("another")); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, manifest, want string }{
		{"a value that is invalid", deployment(ns, "bad", -1),
			`0 Deployment @/bad FAILED BAD_USER_INPUT [spec.replicas] Deployment.apps "bad" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{"a field that does not exist", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + ns + ", name: x}\ndate: {}\n",
			`0 ConfigMap @/x FAILED BAD_USER_INPUT [date] failed to create typed patch object (@/x; /v1, Kind=ConfigMap): .date: field not declared in schema`},
		{"a value of the wrong type", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + ns + ", name: x}\ndata: [1]\n",
			`0 ConfigMap @/x FAILED BAD_USER_INPUT [data] failed to create typed patch object (@/x; /v1, Kind=ConfigMap): .data: expected map, got &{[1]}`},
		{"a quantity that is none", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: " + ns + ", name: q}\nspec: {hard: {cpu: abc}}\n",
			`0 ResourceQuota @/q FAILED BAD_USER_INPUT [] failed to convert new object (@/q; /v1, Kind=ResourceQuota) to proper version: unable to convert unstructured object to /v1, Kind=ResourceQuota: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`},
		{"a value of a Secret that is not in base64", "apiVersion: v1\nkind: Secret\nmetadata: {namespace: " + ns + ", name: s}\ndata: {p: \"hunter2!!\"}\n",
			`0 Secret @/s FAILED BAD_USER_INPUT [] failed to convert new object (@/s; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: [redacted] decoding from json: illegal base64 data at input byte 7`},
		{"a name that is not one", configMap(ns, "Bad_Name", "1"),
			`0 ConfigMap @/Bad_Name FAILED BAD_USER_INPUT [metadata.name] ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		{"a kind that is not served", "apiVersion: example.io/v1\nkind: Widget\nmetadata: {name: w}\n",
			`0 Widget -/w FAILED NOT_FOUND [kind] instance "asia" serves no kind "Widget" of "example.io/v1"`},
		{"a version that is not served", "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: w}\n",
			`0 Deployment -/w FAILED NOT_FOUND [kind] instance "asia" serves no kind "Deployment" of "apps/v1beta1"; it serves apps/v1`},
		{"a namespace for what lives in none", "apiVersion: v1\nkind: Namespace\nmetadata: {namespace: a, name: b}\n",
			`0 Namespace a/b FAILED BAD_USER_INPUT [metadata.namespace] metadata.namespace: Namespace is cluster-scoped and lives in no namespace, but "a" is given`},
		{"a namespace that is not there", configMap("nowhere", "x", "1"), `0 ConfigMap nowhere/x FAILED NOT_FOUND [] namespaces "nowhere" not found`},
		{"a field that another manager owns", configMap(ns, "taken", "mine"), `0 ConfigMap @/taken FAILED CONFLICT [data.key] data.key is owned by "another" using v1 (force takes fields over)`},
		{"an old version", "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + ns + ", name: taken, resourceVersion: \"1\"}\n",
			`0 ConfigMap @/taken FAILED CONFLICT [] Operation cannot be fulfilled on configmaps "taken": the object has been modified; please apply your changes to the latest version and try again`},
		{"YAML that does not parse", "a: b: c\n", "0 - -/- FAILED BAD_USER_INPUT [] document 0: line 1: mapping values are not allowed in this context"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { expect(t, ns, apply(t, Request{Manifests: c.manifest}), c.want) })
	}
	expect(t, ns, apply(t, Request{Manifests: configMap(ns, "taken", "mine"), Force: true}), "0 ConfigMap @/taken CONFIGURED")
}

func TestApplyPutsObjectsWithoutANamespaceIntoDefault(t *testing.T) {
	name := unused("homeless")
	expect(t, "default", apply(t, Request{Manifests: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"}), "0 ConfigMap @/"+name+" CREATED")
}

func TestApplyStopsOrGoesOn(t *testing.T) {
	cases := []struct {
		name      string
		onError   model.OnError
		manifests func(ns string) string
		want      []string
	}{
		{"a document that the API server refuses stops those after it", "",
			func(ns string) string {
				return docs(configMap(ns, "a", "1"), deployment(ns, "b", -1), deployment(ns, "c", 1))
			},
			[]string{"0 ConfigMap @/a CREATED", `1 Deployment @/b FAILED BAD_USER_INPUT [spec.replicas] Deployment.apps "b" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`, "2 Deployment @/c SKIPPED"}},
		{"or does not", model.OnErrorContinue,
			func(ns string) string {
				return docs(configMap(ns, "a", "1"), deployment(ns, "b", -1), deployment(ns, "c", 1))
			},
			[]string{"0 ConfigMap @/a CREATED", `1 Deployment @/b FAILED BAD_USER_INPUT [spec.replicas] Deployment.apps "b" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`, "2 Deployment @/c CREATED"}},
		{"a document that cannot be read keeps all from being applied", model.OnErrorStop,
			func(ns string) string { return docs(configMap(ns, "a", "1"), "a: b: c\n") },
			[]string{"0 ConfigMap @/a SKIPPED", "1 - -/- FAILED BAD_USER_INPUT [] document 1: line 6: mapping values are not allowed in this context"}},
		{"or does not, when told to go on", model.OnErrorContinue,
			func(ns string) string { return docs(configMap(ns, "a", "1"), "a: b: c\n") },
			[]string{"0 ConfigMap @/a CREATED", "1 - -/- FAILED BAD_USER_INPUT [] document 1: line 6: mapping values are not allowed in this context"}},
		{"a kind that is not served keeps all from being applied", model.OnErrorStop,
			func(ns string) string {
				return docs(configMap(ns, "a", "1"), "{apiVersion: example.io/v1, kind: Widget, metadata: {name: w}}\n")
			},
			[]string{"0 ConfigMap @/a SKIPPED", `1 Widget -/w FAILED NOT_FOUND [kind] instance "asia" serves no kind "Widget" of "example.io/v1"`}},
		{"an object that is given twice is refused the second time", model.OnErrorContinue,
			func(ns string) string { return docs(configMap(ns, "a", "1"), configMap(ns, "a", "2")) },
			[]string{"0 ConfigMap @/a CREATED", `1 ConfigMap @/a FAILED BAD_USER_INPUT [metadata.name] metadata.name: ConfigMap "a" is also document 0`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ns := namespace(t)
			expect(t, ns, apply(t, Request{Manifests: c.manifests(ns), OnError: c.onError}), c.want...)
		})
	}
}

func TestApplyTriesWhatANamespaceOfTheSameDryRunWillHold(t *testing.T) {
	ns := unused("imagined")
	space := "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + ns + "}\n"
	expect(t, ns, apply(t, Request{Manifests: docs(space, deployment(ns, "cart", 1), configMap(ns, "kube-root-ca.crt", "1")), DryRun: true}),
		"0 Namespace -/@ CREATED", "1 Deployment @/cart CREATED", "2 ConfigMap @/kube-root-ca.crt CREATED")
	expect(t, ns, apply(t, Request{Manifests: docs(space, deployment(ns, "cart", -1)), DryRun: true}),
		"0 Namespace -/@ CREATED", `1 Deployment @/cart FAILED BAD_USER_INPUT [spec.replicas] Deployment.apps "cart" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`)
	long := strings.Repeat("x", 253) // as long as a ConfigMap's name may be
	expect(t, ns, apply(t, Request{Manifests: docs(space, configMap(ns, long, "1")), DryRun: true}),
		"0 Namespace -/@ CREATED", "1 ConfigMap @/"+long+" CREATED")
	if get(t, namespaceKind, "", ns) != nil {
		t.Error("a dry run made the namespace")
	}
}

func TestApplyWaitsForTheKindsThatItDefines(t *testing.T) {
	group := unused("gadgets") + ".kairship.io"
	definition := strings.ReplaceAll(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.@}
spec:
  group: "@"
  scope: Cluster
  names: {kind: Gadget, plural: gadgets}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}
`, "@", group)
	gadget := "apiVersion: " + group + "/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {size: 3}\n"
	old := "apiVersion: " + group + "/v0\nkind: Gadget\nmetadata: {name: g}\n"
	const dry = `0 Gadget -/g FAILED NOT_FOUND [kind] kind: cannot be tried in a dry run, because document 1, which a dry run does not keep, defines it`
	expect(t, group, apply(t, Request{Manifests: docs(gadget, definition), DryRun: true}), dry, "1 CustomResourceDefinition -/gadgets.@ CREATED")
	expect(t, group, apply(t, Request{Manifests: docs(gadget, definition)}), "0 Gadget -/g CREATED", "1 CustomResourceDefinition -/gadgets.@ CREATED")
	expect(t, group, apply(t, Request{Manifests: docs(gadget, definition), DryRun: true}), "0 Gadget -/g UNCHANGED", "1 CustomResourceDefinition -/gadgets.@ UNCHANGED")
	expect(t, group, apply(t, Request{Manifests: "apiVersion: " + group + "/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {sice: 3}\n"}),
		`0 Gadget -/g FAILED BAD_USER_INPUT [spec.sice] failed to create typed patch object (/g; @/v1, Kind=Gadget): .spec.sice: field not declared in schema`)
	expect(t, group, apply(t, Request{Manifests: docs(definition, old), OnError: model.OnErrorContinue}),
		"0 CustomResourceDefinition -/gadgets.@ UNCHANGED",
		`1 Gadget -/g FAILED NOT_FOUND [kind] instance "asia" serves no kind "Gadget" of "@/v0"; it serves @/v1`)
}
