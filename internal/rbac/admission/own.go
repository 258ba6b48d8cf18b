package admission

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// Name prefixes of Kairship's permissions and of the policies that propagate them to the members, and the label by
// which these policies select.
const (
	ownPermission = "kairship:"
	ownPolicy     = "kairship-members-"
	labelMembers  = "kairship.io/members"
)

// labelDeviceAdmin is the label of a Namespace whose ResourceClaims may ask for administrator access to devices.
const labelDeviceAdmin = "resource.kubernetes.io/admin-access"

// everyNamespace holds for users who may do the same with every Namespace.
const everyNamespace = `(request.operation == 'DELETE' ? authorizer.group('').resource('namespaces').check('delete').allowed() : ` +
	`authorizer.group('').resource('namespaces').check('update').allowed() || authorizer.group('').resource('namespaces').check('patch').allowed())`

// own protects Kairship's own objects, and prevents others from having objects propagated together with them.
func own() Policy {
	name := "has(o.metadata.name) && (o.metadata.name.startsWith('" + ownPermission + "') || o.metadata.name.startsWith('" + ownPolicy + "'))"
	label := "has(o.metadata.labels) && '" + labelMembers + "' in o.metadata.labels"
	prefix := "pod-security.kubernetes.io/"
	// Existing labels stay; new ones may only be stricter.
	strictness := fmt.Sprintf(`!variables.namespaces || request.operation == 'DELETE' || `+
		`variables.labels.all(k, !(k.startsWith('%[1]s') || k == '%[2]s') || k in variables.before && variables.before[k] == variables.labels[k] || `+
		`k.startsWith('%[1]s') && (variables.labels[k] == 'restricted' || k.endsWith('-version') && !(k in variables.before))) && `+
		`variables.before.all(k, !k.startsWith('%[1]s') || k in variables.labels)`, prefix, labelDeviceAdmin)
	return policy("own",
		[]admissionregistrationv1.NamedRuleWithOperations{
			// Not deletions: deleting a namespace deletes its content.
			rule("rbac.authorization.k8s.io", writes, "clusterroles", "clusterrolebindings", "roles", "rolebindings"),
			rule(karmadaPolicies, all, "propagationpolicies", "clusterpropagationpolicies", "overridepolicies", "clusteroverridepolicies"),
			// The API server evaluates a request on a Namespace inside it, so a user with every right in one also has
			// every right on the Namespace itself.
			rule("", all, "namespaces"),
		},
		[]admissionregistrationv1.MatchCondition{{
			Name:       "may-not-write-works-or-probes",
			Expression: "(has(request.dryRun) && request.dryRun && request.name == '" + Probe + "') || !" + worksWriters,
		}},
		[]admissionregistrationv1.Variable{{
			Name: "objects", Expression: "[object, oldObject].filter(o, o != null)",
		}, {
			Name: "namespaces", Expression: "request.resource.resource == 'namespaces'",
		}, {
			Name: "labels", Expression: "object != null && has(object.metadata.labels) ? object.metadata.labels : {}",
		}, {
			Name: "before", Expression: "oldObject != null && has(oldObject.metadata.labels) ? oldObject.metadata.labels : {}",
		}},
		[]admissionregistrationv1.Validation{
			forbid("variables.namespaces || !variables.objects.exists(o, "+name+")", "",
				"metadata.name: names that begin with "+ownPermission+" or "+ownPolicy+" are Kairship's own; choose another one"),
			forbid("variables.namespaces || request.operation == 'DELETE' || !variables.objects.exists(o, "+label+")", "",
				"metadata.labels: "+labelMembers+" carries permissions into the members and is Kairship's own; remove it"),
			// Karmada propagates a namespace with its labels, and deleting it deletes its content in the members.
			forbid("!variables.namespaces || request.operation == 'CREATE' || "+everyNamespace, "",
				"metadata.name: to change or delete a Namespace is for who may do so with each; a role in a namespace is about what is in it"),
			forbid(strictness, "", "metadata.labels: those of "+prefix+" decide how strictly the members look at pods, and "+labelDeviceAdmin+
				" lets claims take every device; allowed for others than Admins of the instance is \"restricted\""),
		})
}
