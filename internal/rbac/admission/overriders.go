package admission

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// What an override may change: below these fields, and single labels and annotations. A JSON pointer cannot go up
// again, and an escape in a later part cannot become a "/" that ends a part, so its beginning decides. The library that
// applies it ignores what is before the first "/", so a path has to begin with it.
const (
	bodyPath  = `^/(spec|data|stringData|binaryData)(/|$)`
	labelPath = `^/metadata/(labels|annotations)/[^/]+$`
	// a value whose keys are all labels, or all annotations.
	labelsPath = `^/metadata/(labels|annotations)$`
	allowed    = "allowed are /spec, /data, /stringData and /binaryData and what is below them, and labels and annotations, " +
		"/metadata/labels/… and /metadata/annotations/…, but not those of karmada.io and kairship.io"
)

// steers tests whether a label or an annotation, escaped or not, controls Karmada or Kairship. No escape stands for a
// letter or a dot.
func steers(key string) string {
	return fmt.Sprintf("(%[1]s.contains('karmada.io') || %[1]s.contains('kairship.io'))", key)
}

// changes tests whether a path may be changed at all.
func changes(path string) string {
	return fmt.Sprintf("(%[1]s.matches('%[2]s') || (%[1]s.matches('%[3]s') && !%[4]s))", path, bodyPath, labelPath, steers(path))
}

// overrides checks OverridePolicies and ClusterOverridePolicies.
func overrides() Policy {
	variables, validations := selectors()
	variables = append(variables, admissionregistrationv1.Variable{
		// Includes those of the deprecated form.
		Name: "overriders", Expression: `(has(object.spec.overriders) ? [object.spec.overriders] : []) + ` +
			`(has(object.spec.overrideRules) ? object.spec.overrideRules.filter(r, has(r.overriders)).map(r, r.overriders) : [])`,
	})
	// each adds the check of one kind of overrider: wrong selects violations, value is what the message shows of them.
	each := func(name, field, wrong, value, after string) {
		variable, validation := findings(name,
			fmt.Sprintf(`variables.overriders.filter(o, has(o.%[1]s)).map(o, o.%[1]s.filter(p, %[2]s).map(p, %[3]s)).filter(l, l.size() > 0)`, name, wrong, value),
			"overriders."+field+": ", " may not be changed; "+after)
		variables, validations = append(variables, variable), append(validations, validation)
	}
	labels := `(p.path.matches('` + labelsPath + `') && p.operator != 'remove' && has(p.value) && type(p.value) == map && !p.value.exists(k, ` + steers("k") + `))`
	each("plaintext", "plaintext[].path", "!("+changes("p.path")+" || "+labels+")", "p.path", allowed)
	each("fieldOverrider", "fieldOverrider[].fieldPath", "!"+changes("p.fieldPath"), "p.fieldPath", allowed)
	each("imageOverrider", "imageOverrider[].predicate.path",
		"has(p.predicate) && !p.predicate.path.matches('"+bodyPath+"')", "p.predicate.path", "allowed is what is below /spec, /data, /stringData and /binaryData")
	for _, name := range []string{"labelsOverrider", "annotationsOverrider"} {
		each(name, name+"[].value", "p.value.exists(k, "+steers("k")+")", "p.value.filter(k, "+steers("k")+")[0]",
			"it steers Karmada or Kairship; allowed are keys without karmada.io and kairship.io")
	}
	return policy("overrides",
		[]admissionregistrationv1.NamedRuleWithOperations{rule(karmadaPolicies, writes, "overridepolicies", "clusteroverridepolicies")},
		[]admissionregistrationv1.MatchCondition{unlessWorksWriter, unlessUnchanged}, variables, validations)
}
