package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// manager is the controller manager, as a process of its own.
type manager struct {
	cmd     *exec.Cmd
	ended   chan struct{}
	err     error
	metrics string
	client  *http.Client
}

func startManager(ctx context.Context, program, kubeconfig string, logs *os.File) (*manager, error) {
	ports, err := freePorts(ctx, 2)
	if err != nil {
		return nil, err
	}
	// It outlives the context: the end of the measurement stops it, in its turn.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, "controller-manager", //nolint:gosec // the program that is measured
		"--host-kubeconfig", kubeconfig, "--admin-groups", "kairship:host:administrators",
		"--metrics-address", ports[0], "--health-address", ports[1])
	cmd.Stdout, cmd.Stderr = logs, logs
	// An interrupt in the terminal is for the measurement.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s (`make build` makes it): %w", program, err)
	}
	m := &manager{cmd: cmd, ended: make(chan struct{}), metrics: "http://" + ports[0] + "/metrics", client: &http.Client{Timeout: callTimeout}}
	go func() {
		m.err = cmd.Wait()
		close(m.ended)
	}()
	err = poll(ctx, time.Minute, 100*time.Millisecond, func(ctx context.Context) (string, error) {
		if err := m.alive(); err != nil {
			return "", err
		}
		_, err := m.sample(ctx)
		return why(err), nil
	})
	if err != nil {
		return nil, errors.Join(err, m.stop())
	}
	return m, nil
}

func why(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// stop asks the process to end, and makes it when it does not.
func (m *manager) stop() error {
	const patience = 20 * time.Second
	// It may have ended already.
	_ = m.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-m.ended:
	case <-time.After(patience):
		_ = m.cmd.Process.Kill()
		<-m.ended
		return fmt.Errorf("the controller manager did not stop within %s", patience)
	}
	if m.err != nil {
		return fmt.Errorf("the controller manager: %w", m.err)
	}
	return nil
}

// alive says whether the process runs. It ends by itself when it loses its Lease, as it may where the
// machine is too busy to renew it.
func (m *manager) alive() error {
	select {
	case <-m.ended:
		return fmt.Errorf("the controller manager ended (-logs keeps what it said): %w", m.err)
	default:
		return nil
	}
}

// sample reads its metrics.
func (m *manager) sample(ctx context.Context) (sample, error) {
	if err := m.alive(); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.metrics, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	defer resp.Body.Close()
	return readSample(resp.Body)
}

// peak is the most memory that the process has ever had, in bytes; zero where the system does not tell.
func (m *manager) peak() float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(m.cmd.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	return highWater(string(status))
}

// freePorts are loopback addresses that nobody serves.
func freePorts(ctx context.Context, many int) ([]string, error) {
	var out []string
	var held []net.Listener
	// All are held until all are found: they have to differ.
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
