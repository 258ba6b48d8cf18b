package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// target returns the processes that a name means: one component, or a cluster or
// instance with all its processes.
func (e *environment) target(name string) ([]supervisor.Status, error) {
	f, err := e.client.Fleet(e.ctx)
	if err != nil {
		return nil, err
	}
	return match(f.Processes, name)
}

func match(all []supervisor.Status, name string) ([]supervisor.Status, error) {
	var found []supervisor.Status
	for _, s := range all {
		if s.Spec.Name == name {
			return []supervisor.Status{s}, nil
		}
		if name != "" && s.Spec.Group == name {
			found = append(found, s)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	var names, groups []string
	for _, s := range all {
		names = append(names, s.Spec.Name)
		if s.Spec.Group != "" && !slices.Contains(groups, s.Spec.Group) {
			groups = append(groups, s.Spec.Group)
		}
	}
	slices.Sort(groups)
	return nil, fmt.Errorf("nothing is called %q; there are the components %s; and all of: %s",
		name, strings.Join(names, ", "), strings.Join(groups, ", "))
}

// one is target for commands that speak of a single component.
func (e *environment) one(name string) (supervisor.Status, error) {
	found, err := e.target(name)
	if err != nil {
		return supervisor.Status{}, err
	}
	if len(found) > 1 {
		return supervisor.Status{}, fmt.Errorf("%s is several components; choose one: %s", name, strings.Join(namesOf(found), ", "))
	}
	return found[0], nil
}

func namesOf(all []supervisor.Status) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.Spec.Name)
	}
	return names
}
