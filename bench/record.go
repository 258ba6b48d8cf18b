package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// recorder is a separate Kairship whose requests to Clusterpedia go through this process. That shows which raw requests
// an answer needs, whatever the version that is measured.
type recorder struct {
	*server
	proxy *http.Server

	mu   sync.Mutex
	seen []request
}

// request is one to Clusterpedia: its path and query, and when it was under way.
type request struct {
	path       string
	start, end time.Time
}

// startRecorder starts the proxy and the Kairship whose requests go through it.
func startRecorder(ctx context.Context, f *fleet, kairship string) (*recorder, error) {
	r := &recorder{}
	if err := r.start(ctx, f, kairship); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	return r, nil
}

func (r *recorder) start(ctx context.Context, f *fleet, kairship string) error {
	target, err := url.Parse(f.storeURL)
	if err != nil {
		return fmt.Errorf("reading the address of Clusterpedia: %w", err)
	}
	forward := &httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(target) },
		Transport: f.store.Transport,
		ErrorLog:  slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serving the recorder: %w", err)
	}
	r.proxy = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		seen := request{path: req.URL.RequestURI(), start: time.Now()}
		forward.ServeHTTP(w, req)
		seen.end = time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seen = append(r.seen, seen)
	})}
	proxy := r.proxy
	go func() { _ = proxy.Serve(listener) }() // ends with the server
	folder, err := os.MkdirTemp("", "kairship-bench-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // the server has read it
	config := clientcmdapi.NewConfig()
	config.Clusters["recorder"] = &clientcmdapi.Cluster{Server: "http://" + listener.Addr().String()}
	config.Contexts["recorder"] = &clientcmdapi.Context{Cluster: "recorder"}
	config.CurrentContext = "recorder"
	file := filepath.Join(folder, "clusterpedia.kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		return fmt.Errorf("writing a kubeconfig: %w", err)
	}
	r.server, err = startServer(ctx, f, kairship, file)
	return err
}

func (r *recorder) stop() error {
	var failed []error
	if r.server != nil {
		failed = append(failed, r.server.stop())
	}
	if r.proxy != nil {
		failed = append(failed, r.proxy.Close())
	}
	return errors.Join(failed...)
}

// waves is the requests that a question needs: those of one wave were under way together, each wave began
// when the one before it was over.
type waves [][]string

// record asks a question and returns the requests to Clusterpedia that it took; none for what is in memory. It asks twice: the first time may find
// out something that is then remembered.
func (r *recorder) record(ctx context.Context, ask func(ctx context.Context, address string) error) (waves, error) {
	for range 2 {
		r.mu.Lock()
		r.seen = nil
		r.mu.Unlock()
		if err := ask(ctx, r.address); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := slices.DeleteFunc(r.seen, func(q request) bool {
		// Kairship checks at times what the store can do; see pedia.Client.Run.
		path, _, _ := strings.Cut(q.path, "?")
		return strings.HasSuffix(path, "/api/v1/namespaces")
	})
	slices.SortFunc(seen, func(a, b request) int { return a.start.Compare(b.start) })
	var out waves
	var over time.Time
	for _, q := range seen {
		if len(out) == 0 || q.start.After(over) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], q.path)
		if q.end.After(over) {
			over = q.end
		}
	}
	return out, nil
}

func (w waves) String() string {
	if len(w) == 0 {
		return "none"
	}
	var sizes []string
	for _, wave := range w {
		sizes = append(sizes, fmt.Sprint(len(wave)))
	}
	return strings.Join(sizes, "+")
}

// replay makes the requests as they were made, waves one after the other.
func (w waves) replay(ctx context.Context, f *fleet) error {
	for _, wave := range w {
		g, together := errgroup.WithContext(ctx)
		for _, path := range wave {
			g.Go(func() error { return f.raw(together, path) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}
