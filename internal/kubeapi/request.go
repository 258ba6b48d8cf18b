package kubeapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/upstream"
)

// answer is an API server's answer that is not a success.
type answer struct {
	code int
	// status is empty when the answer was not a Kubernetes Status.
	status metav1.Status
}

func (a *answer) Error() string { return fmt.Sprintf("%d: %s", a.code, a.status.Message) }

// message returns the API server's message, or the name of its status code.
func (a *answer) message() string {
	if a.status.Message != "" {
		return a.status.Message
	}
	return http.StatusText(a.code)
}

// What is asked for: objects, or their metadata alone.
const (
	wholeObjects = "application/json"
	metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// get reads one path. It retries transient errors, and does not ask while the circuit is open.
func (s *server) get(ctx context.Context, cfg *rest.Config, path string, query url.Values, accept string) ([]byte, error) {
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	// The deadline is that of a context, so that it differs from one of the caller's.
	httpClient.Timeout = 0
	base, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	u := *base.JoinPath(path)
	u.RawQuery = query.Encode()
	return upstream.Retry(ctx, s.retries, func(ctx context.Context) ([]byte, error) {
		return upstream.Through(ctx, s.circuit, func(ctx context.Context) ([]byte, error) {
			return upstream.Await(ctx, s.place.String(), silence(cfg), func(ctx context.Context, heard func()) ([]byte, error) {
				ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
				defer cancel()
				start := time.Now()
				body, code, err := attempt(ctx, httpClient, u.String(), accept, heard)
				s.observe(code, time.Since(start))
				return body, err
			})
		})
	})
}

// silence is how long an operation waits for an API server that says nothing.
func silence(cfg *rest.Config) time.Duration { return min(cfg.Timeout, upstream.Silence) }

// hearing is a body that calls heard for each part that comes.
type hearing struct {
	io.Reader
	heard func()
}

// Read reads from the API server.
func (h hearing) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.heard()
	return n, err
}

// attempt makes one request, and calls heard for each part of the answer. The code is 0 without an answer.
func attempt(ctx context.Context, c *http.Client, address, accept string, heard func()) (body []byte, code int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, 0, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", accept)
	resp, err := c.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("asking: %w", err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(hearing{resp.Body, heard}) // as much as package link lets through
	if err == nil {
		err = ctx.Err() // an answer that ends with its deadline may be cut off
	}
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("reading the answer: %w", err)
	case resp.StatusCode != http.StatusOK:
		a := &answer{code: resp.StatusCode}
		if jsonv2.Unmarshal(body, &a.status) != nil || a.status.Kind != "Status" {
			a.status = metav1.Status{}
		}
		return nil, resp.StatusCode, a
	}
	return body, resp.StatusCode, nil
}

func (s *server) observe(code int, took time.Duration) {
	from, text := "instance", "error"
	if s.cluster != "" {
		from = "member"
	}
	if code != 0 {
		text = strconv.Itoa(code)
	}
	requestSeconds.WithLabelValues(from, text).Observe(took.Seconds())
}

// gatewayCode reports whether a status comes from a gateway in front of an API server that does not answer.
func gatewayCode(code int) bool {
	return code == http.StatusBadGateway || code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout
}

// down reports whether an error means that the API server does not answer. A refusal is an answer.
func (p place) down(err error) bool {
	a := (*answer)(nil)
	if errors.As(err, &a) {
		return gatewayCode(a.code) || p.unproxied(a)
	}
	return !errors.Is(err, link.ErrTooLarge) && !link.Redirected(err) && !errors.As(err, new(*model.Error))
}

// unproxied reports whether Karmada's proxy did not reach the member: it returns its dial error without a reason,
// which no API server does itself.
func (p place) unproxied(a *answer) bool {
	return p.cluster != "" && a.code == http.StatusInternalServerError && a.status.Kind != "" && a.status.Reason == metav1.StatusReasonUnknown
}

// transient reports whether the same read may succeed in a moment. One that timed out would time out again.
func (p place) transient(err error) bool {
	a := (*answer)(nil)
	if errors.As(err, &a) {
		return a.code == http.StatusTooManyRequests || a.code == http.StatusBadGateway || a.code == http.StatusServiceUnavailable || p.unproxied(a)
	}
	return p.down(err) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) && !errors.Is(err, upstream.ErrOpen)
}
