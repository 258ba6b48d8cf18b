// Package apicopy prepares the copy of Clusterpedia's API module that
// Clusterpedia v0.9.1 needs to build. That release replaces the module by a
// folder which its module zip leaves out, and the newest published version
// (v0.8.0) lacks the fields the release uses.
//
// It finds the places to edit in the syntax tree and inserts at their offsets,
// so that the rest of each file keeps its bytes. It knows the API module's
// source; it must not know where the copy is kept or how it is built.
package apicopy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	// Module is the module that is copied.
	Module = "github.com/clusterpedia-io/api"
	// Version is the published version the copy starts from.
	Version = "v0.8.0"
	// Revision changes whenever the edits do, so that caches are renewed.
	Revision = "1"
)

// Prepare writes an edited copy of the API module in src to the folder dst,
// which must not exist.
func Prepare(src, dst string) error {
	return prepare(src, dst, clusterpediaEdits())
}

// edits are what to change in a copy, by slash-separated path.
type edits struct {
	// goVersion is the go line to write into go.mod.
	goVersion string
	// change holds the edits of existing files.
	change map[string][]edit
	// add holds whole new files.
	add map[string]string
}

func prepare(src, dst string, e edits) error {
	if _, err := os.Stat(dst); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("prepare the API copy: %s exists already", dst)
	}
	pending := make(map[string]bool, len(e.change))
	for path := range e.change {
		pending[path] = true
	}
	err := filepath.WalkDir(src, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			// The module cache is read-only; the copy is not.
			return os.MkdirAll(filepath.Join(dst, rel), 0o755)
		}
		if strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if name == "go.mod" {
			text, err = setGoVersion(text, e.goVersion)
		} else if list := e.change[name]; list != nil {
			text, err = apply(name, text, list)
			delete(pending, name)
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, rel), text, 0o644)
	})
	if err != nil {
		return fmt.Errorf("prepare the API copy of %s: %w", src, err)
	}
	for name := range pending {
		return fmt.Errorf("prepare the API copy of %s: it has no file %s", src, name)
	}
	for name, text := range e.add {
		path := filepath.Join(dst, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("prepare the API copy: add %s: %w", name, err)
		}
	}
	return nil
}
