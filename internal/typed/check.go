package typed

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// checkPropagation finds what Karmada would not name by its field, or would not find.
func checkPropagation(policy map[string]any) []finding {
	var out []finding
	at := func(path []string, format string, args ...any) {
		out = append(out, finding{path, fmt.Sprintf(format, args...)})
	}
	spec := inner(policy, "spec")
	placement := inner(spec, "placement")
	if placement["clusterAffinity"] != nil && placement["clusterAffinities"] != nil {
		at([]string{"spec", "placement", "clusterAffinities"},
			"stands beside clusterAffinity; give exactly one of them, and null for the other one")
	}
	constraints, _ := placement["spreadConstraints"].([]any)
	for i, item := range constraints {
		c, _ := item.(map[string]any)
		path := func(field string) []string {
			return []string{"spec", "placement", "spreadConstraints", strconv.Itoa(i), field}
		}
		least, greatest := number(c["minGroups"]), number(c["maxGroups"])
		switch {
		case c["spreadByLabel"] != nil && c["spreadByField"] != nil:
			at(path("spreadByLabel"), "stands beside spreadByField; give exactly one of them, and null for the other one")
		case least < 0:
			at(path("minGroups"), "is %d; it has to be 0 or more", least)
		case greatest < 0:
			at(path("maxGroups"), "is %d; it has to be 0, for no limit, or more", greatest)
		case greatest > 0 && least > greatest:
			at(path("minGroups"), "is %d, more than maxGroups, which is %d", least, greatest)
		}
	}
	suspension := inner(spec, "suspension")
	names, _ := inner(suspension, "dispatchingOnClusters")["clusterNames"].([]any)
	if all, _ := suspension["dispatching"].(bool); all && len(names) > 0 {
		at([]string{"spec", "suspension", "dispatchingOnClusters", "clusterNames"},
			"stands beside dispatching; with it nothing is sent to any cluster, so give one of them")
	}
	return append(out, selectors(spec, []string{"spec"})...)
}

// checkOverride finds what Karmada would not find.
func checkOverride(policy map[string]any) []finding {
	var out []finding
	spec := inner(policy, "spec")
	if rules, _ := spec["overrideRules"].([]any); len(rules) > 0 {
		for _, field := range []string{"targetCluster", "overriders"} {
			if len(inner(spec, field)) > 0 {
				out = append(out, finding{[]string{"spec", field},
					"is deprecated and stands beside overrideRules; say in the rules what it says, and give null for it"})
			}
		}
	}
	return append(out, selectors(spec, []string{"spec"})...)
}

// checkSelectors finds selectors of labels that select nothing because they are none.
func checkSelectors(object map[string]any) []finding {
	return selectors(inner(object, "spec"), []string{"spec"})
}

// selectors finds what is wrong with the label selectors below a value. API servers do not look into those of custom resources.
func selectors(value any, path []string) (out []finding) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			out = append(out, selectors(item, below(path, strconv.Itoa(i)))...)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			if key == "labelSelector" || key == "selector" {
				out = append(out, selector(v[key], below(path, key))...)
				continue
			}
			out = append(out, selectors(v[key], below(path, key))...)
		}
	}
	return out
}

func selector(value any, path []string) []finding {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var s metav1.LabelSelector
	if json.Unmarshal(raw, &s) != nil {
		return nil // the API server says that
	}
	for i := range s.MatchExpressions {
		one := metav1.LabelSelector{MatchExpressions: s.MatchExpressions[i : i+1]}
		if _, err := metav1.LabelSelectorAsSelector(&one); err != nil {
			return []finding{{below(path, "matchExpressions", strconv.Itoa(i)), "selects nothing: " + err.Error()}}
		}
	}
	if _, err := metav1.LabelSelectorAsSelector(&s); err != nil {
		return []finding{{below(path, "matchLabels"), "selects nothing: " + err.Error()}}
	}
	return nil
}

func below(path []string, names ...string) []string { return append(slices.Clone(path), names...) }

func inner(object map[string]any, key string) map[string]any {
	out, _ := object[key].(map[string]any)
	return out
}

func number(value any) int64 {
	switch n := value.(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}
