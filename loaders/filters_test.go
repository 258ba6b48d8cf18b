package loaders

import (
	"reflect"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// Conditions are compared as values: those of one filter are equal however often they are made, and no two filters
// have equal ones. One that held a function would be equal to none, and each row would be read by itself.
func TestConditionsOfAFilterAreEqualWheneverTheyAreMade(t *testing.T) {
	text, kind, since := "a", "Deployment", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	labels := "app in (x),!y"
	filters := map[string]func() ([]sql.Condition, error){
		"pods by phase": func() ([]sql.Condition, error) {
			return podConditions(&model.PodFilter{Phases: []model.PodPhase{model.PodRunning}})
		},
		"pods by labels": func() ([]sql.Condition, error) { return podConditions(&model.PodFilter{LabelSelector: &labels}) },
		"pods by name":   func() ([]sql.Condition, error) { return podConditions(&model.PodFilter{NameContains: &text}) },
		"events by type": func() ([]sql.Condition, error) {
			return eventConditions(&model.EventFilter{Types: []model.EventType{model.EventWarning}})
		},
		"events since": func() ([]sql.Condition, error) { return eventConditions(&model.EventFilter{Since: &since}) },
		"bindings of": func() ([]sql.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Kinds: []string{kind}})
		},
		"bindings in": func() ([]sql.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Clusters: []string{"m"}})
		},
		"bindings there": func() ([]sql.Condition, error) {
			return bindingConditions(&model.ResourceBindingFilter{Clusters: []string{"n"}})
		},
		"policies that select": func() ([]sql.Condition, error) {
			return []sql.Condition{mayselect(&model.PolicySelectsInput{Kind: &kind})}, nil
		},
		"workloads in a state": func() ([]sql.Condition, error) {
			return []sql.Condition{mayBeIn([]model.WorkloadState{model.WorkloadDegraded})}, nil
		},
		"workloads placed in": func() ([]sql.Condition, error) { return []sql.Condition{sql.Binding(placedIn("m"))}, nil },
	}
	for name, makeOne := range filters {
		for other, makeOther := range filters {
			a, errA := makeOne()
			b, errB := makeOther()
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if equal := reflect.DeepEqual(a, b); equal != (name == other) {
				t.Errorf("%s and %s: equal is %t", name, other, equal)
			}
		}
	}
}
