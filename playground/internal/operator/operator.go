// Package operator lays out the files that Karmada's operator would fetch from
// the network: the archive of Karmada's resource types. It knows the operator's
// cache and Karmada's module, and nothing of how either is run.
package operator

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/state"
)

// Archive is the address of the resource types of a Karmada release: the operator's default for an instance that names
// no other.
func Archive(version string) string {
	return "https://github.com/karmada-io/karmada/releases/download/" + version + "/crds.tar.gz"
}

// Cache fills the operator's cache in its data folder with the archive of a
// version, made from the folder of Karmada's module, so that nothing is fetched.
// What is there is left alone.
func Cache(module, data, version string) error {
	sum := sha256.Sum256([]byte(Archive(version)))
	dir := filepath.Join(data, "cache", hex.EncodeToString(sum[:]))
	archive := filepath.Join(dir, "crds.tar.gz")
	if _, err := os.Stat(archive); err == nil {
		return nil
	}
	files, err := read(filepath.Join(module, "charts", "karmada", "_crds"))
	if err != nil {
		return fmt.Errorf("reading Karmada's resource types: %w", err)
	}
	for name, b := range files {
		path := filepath.Join(dir, "crds", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("unpacking Karmada's resource types: %w", err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return fmt.Errorf("unpacking Karmada's resource types: %w", err)
		}
	}
	b, err := pack(files)
	if err != nil {
		return fmt.Errorf("packing Karmada's resource types: %w", err)
	}
	return state.WriteFile(archive, b, 0o600) // last: it marks the cache as complete
}

// read returns what goes into the archive, by its name there.
func read(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, part := range []string{"bases", "patches"} {
		err := filepath.WalkDir(filepath.Join(dir, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(name)], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("there are none in " + dir)
	}
	return files, nil
}

// pack makes the archive, laid out as Karmada's releases are. The same files make
// the same bytes.
func pack(files map[string][]byte) ([]byte, error) {
	names := map[string]bool{"crds/": true}
	for name := range files {
		for dir := filepath.Dir("crds/" + name); dir != "."; dir = filepath.Dir(dir) {
			names[dir+"/"] = true
		}
		names["crds/"+name] = true
	}
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, name := range sorted {
		h := &tar.Header{Name: name, Mode: 0o755, Typeflag: tar.TypeDir}
		b, file := files[strings.TrimPrefix(name, "crds/")]
		if file {
			h = &tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(len(b))}
		}
		if err := archive.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := archive.Write(b); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
