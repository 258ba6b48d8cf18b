package model

import "testing"

func TestServiceSelects(t *testing.T) {
	labels := map[string]string{"app": "cart", "tier": "web"}
	cases := []struct {
		name     string
		service  Service
		selected bool
	}{
		{"pods with all the labels", Service{Type: ServiceClusterIP, Selector: KeyValues(labels)}, true},
		{"pods with more labels", Service{Type: ServiceClusterIP, Selector: []KeyValue{{Key: "app", Value: "cart"}}}, true},
		{"no pods with another value", Service{Type: ServiceClusterIP, Selector: []KeyValue{{Key: "app", Value: "search"}}}, false},
		{"no pods without one of the labels", Service{Type: ServiceClusterIP, Selector: []KeyValue{{Key: "app", Value: "cart"}, {Key: "zone", Value: ""}}}, false},
		{"no pods without a selector, not all of them", Service{Type: ServiceClusterIP}, false},
		{"no pods for an alias, whatever its selector", Service{Type: ServiceExternalName, Selector: KeyValues(labels)}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.service.Selects(labels); got != c.selected {
				t.Errorf("Selects = %t, want %t", got, c.selected)
			}
		})
	}
}
