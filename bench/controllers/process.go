package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// process is a measured one: the controller manager or the API server.
type process struct {
	name  string
	cmd   *exec.Cmd
	ended chan struct{}
	err   error
	// telemetry is the address of its metrics.
	telemetry string
	client    *http.Client
}

func startManager(ctx context.Context, program, kubeconfig string, logs *os.File) (*process, error) {
	ports, err := freePorts(ctx, 2)
	if err != nil {
		return nil, err
	}
	return startProcess(ctx, logs, ports[0], program, "controller-manager",
		"--host-kubeconfig", kubeconfig, "--admin-groups", "kairship:host:administrators",
		"--metrics-address", ports[0], "--health-address", ports[1])
}

// startProcess starts a command of the program, and waits until its metrics can be read.
func startProcess(ctx context.Context, logs *os.File, telemetry, program, command string, args ...string) (*process, error) {
	// Not bound to the context: the end of the measurement stops it, in its order.
	// The stand-ins are on loopback, where instances are not looked for otherwise.
	args = append([]string{command, "--instance-networks", "127.0.0.0/8"}, args...)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, args...) //nolint:gosec // the program that is measured
	cmd.Stdout, cmd.Stderr = logs, logs
	// An interrupt in the terminal must reach the measurement only.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s (`make build` makes it): %w", program, err)
	}
	p := &process{name: command, cmd: cmd, ended: make(chan struct{}), telemetry: "http://" + telemetry, client: &http.Client{Timeout: callTimeout}}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	err := poll(ctx, time.Minute, 100*time.Millisecond, func(ctx context.Context) (string, error) {
		if err := p.alive(); err != nil {
			return "", err
		}
		_, err := p.sample(ctx)
		return why(err), nil
	})
	if err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func why(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// stop asks the process to end, and kills it when it does not.
func (p *process) stop() error {
	const timeout = 20 * time.Second
	// It may have ended already.
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(timeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
		return fmt.Errorf("%s did not stop within %s", p.name, timeout)
	}
	if p.err != nil {
		return fmt.Errorf("%s: %w", p.name, p.err)
	}
	return nil
}

// alive returns an error when the process has ended. The controller manager ends by itself when it loses its Lease, as
// it may where the machine is too busy to renew it.
func (p *process) alive() error {
	select {
	case <-p.ended:
		return fmt.Errorf("%s ended (-logs keeps what it said): %w", p.name, p.err)
	default:
		return nil
	}
}

// sample reads its metrics.
func (p *process) sample(ctx context.Context) (sample, error) {
	if err := p.alive(); err != nil {
		return nil, err
	}
	raw, err := p.read(ctx, p.telemetry+"/metrics")
	if err != nil {
		return nil, err
	}
	return readSample(bytes.NewReader(raw))
}

// read reads one of its addresses.
func (p *process) read(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", url, err)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", url, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", url, err)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("reading %s: %s", url, resp.Status)
	}
	return raw, nil
}

// peak returns the most memory that the process has ever had, in bytes; zero where the system does not report it.
func (p *process) peak() float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	return highWater(string(status))
}

// freePorts returns loopback addresses that nobody serves.
func freePorts(ctx context.Context, many int) ([]string, error) {
	var out []string
	var held []net.Listener
	// All are held until all are found, so that they differ.
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for range many {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("looking for a port: %w", err)
		}
		held = append(held, l)
		out = append(out, l.Addr().String())
	}
	return out, nil
}
