package hack

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guide is what CONTRIBUTING.md says, from its first recipe on, and where it says it.
func guide(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, recipes, ok := strings.Cut(string(raw), "\n## Add a field\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no recipe for a field")
	}
	return recipes
}

var (
	code     = regexp.MustCompile("`([^`\n]+)`")
	makes    = regexp.MustCompile(`^make ([a-z -]+)$`)
	npm      = regexp.MustCompile(`^npm run ([a-z:-]+)$`)
	field    = regexp.MustCompile(`^([A-Z][A-Za-z]+)\.([a-z][A-Za-z]+)$`)
	method   = regexp.MustCompile(`^([A-Z][A-Za-z]+)\.([A-Z][A-Za-z]+)$`)
	function = regexp.MustCompile(`^([a-z]+)\.([A-Z][A-Za-z]+)$`)
)

// sources is all the text of some kind of file in the tree.
func sources(t *testing.T, under, suffix string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(under, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, suffix) {
			return nil
		}
		raw, err := os.ReadFile(path)
		all.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// What the recipes name is there: whoever follows one finds the file, the neighbour and the command.
func TestTheRecipesNameWhatIsThere(t *testing.T) {
	schema := sources(t, "../schema", ".graphqls")
	makefile, manifest := sources(t, "../Makefile", ""), sources(t, "../web/package.json", "")
	known := 0
	for _, span := range code.FindAllStringSubmatch(guide(t), -1) {
		name, missing := span[1], ""
		known++
		switch {
		case makes.MatchString(name):
			for target := range strings.FieldsSeq(makes.FindStringSubmatch(name)[1]) {
				if !regexp.MustCompile(`(?m)^` + target + `( [a-z -]+)?:`).MatchString(makefile) {
					missing = "target " + target
				}
			}
		case npm.MatchString(name):
			if !strings.Contains(manifest, `"`+npm.FindStringSubmatch(name)[1]+`":`) {
				missing = "script"
			}
		case strings.Contains(name, "/"):
			if !found(t, name) {
				missing = "file"
			}
		case strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".tsx"), strings.HasSuffix(name, ".graphql"):
			known-- // a file of the folder that the sentence is about
		case field.MatchString(name):
			of := field.FindStringSubmatch(name)
			if !regexp.MustCompile(`(?s)\n(type|interface) ` + of[1] + `\b[^}]*\n  ` + of[2] + `\b`).MatchString(schema) {
				missing = "field of the schema"
			}
		case method.MatchString(name), function.MatchString(name):
			of := strings.Split(name, ".")
			if !regexp.MustCompile(`(?m)^(func (\([a-zA-Z]* ?\*?` + of[0] + `(\[[^\]]*\])?\) )?` + of[1] + `\b|type ` + of[1] + `\b|var ` + of[1] + `\b)`).MatchString(sources(t, "../internal", ".go") + sources(t, "../loaders", ".go") + sources(t, "../controllers", ".go")) {
				missing = "method or function"
			}
		default:
			known--
		}
		if missing != "" {
			t.Errorf("CONTRIBUTING.md names `%s`: there is no such %s", name, missing)
		}
	}
	if known < 30 {
		t.Errorf("only %d things that the recipes name were looked for", known)
	}
}

// found says whether a path is there. What stands in angle brackets is for the reader to fill in: some file has to be
// of that form, and each of the alternatives in braces has to be there.
func found(t *testing.T, path string) bool {
	t.Helper()
	if before, rest, ok := strings.Cut(path, "{"); ok {
		inner, after, _ := strings.Cut(rest, "}")
		for one := range strings.SplitSeq(inner, ",") {
			if !found(t, before+one+after) {
				return false
			}
		}
		return true
	}
	pattern := regexp.MustCompile(`<[a-z]+>`).ReplaceAllString(path, "*")
	matches, err := filepath.Glob(filepath.Join("..", pattern))
	if err != nil {
		t.Fatal(err)
	}
	return len(matches) > 0
}
