package components

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

func moduleDir(ctx context.Context, o Options, name string) (string, error) {
	b, err := newBuilder(o)
	if err != nil {
		return "", err
	}
	return b.moduleDir(ctx, name)
}

func (b *builder) moduleDir(ctx context.Context, name string) (string, error) {
	c, err := findComponent(name)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.Dir, c.name)
	var stdout, stderr bytes.Buffer
	if err := b.run(ctx, dir, &stdout, &stderr, "list", "-m", "-f", "{{.Dir}}", c.module); err != nil {
		return "", fmt.Errorf("find the module of %s: %w%s", c.title(), err, said(stderr.String()))
	}
	if path := strings.TrimSpace(stdout.String()); path != "" {
		return path, nil
	}
	// It is not in the module cache: it was cleaned, or nothing was built yet.
	return b.download(ctx, dir, c.module, io.Discard)
}

// download fetches one module at the version that the go.mod in dir selects.
func (b *builder) download(ctx context.Context, dir, module string, log io.Writer) (string, error) {
	var stdout, stderr bytes.Buffer
	runErr := b.run(ctx, dir, &stdout, io.MultiWriter(&stderr, log), "mod", "download", "-json", module)
	var got struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil && runErr == nil {
		return "", fmt.Errorf("read what go said of module %s: %w", module, err)
	}
	switch {
	case got.Error != "":
		return "", fmt.Errorf("fetch module %s: %s", module, got.Error)
	case runErr != nil:
		return "", fmt.Errorf("fetch module %s: %w%s", module, runErr, said(stderr.String()))
	}
	return got.Dir, nil
}
