// Command gqlgen generates graph/ by gqlgen, and has the generated code call internal/execution: fields whose value is in
// hand are written at once, without the goroutines and the context that gqlgen gives each field. It fails where the code
// is not as it knows it, so that another version of gqlgen cannot pass unseen.
package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/imports"
)

func main() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // gqlgen says what it binds
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "gqlgen:", err)
		os.Exit(1)
	}
}

func generate() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return fmt.Errorf("reading gqlgen.yml: %w", err)
	}
	cfg.SkipValidation = true // by the build, once the code is rewritten
	seen := &capture{}
	if err := api.Generate(cfg, api.PrependPlugin(partial{}), api.AddPlugin(seen)); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(cfg.Exec.DirName, "*.generated.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := rewriteFile(file, seen.objects); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return os.WriteFile(filepath.Join(cfg.Exec.DirName, "fields.go"), fieldsFile(seen.objects), 0o644)
}

// partial is a plugin that has the inputs of forms say which of their fields a client left out: those stay as they are, where null
// takes away.
type partial struct{}

// Name is the plugin's.
func (partial) Name() string { return "partial" }

// MutateConfig marks the fields, before models are made of them.
func (partial) MutateConfig(cfg *config.Config) error {
	yes := true
	for name, t := range cfg.Schema.Types {
		if t.Kind != ast.InputObject || !strings.HasSuffix(name, "FormInput") {
			continue
		}
		entry := cfg.Models[name]
		if entry.Fields == nil {
			entry.Fields = map[string]config.TypeMapField{}
		}
		for _, f := range t.Fields {
			if !f.Type.NonNull {
				field := entry.Fields[f.Name]
				field.Omittable = &yes
				entry.Fields[f.Name] = field
			}
		}
		cfg.Models[name] = entry
	}
	return nil
}

// capture is a plugin that keeps what gqlgen has found out.
type capture struct{ objects codegen.Objects }

// Name is the plugin's.
func (*capture) Name() string { return "capture" }

// GenerateCode keeps the objects.
func (c *capture) GenerateCode(data *codegen.Data) error {
	c.objects = slices.DeleteFunc(slices.Clone(data.Objects), func(o *codegen.Object) bool { return o.Root })
	return nil
}

// promptFields are the resolvers without arguments that read nothing but memory, by their fields.
var promptFields = []string{"instance", "cluster", "freshness", "console", "access", "form", "AppliedOverride.policy", "Propagation.policy", "ResourceBinding.policy", "Work.target",
	"multiClusterService", "federatedResourceQuota", "clusterTaintPolicy"}

// isPrompt reports whether a field has such a resolver.
func isPrompt(f *codegen.Field) bool {
	return f.IsResolver && len(f.Args) == 0 && (slices.Contains(promptFields, f.Name) || slices.Contains(promptFields, f.Object.Name+"."+f.Name))
}

// sharedFields are the resolvers that read for all rows of a list at once, and nothing else, by their fields.
var sharedFields = []string{"propagation", "state", "stateReason", "status"}

// fieldsFile is the file that says what it takes to make each field.
func fieldsFile(objects codegen.Objects) []byte {
	var waiting, shared, plain []string
	for _, o := range objects {
		for _, f := range o.Fields {
			name := fmt.Sprintf("\t\t%q,\n", o.Name+"."+f.Name)
			switch {
			case f.IsConcurrent() && slices.Contains(sharedFields, f.Name):
				shared = append(shared, name)
			case f.IsConcurrent() && !isPrompt(f):
				waiting = append(waiting, name)
			case !f.IsResolver && len(f.Args) == 0 && isPlain(f):
				plain = append(plain, name)
			}
		}
	}
	list := func(names []string) string {
		slices.Sort(names)
		return strings.Join(names, "")
	}
	// In two parts, or this file would look generated itself.
	return []byte("// Code generated" + ` by hack/gqlgen. DO NOT EDIT.

package graph

import "github.com/kairship-io/kairship/internal/execution"

// executed knows what it takes to make each field.
var executed = execution.NewSchema(parsedSchema, execution.Fields{
	Waiting: []string{
` + list(waiting) + "\t},\n\tShared: []string{\n" + list(shared) + "\t},\n\tPlain: []string{\n" + list(plain) + "\t},\n})\n")
}

func rewriteFile(file string, objects codegen.Objects) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := rewrite(string(source), objects)
	if err != nil {
		return err
	}
	out, err := imports.Process(file, []byte(text), nil)
	if err != nil {
		return fmt.Errorf("formatting: %w", err)
	}
	return os.WriteFile(file, out, 0o644)
}
