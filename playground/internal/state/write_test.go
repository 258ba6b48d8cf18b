package state

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Whoever reads a file finds it whole, however many write it at the same time.
func TestAFileIsWholeWhileSeveralWriteIt(t *testing.T) {
	folder := t.TempDir()
	path, text := filepath.Join(folder, "kubeconfig.yaml"), bytes.Repeat([]byte("x"), 100_000)
	if err := WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var writing sync.WaitGroup
	for range 4 {
		writing.Go(func() {
			for range 50 {
				if err := WriteFile(path, text, 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 500 {
		if raw, err := os.ReadFile(path); err != nil || len(raw) != len(text) {
			t.Fatalf("%d bytes, %v", len(raw), err)
		}
	}
	writing.Wait()
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
