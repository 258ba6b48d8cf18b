package policy

// Reach is the placement, as JSON, of what has to be wherever an object under another placement may be: it names the same clusters
// and tolerates the same taints, and leaves out what chooses among them. Of groups of clusters that are tried one after the other it
// is all, where they are given by name; others stay groups, of which Karmada takes the first that fits.
func Reach(placement map[string]any) map[string]any {
	out := map[string]any{}
	for _, field := range []string{"clusterAffinity", "clusterTolerations"} {
		if value := placement[field]; value != nil {
			out[field] = value
		}
	}
	groups, _ := placement["clusterAffinities"].([]any)
	if len(groups) == 0 {
		return out
	}
	names, seen := []any{}, map[any]bool{}
	for _, g := range groups {
		group, _ := g.(map[string]any)
		for field := range group {
			if field != "affinityName" && field != "clusterNames" {
				out["clusterAffinities"] = groups
				return out
			}
		}
		of, _ := group["clusterNames"].([]any)
		if len(of) == 0 {
			return out // a group of all clusters
		}
		for _, name := range of {
			if text, ok := name.(string); ok && !seen[text] {
				seen[text] = true
				names = append(names, text)
			}
		}
	}
	out["clusterAffinity"] = map[string]any{"clusterNames": names}
	return out
}
