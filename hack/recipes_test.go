package hack

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The changes of testdata/recipes are what somebody writes who follows a recipe of CONTRIBUTING.md. What has moved in the
// tree since makes one of them fail to apply: then the change is made anew by the recipe, which may have to move, too.
var recipes = []struct{ title, change string }{
	{"Add a field", "field"}, {"Add an edge", "edge"}, {"Add a mutation", "mutation"}, {"Add a page", "page"},
}

// proving are the Go tests that show that the changes are complete.
var proving = []string{"TestDecodePod", "TestAnnotateWorkload", "TestNoEdgeAsksMoreOften", "TestEveryMutationIsRecorded"}

// proofs show that the changes are complete, once generated code was made anew. The tests of packages that need the
// generated code, which takes a minute to compile, are one program each, run once.
var proofs = []struct {
	folder  string
	command []string
}{
	{".", []string{"go", "test", "-v", "-run", strings.Join(proving, "|"), "./internal/objects", "./internal/actions", "./resolvers"}},
	{"web", []string{"npm", "run", "--silent", "typecheck"}},
	{"web", []string{"npm", "test", "--silent", "--", "src/app", "src/i18n"}},
}

// What the recipes say is enough: each is followed on a copy of the tree, by hand in no other file than it names.
func TestTheRecipesWork(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes all generated code anew and compiles what depends on it; not in a hurry")
	}
	tree := copied(t)
	// Before generated code is made anew, which all but the controllers depend on.
	t.Run("Add a controller", func(t *testing.T) {
		apply(t, tree, "Add a controller", "controller")
		neighbour := filepath.Join(tree, "controllers", "copied")
		if err := os.CopyFS(neighbour, os.DirFS(filepath.Join(tree, "controllers", "revision"))); err != nil {
			t.Fatal(err)
		}
		rename(t, neighbour, "revision", "copied")
		run(t, tree, "go", "vet", "./controllers/copied", "./cmd")
	})
	for _, r := range recipes {
		apply(t, tree, r.title, r.change)
	}
	run(t, tree, "go", "run", "./hack/gqlgen")
	run(t, filepath.Join(tree, "web"), "npm", "run", "--silent", "codegen")
	for _, p := range proofs {
		t.Run(strings.Join(p.command[:2], " "), func(t *testing.T) {
			said := run(t, filepath.Join(tree, p.folder), p.command...)
			if p.command[0] != "go" {
				return
			}
			// A pattern that matches no test passes, too.
			for _, name := range proving {
				if !strings.Contains(said, "--- PASS: "+name) {
					t.Errorf("no test %s… was run", name)
				}
			}
		})
	}
}

// copied is the tree as it is, without what git ignores, but with the UI's packages.
func copied(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		raw, err := os.ReadFile(filepath.Join("..", name))
		if os.IsNotExist(err) {
			continue // removed, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := filepath.Abs("../web/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(packages, filepath.Join(root, "web", "node_modules")); err != nil {
		t.Fatal(err)
	}
	return root
}

// apply makes the change of a recipe, which is in files that the recipe names.
func apply(t *testing.T, tree, title, change string) {
	t.Helper()
	diff, err := filepath.Abs(filepath.Join("testdata", "recipes", change+".diff"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, tree, "git", "apply", diff)
	named := filesNamed(t, title)
	for line := range strings.Lines(run(t, tree, "git", "apply", "--numstat", diff)) {
		file := strings.Fields(line)[2]
		if !named.MatchString(file) {
			t.Errorf("%s: the change is in %s, which the recipe does not name", title, file)
		}
	}
}

// filesNamed matches the files that a recipe names: what stands in angle brackets is anything, a folder is all in it.
func filesNamed(t *testing.T, title string) *regexp.Regexp {
	t.Helper()
	_, recipe, ok := strings.Cut("\n## Add a field\n"+guide(t), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("CONTRIBUTING.md has no recipe %q", title)
	}
	recipe, _, _ = strings.Cut(recipe, "\n## ")
	var forms []string
	for _, span := range code.FindAllStringSubmatch(recipe, -1) {
		form := regexp.QuoteMeta(span[1])
		form = regexp.MustCompile(`<[a-z]+>`).ReplaceAllString(form, `[^/]+`)
		form = regexp.MustCompile(`\\\{([a-z,]+)\\\}`).ReplaceAllStringFunc(form, func(s string) string {
			return "(" + strings.ReplaceAll(strings.Trim(s, `\{}`), ",", "|") + ")"
		})
		if strings.HasSuffix(form, "/") {
			form += ".*"
		}
		forms = append(forms, form)
	}
	return regexp.MustCompile("^(" + strings.Join(forms, "|") + ")$")
}

// rename gives a package another name, in all its files.
func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(raw), from, to)), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a command and gives what it prints.
func run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	// As what is tested without the race detector, so that what was compiled is shared.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -vet=off", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	var said, wrong strings.Builder
	cmd.Stdout, cmd.Stderr = &said, io.MultiWriter(&wrong, &said)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, said.String())
	}
	return said.String()
}
