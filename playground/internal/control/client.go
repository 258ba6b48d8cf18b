package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/kubelet"
)

// Client talks to the supervisor of one fleet.
type Client struct{ http *http.Client }

// ErrNotRunning means that no supervisor answers: the fleet is down.
var ErrNotRunning = errors.New("no fleet is running here (start one with `playground up`)")

// NewClient returns a client for the supervisor behind the socket.
func NewClient(socket string) *Client {
	return &Client{http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
	}}}
}

// Fleet returns the supervisor's state.
func (c *Client) Fleet(ctx context.Context) (Fleet, error) {
	var f Fleet
	err := c.do(ctx, http.MethodGet, "/fleet", nil, &f)
	return f, err
}

// Ensure makes a process run as its spec says.
func (c *Client) Ensure(ctx context.Context, s process.Spec) error {
	return c.do(ctx, http.MethodPut, "/processes/"+s.Name, s, nil)
}

// Forget stops a process and drops it.
func (c *Client) Forget(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodDelete, "/processes/"+name, nil, nil)
}

// Stop stops processes, the upper tiers first, and returns when they are gone.
func (c *Client) Stop(ctx context.Context, n []string) error {
	return c.do(ctx, http.MethodPost, "/stop", names{n}, nil)
}

// Start starts stopped processes. It does not wait until they are ready.
func (c *Client) Start(ctx context.Context, n []string) error {
	return c.do(ctx, http.MethodPost, "/start", names{n}, nil)
}

// Pause freezes processes.
func (c *Client) Pause(ctx context.Context, n []string) error {
	return c.do(ctx, http.MethodPost, "/pause", names{n}, nil)
}

// Resume thaws processes.
func (c *Client) Resume(ctx context.Context, n []string) error {
	return c.do(ctx, http.MethodPost, "/resume", names{n}, nil)
}

// Kubelet makes the fleet's kubelet work as the config says, and returns when it
// has looked at every pod.
func (c *Client) Kubelet(ctx context.Context, config kubelet.Config) error {
	return c.do(ctx, http.MethodPut, "/kubelet", config, nil)
}

// Shutdown asks the supervisor to stop everything and end. It returns at once.
func (c *Client) Shutdown(ctx context.Context) error {
	return c.do(ctx, http.MethodPost, "/shutdown", nil, nil)
}

func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return fmt.Errorf("asking the supervisor: %w", err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://supervisor"+path, &body)
	if err != nil {
		return fmt.Errorf("asking the supervisor: %w", err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" {
			return ErrNotRunning
		}
		return fmt.Errorf("asking the supervisor: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		var f failure
		if json.NewDecoder(resp.Body).Decode(&f) != nil || f.Error == "" {
			f.Error = resp.Status
		}
		return errors.New(f.Error)
	}
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("reading what the supervisor says: %w", err)
	}
	return nil
}
