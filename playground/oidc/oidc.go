// Package oidc is the playground's OpenID Connect provider: npm's oidc-provider with the fleet's people, as a small
// server. The Go code only installs it and makes its arguments.
package oidc

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/npm"
	"github.com/kairship-io/kairship/playground/internal/state"
)

// The clients that the provider knows.
const (
	// Client is Kairship, with a secret. ID tokens are for this audience.
	Client = "kairship"
	// CommandLine is a program on somebody's machine: public, with a loopback redirect at any port, or by
	// the device flow. Its ID tokens are for it.
	CommandLine = "kairship-cli"
)

// files pin what is installed by checksum.
//
//go:embed package.json package-lock.json
var files embed.FS

//go:embed *.js users.json
var sources embed.FS

// Program is an installed provider.
type Program struct {
	// Node is the path of Node.js, Dir the folder of the provider's sources.
	Node, Dir string
}

// Settings are what a provider is started with.
type Settings struct {
	// Issuer is https://127.0.0.1:PORT; it listens there.
	Issuer string
	// Cert and Key are files in PEM.
	Cert, Key string
	// Data is the folder of its signing keys, which it makes at its first start.
	Data string
	// Password and ClientSecret are files, as Secret makes them.
	Password, ClientSecret string
	// Redirects are where Kairship takes people back to, PostLogoutRedirects where it takes those who have
	// signed out.
	Redirects, PostLogoutRedirects []string
}

// Args are the arguments of Node.js.
func (p Program) Args(s Settings) []string {
	args := []string{
		filepath.Join(p.Dir, "server.js"),
		"--issuer=" + s.Issuer,
		"--tls-cert-file=" + s.Cert,
		"--tls-private-key-file=" + s.Key,
		"--data-dir=" + s.Data,
		"--users-file=" + filepath.Join(p.Dir, "users.json"),
		"--password-file=" + s.Password,
		"--client-secret-file=" + s.ClientSecret,
	}
	for _, u := range s.Redirects {
		args = append(args, "--redirect-uri="+u)
	}
	for _, u := range s.PostLogoutRedirects {
		args = append(args, "--post-logout-redirect-uri="+u)
	}
	return args
}

// ErrNoNode means that Node.js or npm is not on PATH.
var ErrNoNode = errors.New("no Node.js 20 or newer with npm on PATH; see README.md")

// Install puts the provider under the cache folder, unless it is there. Changed sources get another folder, so that a
// provider that runs from former ones is seen to differ.
func Install(ctx context.Context, cache string, out io.Writer) (Program, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return Program{}, ErrNoNode
	}
	root := filepath.Join(cache, "oidc")
	lock, err := digest(files)
	if err != nil {
		return Program{}, err
	}
	home := filepath.Join(root, "npm-"+lock)
	err = whole(root, home, files, func(dir string) error {
		_, _ = fmt.Fprintf(out, "Installing the OpenID Connect provider from npm (3 MB) into %s.\n", home)
		return npm.CI(ctx, dir)
	})
	if errors.Is(err, npm.ErrMissing) {
		return Program{}, ErrNoNode
	}
	if err != nil {
		return Program{}, fmt.Errorf("installing the OpenID Connect provider: %w", err)
	}
	version, err := digest(sources)
	if err != nil {
		return Program{}, err
	}
	// Below the packages: there Node.js finds them.
	dir := filepath.Join(home, "server-"+version)
	if err := whole(home, dir, sources, nil); err != nil {
		return Program{}, fmt.Errorf("installing the OpenID Connect provider: %w", err)
	}
	return Program{Node: node, Dir: dir}, nil
}

// whole makes a folder of the files and of what complete adds: all of it or nothing.
func whole(root, dir string, content embed.FS, complete func(dir string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(root, "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(tmp, content); err != nil {
		return err
	}
	if complete != nil {
		if err := complete(tmp); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, there := os.Stat(dir); there == nil { // another process was faster
			return nil
		}
		return err
	}
	return nil
}

// digest identifies the content of files.
func digest(content embed.FS) (string, error) {
	h := sha256.New()
	entries, err := content.ReadDir(".") // in the order of their names
	if err != nil {
		return "", fmt.Errorf("reading the provider's sources: %w", err)
	}
	for _, e := range entries {
		text, err := content.ReadFile(e.Name())
		if err != nil {
			return "", fmt.Errorf("reading the provider's sources: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// Secret returns the secret in a file, made up when there is none yet: 26 letters and digits, for people
// to copy as well.
func Secret(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading a secret of the OpenID Connect provider: %w", err)
	}
	s := strings.ToLower(rand.Text())
	return s, state.WriteFile(path, []byte(s+"\n"), 0o600)
}
