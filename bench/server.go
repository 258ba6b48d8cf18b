package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
)

// server is a separate Kairship API server of the lab.
type server struct {
	address string
	command *exec.Cmd
	folder  string
}

// startServer starts an API server that reads the store through the Clusterpedia of a kubeconfig, with more flags where
// it is to read another way. Nobody but the lab asks it anything.
func startServer(ctx context.Context, f *fleet, kairship, clusterpedia string, flags ...string) (*server, error) {
	s := &server{}
	if err := s.start(ctx, f, kairship, clusterpedia, flags); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *server) start(ctx context.Context, f *fleet, kairship, clusterpedia string, flags []string) (err error) {
	if s.folder, err = os.MkdirTemp("", "kairship-bench-"); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return fmt.Errorf("looking for a free port: %w", err)
	}
	logs, err := os.Create(filepath.Join(s.folder, "kairship.log"))
	if err != nil {
		return fmt.Errorf("making a file for the logs: %w", err)
	}
	defer func() { _ = logs.Close() }() // the process has its own
	s.address = "http://" + address
	// The lab's instance is on loopback, where instances are not looked for otherwise.
	s.command = exec.Command(kairship, append([]string{"apiserver", "--host-kubeconfig=" + f.hostFile, "--clusterpedia-kubeconfig=" + clusterpedia, "--http-address=" + address, //nolint:noctx // it is stopped by stop
		"--admin-groups=kairship:host:system:serviceaccounts:kairship-admins", "--instance-networks=127.0.0.0/8"}, flags...)...)
	s.command.Stdout, s.command.Stderr = logs, logs
	if err := s.command.Start(); err != nil {
		s.command = nil
		return fmt.Errorf("starting %s: %w", kairship, err)
	}
	return until(ctx, "a second Kairship knows the lab's instance (its log is "+logs.Name()+")", func(ctx context.Context) (string, error) {
		var data map[string]any
		return "", f.query(ctx, s.address, countQuestion, map[string]any{"instance": labInstance}, &data)
	})
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
