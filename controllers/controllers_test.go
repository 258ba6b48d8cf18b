package controllers

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// named is a controller that notes that it was registered, or cannot be.
type named struct {
	name       string
	err        error
	registered *[]string
}

func (n named) Name() string { return n.name }

func (n named) Register(manager.Manager) error {
	*n.registered = append(*n.registered, n.name)
	return n.err
}

func TestRegisterRegistersAllAndNamesTheOneThatCannotBe(t *testing.T) {
	var registered []string
	a, b, c := named{"a", nil, &registered}, named{"b", nil, &registered}, named{"c", nil, &registered}
	if err := Register(nil, a, b, c); err != nil || !slices.Equal(registered, []string{"a", "b", "c"}) {
		t.Errorf("registered are %q: %v", registered, err)
	}
	b.err = errors.New("no such kind")
	registered = nil
	if err := Register(nil, a, b, c); !errors.Is(err, b.err) || !strings.Contains(err.Error(), "controller b") || len(registered) != 2 {
		t.Errorf("registered are %q: %v", registered, err)
	}
}
