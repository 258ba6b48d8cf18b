package registry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// Layout holds where in an object each value for global management is written: paths of fields, such as
// "spec.displayName". What has no path is left out.
type Layout struct {
	// Kind of what is registered: always "Instance".
	Kind string
	// Name of the instance.
	Name string
	// DisplayName is the name that people see; that of the instance when it has no other.
	DisplayName string
	// Roles that people can be bound to: a list of objects with name, description and namespaced.
	Roles string
}

// DefaultLayout is that of a GlobalResource.
var DefaultLayout = Layout{Kind: "spec.kind", Name: "spec.name", DisplayName: "spec.displayName", Roles: "spec.roles"}

// ParseLayout reads a Layout from FIELD=PATH pairs, where FIELD is kind, name, displayName or roles.
// Without any it is the DefaultLayout.
func ParseLayout(pairs map[string]string) (Layout, error) {
	if len(pairs) == 0 {
		return DefaultLayout, nil
	}
	var l Layout
	fields := map[string]*string{"kind": &l.Kind, "name": &l.Name, "displayName": &l.DisplayName, "roles": &l.Roles}
	for field, path := range pairs {
		at := fields[field]
		if at == nil {
			return Layout{}, fmt.Errorf("field %q is not known; there are %s", field, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		*at = path
	}
	return l, l.validate()
}

func (l Layout) validate() error {
	fields := l.fields()
	paths := slices.Sorted(maps.Keys(fields))
	if l.Name == "" {
		return fmt.Errorf("the field name has no path; global management could not tell the instances apart")
	}
	if n := len(l.used()); n != len(paths) {
		return fmt.Errorf("two fields have one path: kind %q, name %q, displayName %q, roles %q", l.Kind, l.Name, l.DisplayName, l.Roles)
	}
	for i, path := range paths {
		parts := strings.Split(path, ".")
		if slices.Contains(parts, "") || len(parts) < 2 || slices.Contains([]string{"metadata", "status", "apiVersion", "kind"}, parts[0]) {
			return fmt.Errorf("the path %q of field %s is not one that can be written; it must be like %q, and not below metadata or status", path, fields[path], DefaultLayout.Name)
		}
		if i > 0 && strings.HasPrefix(path, paths[i-1]+".") {
			return fmt.Errorf("the path %q of field %s is below that of field %s", path, fields[path], fields[paths[i-1]])
		}
	}
	return nil
}

// used are the paths that are not empty.
func (l Layout) used() []string {
	return slices.DeleteFunc([]string{l.Kind, l.Name, l.DisplayName, l.Roles}, func(path string) bool { return path == "" })
}

// fields names the field of each path.
func (l Layout) fields() map[string]string {
	out := map[string]string{l.Kind: "kind", l.Name: "name", l.DisplayName: "displayName", l.Roles: "roles"}
	delete(out, "")
	return out
}

// values returns what is to be written about an instance, by path.
func (l Layout) values(instance *v1alpha1.Instance, roles []role.Description) map[string]any {
	display := instance.Spec.DisplayName
	if display == "" {
		display = instance.Name
	}
	list := make([]any, 0, len(roles))
	for _, r := range roles {
		item := map[string]any{"name": r.Name, "namespaced": true}
		if r.Description != "" {
			item["description"] = r.Description
		}
		list = append(list, item)
	}
	out := map[string]any{l.Kind: "Instance", l.Name: instance.Name, l.DisplayName: display, l.Roles: list}
	delete(out, "")
	return out
}

// put writes values into an object.
func put(object map[string]any, values map[string]any) error {
	for path, value := range values {
		if err := unstructured.SetNestedField(object, value, strings.Split(path, ".")...); err != nil {
			return fmt.Errorf("writing the field %s: %w", path, err)
		}
	}
	return nil
}

// differing returns the paths at which an object differs from the desired values.
func differing(object map[string]any, values map[string]any) []string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(values)) {
		have, _, err := unstructured.NestedFieldNoCopy(object, strings.Split(path, ".")...)
		if err != nil || !covers(have, values[path]) {
			out = append(out, path)
		}
	}
	return out
}

// covers reports whether have contains what is wanted. The objects of a list may have more fields, which an API adds as
// it likes; the list itself may not have more objects.
func covers(have, want any) bool {
	switch want := want.(type) {
	case []any:
		list, ok := have.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range want {
			if !covers(list[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := have.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range want {
			if !covers(object[key], value) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(have, want)
	}
}
