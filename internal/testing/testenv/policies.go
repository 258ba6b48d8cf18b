package testenv

import "path/filepath"

// PolicyDefinitions are the CRDs of Karmada's policies, as Karmada ships them.
func PolicyDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "charts", "karmada", "_crds", "bases", "policy", "*.yaml"))
}

// WorkDefinitions are the CRDs of the objects that Karmada makes from policies.
func WorkDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "charts", "karmada", "_crds", "bases", "work", "*.yaml"))
}
