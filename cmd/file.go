package cmd

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"sigs.k8s.io/yaml"
)

// file is the options of a configuration file by flag name.
type file map[string]any

// fileResolver reads a configuration file.
func fileResolver(r io.Reader) (kong.Resolver, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration file: %w", err)
	}
	values := file{}
	if err := yaml.UnmarshalStrict(raw, &values); err != nil {
		return nil, fmt.Errorf("the configuration file is not YAML of options: %w", err)
	}
	return values, nil
}

// Validate rejects unknown keys: a misspelt option must not be ignored.
func (f file) Validate(app *kong.Application) error {
	known := map[string]bool{}
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known[flag.Name] = true
		}
		return next(nil)
	})
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if !known[key] {
			return fmt.Errorf("the configuration file has %q, which is no option; `kairship --help` lists them", key)
		}
	}
	return nil
}

// Resolve gives an option's value; the environment wins over the file.
func (f file) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, func(env string) bool { return os.Getenv(env) != "" }) {
		return nil, nil
	}
	value, ok := f[flag.Name]
	if !ok {
		return nil, nil
	}
	if list, ok := value.([]any); ok {
		parts := make([]string, len(list))
		for i, v := range list {
			parts[i] = fmt.Sprint(v)
		}
		return strings.Join(parts, ","), nil
	}
	return value, nil
}

// secretOf reads a file with a password or another secret in one line; empty for no file.
func secretOf(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	secret, err := os.ReadFile(file)
	return strings.TrimSpace(string(secret)), err
}
