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

// GroupDefinitions are the CRDs of one of Karmada's API groups, by the first part of its name, as Karmada ships them.
func GroupDefinitions(group string) ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "charts", "karmada", "_crds", "bases", group, "*.yaml"))
}

// Samples are the manifests that Karmada ships as samples.
func Samples() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, pattern := range []string{"samples/*/*.yaml", "artifacts/example/*.yaml", "examples/*/*.yaml"} {
		files, err := glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}
