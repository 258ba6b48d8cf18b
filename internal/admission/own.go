package admission

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// The names by which Kairship knows its permissions, and the policies that take them to the members, and the
// label by which these policies select.
const (
	ownPermission = "kairship:"
	ownPolicy     = "kairship-members-"
	labelMembers  = "kairship.io/members"
)

// own keeps others from Kairship's own objects, and from what would be carried into the members with them.
func own() Policy {
	name := "has(o.metadata.name) && (o.metadata.name.startsWith('" + ownPermission + "') || o.metadata.name.startsWith('" + ownPolicy + "'))"
	label := "has(o.metadata.labels) && '" + labelMembers + "' in o.metadata.labels"
	prefix := "pod-security.kubernetes.io/"
	strictness := fmt.Sprintf(`request.resource.resource != 'namespaces' || !has(object.metadata.labels) || `+
		`object.metadata.labels.all(k, !k.startsWith('%[1]s') || object.metadata.labels[k] == 'restricted' || k.endsWith('-version'))`, prefix)
	return policy("own",
		[]admissionregistrationv1.NamedRuleWithOperations{
			// Not their deletion: that of a namespace takes along what is in it.
			rule("rbac.authorization.k8s.io", writes, "clusterroles", "clusterrolebindings", "roles", "rolebindings"),
			rule(karmadaPolicies, all, "propagationpolicies", "clusterpropagationpolicies", "overridepolicies", "clusteroverridepolicies"),
			rule("", create, "namespaces"),
		},
		[]admissionregistrationv1.MatchCondition{{
			Name:       "may-not-write-works-or-probes",
			Expression: "(has(request.dryRun) && request.dryRun && request.name == '" + Probe + "') || !" + worksWriters,
		}},
		[]admissionregistrationv1.Variable{{
			Name: "objects", Expression: "[object, oldObject].filter(o, o != null)",
		}},
		[]admissionregistrationv1.Validation{
			forbid("request.resource.resource == 'namespaces' || !variables.objects.exists(o, "+name+")", "",
				"metadata.name: names that begin with "+ownPermission+" or "+ownPolicy+" are Kairship's own; choose another one"),
			forbid("request.resource.resource == 'namespaces' || request.operation == 'DELETE' || !variables.objects.exists(o, "+label+")", "",
				"metadata.labels: "+labelMembers+" carries permissions into the members and is Kairship's own; remove it"),
			// Karmada takes a namespace to the members with its labels.
			forbid(strictness, "", "metadata.labels: those of "+prefix+" decide how strictly the members look at pods; "+
				"allowed for others than Admins of the instance is \"restricted\""),
		})
}
