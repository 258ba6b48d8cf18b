package testenv

import "path/filepath"

// PolicyDefinitions are those of Karmada's policies, as Karmada ships them.
func PolicyDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "charts", "karmada", "_crds", "bases", "policy", "*.yaml"))
}

// WorkDefinitions are those of what Karmada makes of policies.
func WorkDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "charts", "karmada", "_crds", "bases", "work", "*.yaml"))
}
