package server

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// nonceMark marks the place in the pages for the nonce of a response.
const nonceMark = "__CSP_NONCE__"

// The content security policies of the pages. GraphiQL's editor needs inline styles, fonts from data and
// workers from blobs; nothing else does.
const (
	appPolicy      = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; connect-src 'self'; img-src 'self' data:; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

// kinds is the media types of the files in a build. The machine's own table differs between machines.
var kinds = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".ttf":         "font/ttf",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff":        "font/woff",
	".woff2":       "font/woff2",
}

// ui serves the built UI: pages with a new nonce each time, assets (whose names change with their content) cacheable
// for ever, and index.html for every address that a person may have opened.
type ui struct {
	files fs.FS
	// graphiql reports whether a request may have GraphiQL.
	graphiql func(*http.Request) bool

	mu     sync.Mutex
	assets map[string]*asset
}

// asset is a file as sent.
type asset struct {
	raw, zipped []byte // zipped is nil where it would not be smaller
	kind, tag   string
}

func newUI(files fs.FS, graphiql func(*http.Request) bool) *ui {
	return &ui{files: files, graphiql: graphiql, assets: map[string]*asset{}}
}

func (u *ui) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "use GET")
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch {
	case u.files == nil && wantsPage(r):
		plain(w, http.StatusNotFound, "This binary was built without the UI. The API is at /graphql.")
	case u.files == nil:
		plain(w, http.StatusNotFound, "not found")
	case name == "" || name == "index.html":
		u.page(w, r, "index.html", appPolicy)
	case (name == "graphiql" || name == "graphiql.html") && !u.graphiql(r):
		plain(w, http.StatusForbidden, "You may not use GraphiQL here: it needs the right to read the schema.")
	case name == "graphiql" || name == "graphiql.html":
		u.page(w, r, "graphiql.html", graphiqlPolicy)
	case u.file(w, r, name):
	case strings.HasPrefix(name, "assets/") || !wantsPage(r):
		plain(w, http.StatusNotFound, "not found")
	default:
		u.page(w, r, "index.html", appPolicy)
	}
}

// wantsPage reports whether a browser requests a page for a person who opened an address.
func wantsPage(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

func (u *ui) page(w http.ResponseWriter, r *http.Request, name, policy string) {
	raw, err := fs.ReadFile(u.files, name)
	if err != nil {
		plain(w, http.StatusNotFound, "not found")
		return
	}
	var random [18]byte
	_, _ = rand.Read(random[:]) // never fails
	nonce := base64.StdEncoding.EncodeToString(random[:])
	if strings.Contains(policy, "%s") {
		policy = fmt.Sprintf(policy, nonce)
	}
	raw = bytes.ReplaceAll(raw, []byte(nonceMark), []byte(nonce))
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // a nonce is valid for one response
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(raw)
	}
}

// file serves a file of the build; false when there is none of that name.
func (u *ui) file(w http.ResponseWriter, r *http.Request, name string) bool {
	a := u.asset(name)
	if a == nil {
		return false
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	// A worker has the policy of its own file, not that of the page that started it.
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'")
	raw, tag := a.raw, a.tag
	if a.zipped != nil && acceptsGzip(r) {
		raw, tag = a.zipped, a.tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	tag = strconv.Quote(tag)
	h.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(raw)
	}
	return true
}

// asset reads and compresses a file once; the cache is limited by the number of files in the build.
func (u *ui) asset(name string) *asset {
	u.mu.Lock()
	defer u.mu.Unlock()
	if a, ok := u.assets[name]; ok {
		return a
	}
	if !fs.ValidPath(name) {
		return nil
	}
	if info, err := fs.Stat(u.files, name); err != nil || info.IsDir() {
		return nil
	}
	raw, err := fs.ReadFile(u.files, name)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(raw)
	a := &asset{raw: raw, tag: hex.EncodeToString(sum[:12]), kind: kinds[path.Ext(name)]}
	if a.kind == "" {
		a.kind = "application/octet-stream"
	}
	if len(raw) > 1<<10 && compressible(a.kind) {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
		_, _ = z.Write(raw)                                   // a buffer takes everything
		_ = z.Close()
		if b.Len() < len(raw) {
			a.zipped = b.Bytes()
		}
	}
	u.assets[name] = a
	return a
}

func compressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "json") ||
		kind == "image/svg+xml" || kind == "application/wasm" || kind == "font/ttf"
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
			quality, err := strconv.ParseFloat(q, 64)
			return !ok || err == nil && quality > 0
		}
	}
	return false
}
