package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/components"
)

type componentsCmd struct {
	Names []string `arg:"" help:"Binaries, such as etcd or kube-apiserver."`
}

// Run builds the binaries where they are missing and prints the folders that hold them, separated as in
// PATH: tests run real API servers from there.
func (c componentsCmd) Run(e *environment) error {
	binaries, err := components.Ensure(e.ctx, components.Options{Names: c.Names, Progress: os.Stderr})
	if err != nil {
		return err
	}
	var folders []string
	for _, name := range c.Names {
		if dir := filepath.Dir(binaries[name]); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	fmt.Println(strings.Join(folders, string(filepath.ListSeparator)))
	return nil
}
