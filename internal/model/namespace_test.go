package model

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFiltersOfPodsAndNamespaces(t *testing.T) {
	s := func(v string) *string { return &v }
	cases := []struct {
		name           string
		part, selector *string
		field          string // that is to blame; empty when none is
	}{
		{"nothing is asked for", nil, nil, ""},
		{"part of a name and a selector", s("cart-0.x"), s("app=cart,tier in (web),!edge"), ""},
		{"an empty part of a name", s(""), s(""), ""},
		{"a part that no name contains", s("Cart%"), nil, "nameContains"},
		{"a part that is longer than any name", s(strings.Repeat("a", 254)), nil, "nameContains"},
		{"a selector that is none", nil, s("app in"), "labelSelector"},
		{"a selector with quotes", nil, s("app='); DROP TABLE resources; --"), "labelSelector"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			errs := map[string]error{
				"pods":       (&PodFilter{NameContains: c.part, LabelSelector: c.selector}).Validate(),
				"namespaces": (&NamespaceFilter{NameContains: c.part, LabelSelector: c.selector}).Validate(),
			}
			for of, err := range errs {
				if c.field == "" {
					if err != nil {
						t.Errorf("%s: refused: %v", of, err)
					}
					continue
				}
				var e *Error
				if !errors.As(err, &e) || e.Code != CodeBadUserInput {
					t.Fatalf("%s: error %v, want BAD_USER_INPUT", of, err)
				}
				if diff := cmp.Diff([]string{c.field}, e.Field); diff != "" {
					t.Errorf("%s: field (-want +got):\n%s", of, diff)
				}
			}
		})
	}
	if err := (*PodFilter)(nil).Validate(); err != nil {
		t.Errorf("no filter at all is refused: %v", err)
	}
	if err := (*NamespaceFilter)(nil).Validate(); err != nil {
		t.Errorf("no filter at all is refused: %v", err)
	}
}
