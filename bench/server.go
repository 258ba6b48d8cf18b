package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Whoever has a service account in this namespace of the playground is an administrator; tokenAudience is what their tokens
// are for.
const (
	adminNamespace = "kairship-admins"
	tokenAudience  = "kairship"
)

// server is a separate Kairship API server of the lab.
type server struct {
	address string
	// telemetry is where its metrics are.
	telemetry string
	command   *exec.Cmd
	folder    string
}

// startServer starts an API server that reads the store through the Clusterpedia of a kubeconfig, with more flags where
// it is to read another way. Nobody but the lab asks it anything.
func startServer(ctx context.Context, f *fleet, kairship, clusterpedia string, flags ...string) (*server, error) {
	return startServerOf(ctx, f, kairship, clusterpedia, labInstance, flags...)
}

// startServerOf is startServer, and waits until the server knows another instance than the lab's.
func startServerOf(ctx context.Context, f *fleet, kairship, clusterpedia, instance string, flags ...string) (*server, error) {
	s := &server{}
	if err := s.start(ctx, f, kairship, clusterpedia, instance, flags); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *server) start(ctx context.Context, f *fleet, kairship, clusterpedia, instance string, flags []string) (err error) {
	if s.folder, err = os.MkdirTemp("", "kairship-bench-"); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	telemetry, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	logs, err := os.Create(filepath.Join(s.folder, "kairship.log"))
	if err != nil {
		return fmt.Errorf("making a file for the logs: %w", err)
	}
	defer func() { _ = logs.Close() }() // the process has its own
	s.address, s.telemetry = "http://"+address, "http://"+telemetry
	// The lab's instance is on loopback, where instances are not looked for otherwise.
	s.command = exec.Command(kairship, append([]string{"apiserver", "--host-kubeconfig=" + f.hostFile, "--clusterpedia-kubeconfig=" + clusterpedia, "--http-address=" + address, "--telemetry-address=" + telemetry, //nolint:noctx // it is stopped by stop
		"--admin-groups=kairship:host:system:serviceaccounts:" + adminNamespace, "--instance-networks=127.0.0.0/8"}, flags...)...)
	s.command.Stdout, s.command.Stderr = logs, logs
	if err := s.command.Start(); err != nil {
		s.command = nil
		return fmt.Errorf("starting %s: %w", kairship, err)
	}
	return until(ctx, "a second Kairship knows instance "+instance+" (its log is "+logs.Name()+")", func(ctx context.Context) (string, error) {
		var data map[string]any
		return "", f.query(ctx, s.address, countQuestion, map[string]any{"instance": instance}, &data)
	})
}

// freeAddress is an address of loopback that nobody listens on.
func freeAddress(ctx context.Context) (string, error) {
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	return address, nil
}

// counters are what a server counts of itself: allocations, their bytes, and requests to the read store.
type counters struct {
	allocations, allocated, upstream float64
}

func (c counters) since(before counters, answers int) counters {
	n := float64(answers)
	return counters{(c.allocations - before.allocations) / n, (c.allocated - before.allocated) / n, (c.upstream - before.upstream) / n}
}

// counters reads the metrics of the server.
func (s *server) counters(ctx context.Context) (c counters, err error) {
	err = s.metrics(ctx, func(series string, value float64) {
		switch name, _, _ := strings.Cut(series, "{"); {
		case series == "go_memstats_mallocs_total":
			c.allocations += value
		case series == "go_memstats_alloc_bytes_total":
			c.allocated += value
		case name == "kairship_read_store_request_duration_seconds_count" && !strings.Contains(series, `"probe"`):
			c.upstream += value
		}
	})
	return c, err
}

// gauge reads one metric without labels.
func (s *server) gauge(ctx context.Context, name string) (value float64, err error) {
	found := false
	err = s.metrics(ctx, func(series string, is float64) {
		if series == name {
			value, found = is, true
		}
	})
	if err == nil && !found {
		err = fmt.Errorf("the server has no metric %s", name)
	}
	return value, err
}

// metrics reads all series of the server, with their labels.
func (s *server) metrics(ctx context.Context, each func(series string, value float64)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.telemetry+"/metrics", http.NoBody)
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("reading the metrics of a server: %w", err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		cut := strings.LastIndex(lines.Text(), " ")
		if cut < 0 || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		value, err := strconv.ParseFloat(lines.Text()[cut+1:], 64)
		if err != nil {
			return fmt.Errorf("the metrics say %q", lines.Text())
		}
		each(lines.Text()[:cut], value)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the metrics of a server: %w", err)
	}
	return nil
}

func (s *server) stop() error {
	var failed []error
	if s.command != nil {
		failed = append(failed, s.command.Process.Signal(os.Interrupt))
		_ = s.command.Wait() // it was interrupted
	}
	if s.folder != "" {
		failed = append(failed, os.RemoveAll(s.folder))
	}
	return errors.Join(failed...)
}
