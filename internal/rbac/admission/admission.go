// Package admission defines the ValidatingAdmissionPolicies of every Karmada. Karmada creates in a member what its
// policies make of a template, with its own credential: a person who may write policies could turn a ConfigMap into a
// ClusterRoleBinding. The admission policies limit what Karmada's policies may name and change, for everybody who could
// not do the same in the members anyway. It is pure: it must not know who installs them in a Karmada.
package admission

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// Policy is one ValidatingAdmissionPolicy, with its binding of the same name. Defaults that an API server would add are
// written out, so that the actual object equals the desired one.
type Policy struct {
	Name    string
	Spec    admissionregistrationv1.ValidatingAdmissionPolicySpec
	Binding admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec
}

// Suffix ends the names of the policies.
const Suffix = ".kairship.io"

// Probe is the name of a ClusterRole that is refused to everybody in a dry run, so that even an administrator can find
// out whether the policies are in force.
const Probe = "kairship:probe"

// worksWriters are exempt: a person who may write Works in every namespace may do in the members whatever Karmada may,
// and gains nothing from a policy. Those are Admins of the whole instance, by any binding or group, Karmada's own
// controllers, and Kairship. The API server's own authorization decides, so no list of names has to be kept.
const worksWriters = `authorizer.group('work.karmada.io').resource('works').check('create').allowed()`

// Policies is all of them. The last one answers the probe: when it is in force, the others are.
func Policies() []Policy {
	return []Policy{overrides(), propagation(), bindings(), own()}
}

// rule matches requests.
func rule(group string, operations []admissionregistrationv1.OperationType, resources ...string) admissionregistrationv1.NamedRuleWithOperations {
	return admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
		Operations: operations,
		Rule: admissionregistrationv1.Rule{
			APIGroups: []string{group}, APIVersions: []string{"*"}, Resources: resources, Scope: ptr.To(admissionregistrationv1.AllScopes),
		},
	}}
}

var (
	writes = []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update}
	all    = []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update, admissionregistrationv1.Delete}
)

// policy builds one. A request that cannot be evaluated, for lack of CEL budget or because of an unknown form, is
// refused.
func policy(name string, rules []admissionregistrationv1.NamedRuleWithOperations, conditions []admissionregistrationv1.MatchCondition,
	variables []admissionregistrationv1.Variable, validations []admissionregistrationv1.Validation,
) Policy {
	name += Suffix
	return Policy{
		Name: name,
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: ptr.To(admissionregistrationv1.Fail),
			MatchConstraints: &admissionregistrationv1.MatchResources{
				ResourceRules: rules, MatchPolicy: ptr.To(admissionregistrationv1.Equivalent),
				NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
			},
			MatchConditions: conditions, Variables: variables, Validations: validations,
		},
		Binding: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
		},
	}
}

// unlessWorksWriter exempts those who gain nothing from a policy.
var unlessWorksWriter = admissionregistrationv1.MatchCondition{Name: "may-not-write-works", Expression: "!" + worksWriters}

// unlessUnchanged lets others change labels and finalizers of a policy that an Admin wrote. They may change its spec
// only to one that they could have written themselves.
var unlessUnchanged = admissionregistrationv1.MatchCondition{
	Name: "spec-is-another", Expression: "request.operation != 'UPDATE' || object.spec != oldObject.spec",
}

// forbid refuses a request unless the expression holds. The message names the value; the fallback is for values that no
// message can contain, such as one with line breaks.
func forbid(holds, message, fallback string) admissionregistrationv1.Validation {
	return admissionregistrationv1.Validation{
		Expression: holds, MessageExpression: message, Message: fallback, Reason: ptr.To(metav1.StatusReasonForbidden),
	}
}

// findings is a variable with the violations, in lists of strings, and the validation that there are none. The message
// is the first one, between before and after.
func findings(name, expression, before, after string) (admissionregistrationv1.Variable, admissionregistrationv1.Validation) {
	found := "variables." + name
	return admissionregistrationv1.Variable{Name: name, Expression: expression},
		forbid(found+".size() == 0", fmt.Sprintf("%s + %s[0][0] + %s", quoted(before), found, quoted(after)), strings.TrimSpace(before)+" one of the values"+after)
}

// quoted is a CEL string.
func quoted(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }

// list is a CEL list of strings.
func list(values []string) string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, quoted(v))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
