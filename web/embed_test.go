package web

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestBuilt(t *testing.T) {
	cases := []struct {
		name  string
		files fstest.MapFS
		want  bool
	}{
		{"a checkout that was never built has no UI", fstest.MapFS{"dist/.keep": {}}, false},
		{"assets without a page are no UI", fstest.MapFS{"dist/assets/index.js": {}}, false},
		{"a build has its page at the root", fstest.MapFS{"dist/index.html": {Data: []byte("<!doctype html>")}}, true},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			files, ok := built(tc.files)
			if ok != tc.want {
				t.Fatalf("built() = %v, want %v", ok, tc.want)
			}
			if !ok {
				return
			}
			if _, err := fs.ReadFile(files, "index.html"); err != nil {
				t.Errorf("the page cannot be read: %v", err)
			}
		})
	}
}
