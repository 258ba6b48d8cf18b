package testenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AssetsVariable names the environment variable with the folders of etcd and kube-apiserver, separated as in PATH.
const AssetsVariable = "KAIRSHIP_TEST_ASSETS"

// assets finds a binary: in the folders of the environment variable, or else the newest one that the playground has
// built.
func assets(name string) (string, error) {
	if folders := os.Getenv(AssetsVariable); folders != "" {
		for _, folder := range filepath.SplitList(folders) {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
		return "", fmt.Errorf("%s is %q, and no folder of it holds %s: `make test-unit` builds it and sets the variable", AssetsVariable, folders, name)
	}
	cache, err := cacheFolder()
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(cache, "components", "*", "*", "bin", name))
	if err != nil {
		return "", fmt.Errorf("looking for %s in %s: %w", name, cache, err)
	}
	var newest string
	var newestTime int64
	for _, path := range found {
		if info, err := os.Stat(path); err == nil && info.ModTime().UnixNano() > newestTime {
			newest, newestTime = path, info.ModTime().UnixNano()
		}
	}
	if newest == "" {
		return "", fmt.Errorf("%s is not in %s: `make test-unit` builds it; or set %s to the folders that hold etcd and kube-apiserver", name, cache, AssetsVariable)
	}
	return newest, nil
}

// cacheFolder is where the playground keeps its builds.
func cacheFolder() (string, error) {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kairship"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("neither XDG_CACHE_HOME nor a home folder is known, so the cache with etcd and kube-apiserver cannot be found: set " + AssetsVariable)
	}
	return filepath.Join(home, ".cache", "kairship"), nil
}

// checkout is the root of the checkout that the tests run in.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the checkout: %w", err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module github.com/kairship-io/kairship\n") {
			return dir, nil
		}
	}
	return "", errors.New("finding the checkout: no folder above the test holds Kairship's go.mod")
}
