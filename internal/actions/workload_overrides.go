package actions

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// Bounds of what is made beside an object.
const (
	maxOverrides = 50
	maxClusters  = 200
)

// WorkloadOverride is what of a workload is different in some members.
type WorkloadOverride struct {
	Clusters            []string
	Replicas            *int32
	Labels, Annotations []model.KeyValue
	Containers          []ContainerOverride
}

// ContainerOverride is what of a container is different; nil is what is not.
type ContainerOverride struct {
	Name  string
	Image *string
	// Form is command, args, env and resources as a form of a container has them, where they are different.
	Form workloadform.Form
}

// membership is the members of an instance, by name.
type membership struct {
	instance string
	names    map[string]bool
}

// members are the members of the target's instance.
func members(call *Call) (membership, error) {
	clusters, err := call.Fleet.Clusters(call.Scope, call.Target.Ref.Instance)
	out := membership{call.Target.Ref.Instance, map[string]bool{}}
	for _, c := range clusters {
		out.names[c.Name] = true
	}
	return out, err
}

// check fails when some names at a path of the input are not those of members, each once.
func (m membership) check(at []string, names []string) error {
	if n := len(names); n == 0 || n > maxClusters {
		return badInput(at, "names %d clusters; at least one and at most %d are allowed", n, maxClusters)
	}
	seen := map[string]bool{}
	for i, name := range names {
		at := slices.Concat(at, []string{strconv.Itoa(i)})
		switch {
		case !m.names[name]:
			return badInput(at, "%.100q is no member of instance %q", name, m.instance)
		case seen[name]:
			return badInput(at, "%.100q is there twice", name)
		}
		seen[name] = true
	}
	return nil
}

// badInput is a BAD_USER_INPUT about a field within the input.
func badInput(at []string, format string, args ...any) error {
	return &model.Error{Code: model.CodeBadUserInput, Message: joined(at) + ": " + fmt.Sprintf(format, args...), Field: at}
}

// overrideRules are the rules of an OverridePolicy that makes a workload different in some members. They change it by
// place, since an exact value cannot be given otherwise.
func overrideRules(kind model.WorkloadKind, object map[string]any, overrides []WorkloadOverride, clusters membership) ([]any, error) {
	if len(overrides) > maxOverrides {
		return nil, model.BadInput("overrides", "holds %d; at most %d are allowed", len(overrides), maxOverrides)
	}
	rules := make([]any, len(overrides))
	set := settings{of: map[string][]int{}, shared: map[[2]int]string{}, overrides: overrides}
	for i, o := range overrides {
		at := []string{"overrides", strconv.Itoa(i)}
		if err := clusters.check(append(slices.Clone(at), "clusters"), o.Clusters); err != nil {
			return nil, err
		}
		if err := set.add(at, i); err != nil {
			return nil, err
		}
		overriders, err := o.overriders(kind, object, at)
		if err != nil {
			return nil, err
		}
		if len(overriders) == 0 {
			return nil, badInput(at, "changes nothing in %s; say what is different there", strings.Join(o.Clusters, ", "))
		}
		rules[i] = map[string]any{"targetCluster": map[string]any{"clusterNames": anys(o.Clusters)}, "overriders": overriders}
	}
	return rules, nil
}

// settings are what overrides set.
type settings struct {
	overrides []WorkloadOverride
	// of are the overrides that set something.
	of map[string][]int
	// shared is a cluster that two overrides have in common; empty for none.
	shared map[[2]int]string
}

// add fails when an override sets for a cluster what one before it sets there: only one of them would hold.
func (s *settings) add(at []string, index int) error {
	for _, is := range s.overrides[index].settings() {
		for _, by := range s.of[is.what] {
			if cluster := s.common(by, index); by != index && cluster != "" {
				return badInput(slices.Concat(at, is.field), "%s in cluster %.100q is set by overrides.%d, too; say it once", is.what, cluster, by)
			}
		}
		s.of[is.what] = append(s.of[is.what], index)
	}
	return nil
}

// common is the first cluster that two overrides are both for. It is remembered: overrides may set thousands of things.
func (s *settings) common(a, b int) string {
	if cluster, known := s.shared[[2]int{a, b}]; known {
		return cluster
	}
	out := ""
	if i := slices.IndexFunc(s.overrides[b].Clusters, func(c string) bool { return slices.Contains(s.overrides[a].Clusters, c) }); i >= 0 {
		out = s.overrides[b].Clusters[i]
	}
	s.shared[[2]int{a, b}] = out
	return out
}

// setting is one thing that an override sets, and the field within it that does.
type setting struct {
	what  string
	field []string
}

