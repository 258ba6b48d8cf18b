// Package web carries the built UI inside the binary.
//
// It knows the layout of the build (index.html, graphiql.html, documents.json, assets/) and nothing of
// HTTP: who serves the files, with which headers, is the server's business.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// FS gives the built UI, and whether there is one: a binary built without `make web` embeds no
// index.html, and its server should answer "UI not built" where the UI would be.
func FS() (fs.FS, bool) {
	return built(dist)
}

func built(embedded fs.FS) (fs.FS, bool) {
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		return nil, false
	}
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, false
	}
	return files, true
}
