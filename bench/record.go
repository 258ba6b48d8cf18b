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
	"os/exec"
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
	address string
	proxy   *http.Server
	command *exec.Cmd
	folder  string

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

func (r *recorder) start(ctx context.Context, f *fleet, kairship string) (err error) {
	if r.folder, err = os.MkdirTemp("", "kairship-bench-"); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
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
	return r.startKairship(ctx, f, kairship, "http://"+listener.Addr().String())
}

func (r *recorder) startKairship(ctx context.Context, f *fleet, kairship, proxy string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["recorder"] = &clientcmdapi.Cluster{Server: proxy}
	config.Contexts["recorder"] = &clientcmdapi.Context{Cluster: "recorder"}
	config.CurrentContext = "recorder"
	file := filepath.Join(r.folder, "clusterpedia.kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		return fmt.Errorf("writing a kubeconfig: %w", err)
	}
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	logs, err := os.Create(filepath.Join(r.folder, "kairship.log"))
	if err != nil {
		return fmt.Errorf("making a file for the logs: %w", err)
	}
	defer func() { _ = logs.Close() }() // the process has its own
	r.address = "http://" + address
	// The lab's instance is on loopback, where instances are not looked for otherwise.
	r.command = exec.Command(kairship, "apiserver", "--host-kubeconfig="+f.hostFile, "--clusterpedia-kubeconfig="+file, "--http-address="+address, //nolint:noctx // it is stopped by stop
		"--admin-groups=kairship:host:system:serviceaccounts:kairship-admins", "--instance-networks=127.0.0.0/8")
	r.command.Stdout, r.command.Stderr = logs, logs
	if err := r.command.Start(); err != nil {
		r.command = nil
		return fmt.Errorf("starting %s: %w", kairship, err)
	}
	return until(ctx, "a second Kairship knows the lab's instance (its log is "+logs.Name()+")", func(ctx context.Context) (string, error) {
		var data map[string]any
		return "", f.query(ctx, r.address, countQuestion, map[string]any{"instance": labInstance}, &data)
	})
}

func (r *recorder) stop() error {
	var failed []error
	if r.command != nil {
		failed = append(failed, r.command.Process.Signal(os.Interrupt))
		_ = r.command.Wait() // it was interrupted
	}
	if r.proxy != nil {
		failed = append(failed, r.proxy.Close())
	}
	if r.folder != "" {
		failed = append(failed, os.RemoveAll(r.folder))
	}
	return errors.Join(failed...)
}

// waves is the requests that a question needs: those of one wave were under way together, each wave began
// when the one before it was over.
type waves [][]string

// record asks a question and returns the requests to Clusterpedia that it took. It asks twice: the first time may find
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
	if len(out) == 0 {
		return nil, errors.New("it needed no request to Clusterpedia")
	}
	return out, nil
}

func (w waves) String() string {
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