func (o *WorkloadOverride) settings() (out []setting) {
	if o.Replicas != nil {
		out = append(out, setting{"replicas", []string{"replicas"}})
	}
	for i, l := range o.Labels {
		out = append(out, setting{fmt.Sprintf("label %.300q", l.Key), []string{"labels", strconv.Itoa(i), "key"}})
	}
	for i, a := range o.Annotations {
		out = append(out, setting{fmt.Sprintf("annotation %.300q", a.Key), []string{"annotations", strconv.Itoa(i), "key"}})
	}
	for i, c := range o.Containers {
		of := func(field string) setting {
			return setting{fmt.Sprintf("%s of container %.100q", field, c.Name), []string{"containers", strconv.Itoa(i), field}}
		}
		if c.Image != nil {
			out = append(out, of("image"))
		}
		for _, field := range slices.Sorted(maps.Keys(c.Form)) {
			if c.Form[field] != nil {
				out = append(out, of(field))
			}
		}
	}
	return out
}

// overriders are what an override changes of a workload; the path leads to it in the input.
func (o *WorkloadOverride) overriders(kind model.WorkloadKind, object map[string]any, at []string) (map[string]any, error) {
	out := map[string]any{}
	for _, l := range []struct {
		field, overrider string
		given            []model.KeyValue
	}{{"labels", "labelsOverrider", o.Labels}, {"annotations", "annotationsOverrider", o.Annotations}} {
		values, err := overriddenKeys(append(slices.Clone(at), l.field), l.given)
		if err != nil {
			return nil, err
		}
		if len(values) > 0 {
			out[l.overrider] = []any{map[string]any{"operator": "add", "value": values}}
		}
	}
	var patches []any
	if o.Replicas != nil {
		if kind != model.KindDeployment && kind != model.KindStatefulSet {
			return nil, badInput(append(at, "replicas"), "a %s has none; Deployments, StatefulSets have", kind.GVK().Kind)
		}
		if *o.Replicas < 0 {
			return nil, badInput(append(at, "replicas"), "is %d; it cannot be less than 0", *o.Replicas)
		}
		patches = append(patches, patched("/spec/replicas", int64(*o.Replicas)))
	}
	seen := map[string]bool{}
	for i := range o.Containers {
		c, at := &o.Containers[i], slices.Concat(at, []string{"containers", strconv.Itoa(i)})
		if seen[c.Name] {
			return nil, badInput(append(at, "name"), "%.100q is there twice", c.Name)
		}
		seen[c.Name] = true
		more, err := c.patches(kind, object, at)
		if err != nil {
			return nil, err
		}
		patches = append(patches, more...)
	}
	if len(patches) > 0 {
		out["plaintext"] = patches
	}
	return out, nil
}

// overriddenKeys are labels or annotations that an override sets.
func overriddenKeys(at []string, given []model.KeyValue) (map[string]any, error) {
	out := map[string]any{}
	for i, kv := range given {
		at := slices.Concat(at, []string{strconv.Itoa(i), "key"})
		switch _, twice := out[kv.Key]; {
		case twice:
			return nil, badInput(at, "%.300q is there twice", kv.Key)
		case objects.OfKarmada(kv.Key):
			return nil, badInput(at, "%.300q steers Karmada, which no override may", kv.Key)
		}
		out[kv.Key] = kv.Value
	}
	return out, nil
}

// patches are what an override changes of a container.
func (c *ContainerOverride) patches(kind model.WorkloadKind, object map[string]any, at []string) ([]any, error) {
	before, place, names := containerOf(kind, object, c.Name)
	if before == nil {
		return nil, badInput(append(at, "name"), "%.100q is no container of the form; it has %s", c.Name, strings.Join(names, ", "))
	}
	var out []any
	if c.Image != nil {
		if !isImage(*c.Image) {
			return nil, badInput(append(at, "image"), "%.100q is no image: 1 to %d characters without white space, for instance registry.example/shop/cart:1.2", *c.Image, maxImage)
		}
		out = append(out, patched(place+"/image", *c.Image))
	}
	after, problems := workloadform.Overridden(before, c.Form)
	if len(problems) > 0 {
		return nil, badInput(slices.Concat(at, problems[0].Field), "%s", problems[0].Why)
	}
	for _, field := range []string{"command", "args", "env", "resources"} {
		if value, changed := after[field]; changed {
			out = append(out, patched(place+"/"+field, value))
		}
	}
	return out, nil
}

// patched is an override of one field, be it there or not.
func patched(path string, value any) any {
	return map[string]any{"path": path, "operator": "add", "value": value}
}

// containerOf is a container of a workload with its place, as a JSON pointer; nil without one, with the names that there are.
func containerOf(kind model.WorkloadKind, object map[string]any, name string) (container map[string]any, place string, names []string) {
	path := "/spec/template/spec/"
	if kind == model.KindCronJob {
		path = "/spec/jobTemplate/spec/template/spec/"
	}
	pod := podSpec(kind, object)
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := pod[list].([]any)
		for i, c := range containers {
			fields, _ := c.(map[string]any)
			is, _ := fields["name"].(string)
			if is == name && fields != nil {
				return fields, path + list + "/" + strconv.Itoa(i), nil
			}
			names = append(names, is)
		}
	}
	return nil, "", names
}

func anys[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
