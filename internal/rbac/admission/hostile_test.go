package admission_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

const configMaps = "resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: c}]\n"

func overriders(rest string) string {
	return configMaps + "overrideRules: [{overriders: {" + rest + "}}]\n"
}

func plaintext(path, operator string) string {
	return overriders(fmt.Sprintf(`plaintext: [{path: %q, operator: %s, value: x}]`, path, operator))
}

func selecting(selector string) string { return "resourceSelectors: [" + selector + "]\n" }

// What nobody but an Admin of the instance may say in a policy, and what the refusal says.
var hostile = []struct {
	name string
	// override and propagation say which policies may say it at all.
	override, propagation bool
	spec                  string
	words                 string
}{
	// A JSON patch that makes of one object another one.
	{"the kind", true, false, plaintext("/kind", "replace"), "plaintext[].path: /kind may not be changed; allowed are /spec"},
	{"the version", true, false, plaintext("/apiVersion", "replace"), "plaintext[].path: /apiVersion"},
	{"the name", true, false, plaintext("/metadata/name", "replace"), "plaintext[].path: /metadata/name"},
	{"the namespace", true, false, plaintext("/metadata/namespace", "replace"), "plaintext[].path: /metadata/namespace"},
	{"rules", true, false, plaintext("/rules", "add"), "plaintext[].path: /rules"},
	{"the role", true, false, plaintext("/roleRef", "add"), "plaintext[].path: /roleRef"},
	{"the name of the role", true, false, plaintext("/roleRef/name", "replace"), "plaintext[].path: /roleRef/name"},
	{"subjects", true, false, plaintext("/subjects/-", "add"), "plaintext[].path: /subjects/-"},
	{"webhooks", true, false, plaintext("/webhooks/0/clientConfig", "replace"), "plaintext[].path: /webhooks"},
	{"the type of a Secret", true, false, plaintext("/type", "replace"), "plaintext[].path: /type"},
	{"the whole object", true, false, plaintext("", "replace"), "plaintext[].path: "},
	{"the root", true, false, plaintext("/", "add"), "plaintext[].path: /"},
	{"all metadata", true, false, plaintext("/metadata", "replace"), "plaintext[].path: /metadata"},
	{"all labels", true, false, plaintext("/metadata/labels", "replace"), "plaintext[].path: /metadata/labels may not"},
	{"all annotations", true, false, plaintext("/metadata/annotations", "add"), "plaintext[].path: /metadata/annotations may not"},
	{"all annotations with one of Karmada", true, false, overriders(`plaintext: [{path: /metadata/annotations, operator: add, value: {a: b, work.karmada.io/conflict-resolution: overwrite}}]`), "plaintext[].path: /metadata/annotations may not"},
	{"all labels with one that is escaped", true, false, overriders(`plaintext: [{path: /metadata/labels, operator: replace, value: {kairship.io~1members: "true"}}]`), "plaintext[].path: /metadata/labels may not"},
	{"all labels as a list", true, false, overriders(`plaintext: [{path: /metadata/labels, operator: replace, value: [kairship.io/members]}]`), "plaintext[].path: /metadata/labels may not"},
	{"the empty label", true, false, plaintext("/metadata/labels/", "add"), "plaintext[].path: /metadata/labels/ may not"},
	{"owners", true, false, plaintext("/metadata/ownerReferences", "add"), "plaintext[].path: /metadata/ownerReferences"},
	{"finalizers", true, false, plaintext("/metadata/finalizers/-", "add"), "plaintext[].path: /metadata/finalizers"},
	{"a field that begins as another", true, false, plaintext("/specX", "add"), "plaintext[].path: /specX"},
	{"a field in other letters", true, false, plaintext("/Spec/x", "add"), "plaintext[].path: /Spec/x"},
	{"two slashes", true, false, plaintext("//spec/x", "add"), "plaintext[].path: //spec/x"},
	{"no slash", true, false, plaintext("spec/x", "add"), "plaintext[].path: spec/x"},
	{"what stands before the first slash, which is not read", true, false, plaintext("x/kind", "replace"), "plaintext[].path: x/kind"},
	{"a field before the first slash", true, false, plaintext("spec/kind", "replace"), "plaintext[].path: spec/kind"},
	{"an escaped slash", true, false, plaintext("/spec~1x", "add"), "plaintext[].path: /spec~1x"},
	{"an escaped slash in front", true, false, plaintext("~1spec/kind", "replace"), "plaintext[].path: ~1spec/kind"},
	{"an escaped kind", true, false, plaintext("/~0kind", "add"), "plaintext[].path: /~0kind"},
	{"steps that lead up, to a label", true, false, plaintext("/metadata/labels/../name", "add"), "plaintext[].path: /metadata/labels/../name"},
	{"a path with a space in front", true, false, plaintext(" /spec", "add"), "plaintext[].path:  /spec"},
	{"a line break before the path", true, false, plaintext("/kind\n/spec", "replace"), "plaintext[].path: one of the values may not be changed"},
	{"a label of Karmada", true, false, plaintext("/metadata/labels/propagationpolicy.karmada.io~1permanent-id", "add"), "plaintext[].path: /metadata/labels/propagationpolicy.karmada.io~1permanent-id"},
	{"a label of Kairship", true, false, plaintext("/metadata/labels/kairship.io~1members", "add"), "plaintext[].path: /metadata/labels/kairship.io~1members"},
	{"an annotation that overwrites", true, false, plaintext("/metadata/annotations/work.karmada.io~1conflict-resolution", "add"), "plaintext[].path: /metadata/annotations/work.karmada.io~1conflict-resolution"},
	{"an annotation, escaped twice", true, false, plaintext("/metadata/annotations/work.karmada.io~01x", "add"), "plaintext[].path: /metadata/annotations/work.karmada.io~01x"},
	{"the second of two paths", true, false, overriders(`plaintext: [{path: /data/a, operator: add, value: x}, {path: /kind, operator: replace, value: x}]`), "plaintext[].path: /kind"},
	{"the second of two rules", true, false, configMaps + `overrideRules: [{overriders: {plaintext: [{path: /data/a, operator: add, value: x}]}}, {overriders: {plaintext: [{path: /kind, operator: replace, value: x}]}}]`, "plaintext[].path: /kind"},
	{"all annotations taken away, with a value", true, false, overriders(`plaintext: [{path: /metadata/annotations, operator: remove, value: {a: b}}]`), "plaintext[].path: /metadata/annotations may not"},
	{"a path that is taken away", true, false, overriders(`plaintext: [{path: /metadata/annotations, operator: remove}]`), "plaintext[].path: /metadata/annotations"},
	{"the deprecated form", true, false, configMaps + `overriders: {plaintext: [{path: /kind, operator: replace, value: ClusterRoleBinding}]}`, "plaintext[].path: /kind"},
	{"the deprecated form beside the other", true, false, configMaps + "overriders: {plaintext: [{path: /kind, operator: replace, value: x}]}\noverrideRules: [{overriders: {}}]", "plaintext[].path: /kind"},
	{"a field in JSON", true, false, overriders(`fieldOverrider: [{fieldPath: /kind, json: [{subPath: "", operator: replace, value: x}]}]`), "fieldOverrider[].fieldPath: /kind"},
	{"a field in YAML", true, false, overriders(`fieldOverrider: [{fieldPath: /metadata/name, yaml: [{subPath: "", operator: replace, value: x}]}]`), "fieldOverrider[].fieldPath: /metadata/name"},
	{"a field that is the root", true, false, overriders(`fieldOverrider: [{fieldPath: "", json: [{subPath: /kind, operator: replace, value: x}]}]`), "fieldOverrider[].fieldPath: "},
	{"a field that is a slash", true, false, overriders(`fieldOverrider: [{fieldPath: "/", json: [{subPath: /kind, operator: replace, value: x}]}]`), "fieldOverrider[].fieldPath: /"},
	{"a field in an annotation of Karmada", true, false, overriders(`fieldOverrider: [{fieldPath: /metadata/annotations/policy.karmada.io~1x, json: [{subPath: /a, operator: add, value: x}]}]`), "fieldOverrider[].fieldPath: /metadata/annotations/policy.karmada.io~1x"},
	{"a field in the deprecated form", true, false, configMaps + `overriders: {fieldOverrider: [{fieldPath: /kind, yaml: [{subPath: "", operator: replace, value: x}]}]}`, "fieldOverrider[].fieldPath: /kind"},
	{"an image that is the kind", true, false, overriders(`imageOverrider: [{predicate: {path: /kind}, component: Repository, operator: replace, value: x}]`), "imageOverrider[].predicate.path: /kind may not be changed; allowed is what is below /spec"},
	{"an image that is the name", true, false, overriders(`imageOverrider: [{predicate: {path: /metadata/name}, component: Tag, operator: add, value: x}]`), "imageOverrider[].predicate.path: /metadata/name"},
	{"an image behind two slashes", true, false, overriders(`imageOverrider: [{predicate: {path: //metadata/name}, component: Tag, operator: add, value: x}]`), "imageOverrider[].predicate.path: //metadata/name"},
	{"a label by its own overrider", true, false, overriders(`labelsOverrider: [{operator: add, value: {app: x, clusterpropagationpolicy.karmada.io/permanent-id: x}}]`), "labelsOverrider[].value: clusterpropagationpolicy.karmada.io/permanent-id"},
	{"a label that is escaped already", true, false, overriders(`labelsOverrider: [{operator: add, value: {propagationpolicy.karmada.io~1permanent-id: x}}]`), "labelsOverrider[].value: propagationpolicy.karmada.io~1permanent-id"},
	{"a label that is taken away", true, false, overriders(`labelsOverrider: [{operator: remove, value: {karmada.io/managed: "true"}}]`), "labelsOverrider[].value: karmada.io/managed"},
	{"an annotation by its own overrider", true, false, overriders(`annotationsOverrider: [{operator: add, value: {work.karmada.io/conflict-resolution: overwrite}}]`), "annotationsOverrider[].value: work.karmada.io/conflict-resolution may not be changed; it steers"},
	{"an annotation in the deprecated form", true, false, configMaps + `overriders: {annotationsOverrider: [{operator: add, value: {kairship.io/x: x}}]}`, "annotationsOverrider[].value: kairship.io/x"},

	// Selectors that reach too far.
	{"no selectors", true, false, `overrideRules: [{overriders: {plaintext: [{path: /spec/x, operator: add, value: x}]}}]`, "spec.resourceSelectors: an empty list selects everything"},
	{"an empty list of selectors", true, false, "resourceSelectors: []", "spec.resourceSelectors: an empty list selects everything"},
	{"ClusterRoles", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"), "spec.resourceSelectors: rbac.authorization.k8s.io/v1 ClusterRole may be carried into members only by policies that Admins"},
	{"ClusterRoleBindings", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding}"), "ClusterRoleBinding may be carried"},
	{"Roles", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role}"), "v1 Role may be carried"},
	{"RoleBindings", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, labelSelector: {matchLabels: {a: b}}}"), "v1 RoleBinding may be carried"},
	{"RBAC of a former version", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/v1beta1, kind: ClusterRole}"), "v1beta1 ClusterRole may be carried"},
	{"RBAC in other letters", true, true, selecting("{apiVersion: RBAC.authorization.k8s.io/v1, kind: clusterRole}"), "clusterRole may be carried"},
	{"RBAC without a version", true, true, selecting("{apiVersion: rbac.authorization.k8s.io/, kind: ClusterRole}"), "ClusterRole may be carried"},
	{"a version with a slash in front", true, true, selecting("{apiVersion: /rbac.authorization.k8s.io/v1, kind: ClusterRole}"), "ClusterRole may be carried"},
	{"a version with two slashes", true, true, selecting("{apiVersion: a.b/c/v1, kind: Namespace}"), "a.b/c/v1 Namespace may be carried"},
	{"a custom group that hides another", true, true, selecting("{apiVersion: a.b/rbac.authorization.k8s.io/v1, kind: ClusterRole}"), "ClusterRole may be carried"},
	{"a group with a dot at its end", true, true, selecting("{apiVersion: rbac.authorization.k8s.io./v1, kind: ClusterRole}"), "ClusterRole may be carried"},
	{"a group below one of Kubernetes", true, true, selecting("{apiVersion: x.rbac.authorization.k8s.io/v1, kind: ClusterRole}"), "ClusterRole may be carried"},
	{"everything by stars", true, true, selecting(`{apiVersion: "*", kind: "*"}`), "* * may be carried"},
	{"every kind of one group", true, true, selecting(`{apiVersion: apps/v1, kind: "*"}`), "apps/v1 * may be carried"},
	{"a kind of stars", true, true, selecting(`{apiVersion: "*/*", kind: "*"}`), "*/* * may be carried"},
	{"nothing named", true, true, selecting(`{apiVersion: "", kind: "", labelSelector: {matchLabels: {a: b}}}`), " may be carried"},
	{"the second of two selectors", true, true, selecting("{apiVersion: v1, kind: ConfigMap}, {apiVersion: rbac.authorization.k8s.io/v1, kind: Role}"), "v1 Role may be carried"},
	{"Namespaces", true, true, selecting("{apiVersion: v1, kind: Namespace, name: shop}"), "v1 Namespace may be carried"},
	{"quotas", true, true, selecting("{apiVersion: v1, kind: ResourceQuota}"), "v1 ResourceQuota may be carried"},
	{"limits", true, true, selecting("{apiVersion: v1, kind: LimitRange}"), "v1 LimitRange may be carried"},
	{"PersistentVolumes", true, true, selecting("{apiVersion: v1, kind: PersistentVolume}"), "v1 PersistentVolume may be carried"},
	{"nodes", true, true, selecting("{apiVersion: v1, kind: Node}"), "v1 Node may be carried"},
	{"CustomResourceDefinitions", true, true, selecting("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}"), "CustomResourceDefinition may be carried"},
	{"mutating webhooks", true, true, selecting("{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration}"), "MutatingWebhookConfiguration may be carried"},
	{"validating webhooks", true, true, selecting("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration}"), "ValidatingWebhookConfiguration may be carried"},
	{"admission policies", true, true, selecting("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding}"), "ValidatingAdmissionPolicyBinding may be carried"},
	{"APIServices", true, true, selecting("{apiVersion: apiregistration.k8s.io/v1, kind: APIService}"), "APIService may be carried"},
	{"certificates", true, true, selecting("{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest}"), "CertificateSigningRequest may be carried"},
	{"tokens", true, true, selecting("{apiVersion: authentication.k8s.io/v1, kind: TokenRequest}"), "TokenRequest may be carried"},
	{"runtime classes", true, true, selecting("{apiVersion: node.k8s.io/v1, kind: RuntimeClass}"), "RuntimeClass may be carried"},
	{"CSI drivers", true, true, selecting("{apiVersion: storage.k8s.io/v1, kind: CSIDriver}"), "CSIDriver may be carried"},
	{"revisions", true, true, selecting("{apiVersion: apps/v1, kind: ControllerRevision}"), "ControllerRevision may be carried"},
	{"Karmada's policies", true, true, selecting("{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy}"), "OverridePolicy may be carried"},
	{"Works", true, true, selecting("{apiVersion: work.karmada.io/v1alpha1, kind: Work}"), "v1alpha1 Work may be carried"},
	{"Kairship's own kinds", true, true, selecting("{apiVersion: kairship.io/v1alpha1, kind: AccessBinding}"), "AccessBinding may be carried"},
	{"Clusterpedia's", true, true, selecting("{apiVersion: cluster.clusterpedia.io/v1alpha2, kind: PediaCluster}"), "PediaCluster may be carried"},
	{"a namespace of the control plane", true, true, selecting("{apiVersion: v1, kind: Secret, namespace: kube-system}"), "spec.resourceSelectors[].namespace: kube-system is not for this policy"},
	{"where the members' credentials are", true, true, selecting("{apiVersion: v1, kind: Secret, namespace: karmada-cluster}"), "spec.resourceSelectors[].namespace: karmada-cluster is not for this policy"},
	{"a label that Karmada puts on what it moves", false, true, configMaps + `failover: {application: {decisionConditions: {tolerationSeconds: 1}, statePreservation: {rules: [{aliasLabelName: kairship.io/members, jsonPath: "{.a}"}]}}}`, "spec.failover: statePreservation.rules[].aliasLabelName kairship.io/members"},
	{"such a label when a cluster fails", false, true, configMaps + `failover: {cluster: {statePreservation: {rules: [{aliasLabelName: karmada.io/managed, jsonPath: "{.a}"}]}}}`, "aliasLabelName karmada.io/managed"},
}

// kinds are those of the policies that may say something hostile.
func kinds(override, propagation bool) (out []string) {
	if override {
		out = append(out, "OverridePolicy", "ClusterOverridePolicy")
	}
	if propagation {
		out = append(out, "PropagationPolicy", "ClusterPropagationPolicy")
	}
	return out
}

func TestWhatWouldBeALadderIsRefusedWithItsReason(t *testing.T) {
	people := map[string]client.Client{
		namespaceEditor: as(t, namespaceEditor), instanceEditor: as(t, instanceEditor), customRole: as(t, customRole), namespaceAdmin: as(t, namespaceAdmin),
	}
	root := as(t, admin)
	tried := 0
	for _, tt := range hostile {
		for _, kind := range kinds(tt.override, tt.propagation) {
			t.Run(tt.name+" by a "+kind, func(t *testing.T) {
				for user, c := range people {
					if strings.HasPrefix(kind, "Cluster") && (user == namespaceEditor || user == namespaceAdmin) {
						continue
					}
					tried++
					if wrong := refused(c.Create(t.Context(), written(t, kind, "shop", tt.spec)), tt.words); wrong != "" {
						t.Errorf("as %s: %s", user, wrong)
					}
				}
				if err := root.Create(t.Context(), written(t, kind, "shop", tt.spec), client.DryRunAll); err != nil {
					t.Errorf("as an Admin: %v", err)
				}
			})
		}
	}
	t.Logf("%d hostile policies refused, of %d kinds", tried, len(hostile))
}
