// Package pedia is the read plane: a Query becomes a request to Clusterpedia and a typed list. It is the
// only place that builds a Clusterpedia URL. It does not know what the rows mean.
//
// What is asked are statements for PostgreSQL, which Clusterpedia passes on when its gate
// AllowParameterizedSQLQuery is open (see sql.go). With the gate closed nothing is read.
package pedia

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/upstream"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// clusterAnnotation is where Clusterpedia writes the cluster of a row.
const clusterAnnotation = "shadow.clusterpedia.io/cluster-name"

// maxNames bounds the names of one request: Clusterpedia stays fast and the URL short.
const maxNames = 200

// Client asks one Clusterpedia API server.
type Client struct {
	http    *http.Client
	base    *url.URL
	timeout time.Duration

	circuit *circuit
	retries *upstream.RetryPolicy
	shared  upstream.Flight[*envelope]

	features atomic.Pointer[Features]
	probing  upstream.Flight[Features]

	// heard is told of each request for a query, for stand-ins; nil outside tests.
	heard func(address string, q Query)
}

// New makes a client. Each request ends after timeout at the latest.
func New(cfg *rest.Config, timeout time.Duration) (*Client, error) {
	cfg = rest.CopyConfig(cfg)
	// Compressing costs the API server more than the bytes cost the network beside it.
	cfg.DisableCompression = true
	cfg.UserAgent = "kairship-apiserver"
	cfg.Wrap(telemetry.Upstream(telemetry.TargetClusterpedia, ""))
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the HTTP client for Clusterpedia: %w", err)
	}
	base, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("reading the address of Clusterpedia: %w", err)
	}
	c := &Client{http: httpClient, base: base, timeout: timeout, retries: newRetryPolicy()}
	c.circuit = newCircuit(c.trial)
	return c, nil
}

// trial asks for one row of what there are few of.
func (c *Client) trial(ctx context.Context) error {
	r := newRequest([]schema.GroupVersionResource{probed}, nil, 1, true)
	_, err := c.attempt(ctx, c.address(r), r.label())
	return err
}

func (c *Client) address(r request) string {
	u := *c.base
	u.Path, u.RawQuery = r.path(), r.values.Encode()
	return u.String()
}

// basePath is where the store serves everything; below it the resources of all clusters.
const basePath = "/apis/clusterpedia.io/v1beta1"

// resourcePath is where the store serves a resource.
func resourcePath(gvr schema.GroupVersionResource) string {
	if gvr.Group == "" {
		return basePath + "/resources/api/" + gvr.Version + "/" + gvr.Resource
	}
	return basePath + "/resources/apis/" + gvr.Group + "/" + gvr.Version + "/" + gvr.Resource
}

// ask makes a request for a query. Whoever asks for the same at the same time as the same principal
// shares the answer, which nobody may change.
func (c *Client) ask(ctx context.Context, q *Query, r request) (*envelope, error) {
	if c.heard != nil {
		c.heard((&url.URL{Path: r.path(), RawQuery: r.values.Encode()}).RequestURI(), *q)
	}
	env, err := c.send(ctx, r)
	if err != nil {
		return nil, storeError(q, err)
	}
	return env, nil
}

// storeName names the store among the upstreams that an operation waits for.
const storeName = "clusterpedia"

// send makes a request, again where that may help, within one deadline. Those of one operation wait in vain once.
func (c *Client) send(ctx context.Context, r request) (*envelope, error) {
	return upstream.Await(ctx, storeName, c.timeout+cancelGrace, func(ctx context.Context, _ func()) (*envelope, error) { return c.share(ctx, r) })
}

// share makes a request for all who ask the same now.
func (c *Client) share(ctx context.Context, r request) (*envelope, error) {
	address := c.address(r)
	principal := rbac.PrincipalFrom(ctx)
	var alone atomic.Bool
	env, err := c.shared.Do(ctx, principal.Key()+"\n"+address, c.timeout+cancelGrace, func(ctx context.Context) (*envelope, error) {
		alone.Store(true)
		deadline := time.Now().Add(c.timeout)
		var said error
		return upstream.Retry(ctx, c.retries, func(ctx context.Context) (*envelope, error) {
			if said != nil {
				retries.WithLabelValues(r.label()).Inc()
			}
			env, err := c.circuit.through(ctx, principal.Name, func(ctx context.Context) (*envelope, error) {
				ctx, cancel := context.WithDeadline(ctx, deadline)
				defer cancel()
				return c.attempt(ctx, address, r.label())
			})
			if errors.Is(err, upstream.ErrOpen) && said != nil {
				return nil, &lastWord{said} // what was said to this request tells more
			}
			said = err
			return env, err
		})
	})
	if !alone.Load() && err == nil {
		sharedAnswers.WithLabelValues(r.label()).Inc()
	}
	return env, err
}

// cancelGrace is how long a request is waited for beyond its deadline, so that it is the request that is seen to
// end and not who waits: a store that hangs counts for the circuit.
const cancelGrace = 100 * time.Millisecond

// attempt makes a request once.
func (c *Client) attempt(ctx context.Context, address, label string) (*envelope, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("making a Clusterpedia request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	start := time.Now()
	env := &envelope{}
	code, err := c.do(req, env)
	observe(label, code, time.Since(start))
	if err != nil {
		return nil, err
	}
	return env, nil
}

func (c *Client) do(req *http.Request, into any) (code string, err error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return "error", fmt.Errorf("asking Clusterpedia: %w", &silence{err})
	}
	defer resp.Body.Close()
	code = strconv.Itoa(resp.StatusCode)
	body, err := readAll(resp, maxAnswer)
	if err != nil {
		return code, fmt.Errorf("reading Clusterpedia's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		var status metav1.Status
		if jsonv2.Unmarshal(body, &status) != nil || status.Message == "" {
			status.Message = http.StatusText(resp.StatusCode)
		}
		return code, &statusError{code: resp.StatusCode, message: status.Message}
	}
	if err := jsonv2.Unmarshal(body, into); err != nil {
		return code, fmt.Errorf("decoding Clusterpedia's answer: %w", err)
	}
	return code, nil
}

const (
	// maxAnswer is the most bytes of one answer: the largest page, of objects of half a megabyte each.
	maxAnswer = 128 << 20
	// maxAtOnce is the largest buffer that is made because the server says that it will be filled.
	maxAtOnce = 4 << 20
)

// errTooLarge is the error of an answer that is larger than is read.
var errTooLarge = fmt.Errorf("the answer is larger than %d bytes", maxAnswer)

// readAll reads a body of so many bytes at most, into one buffer of the right size where the server told it, and that
// is a usual one.
func readAll(resp *http.Response, most int64) ([]byte, error) {
	if resp.ContentLength > most {
		return nil, errTooLarge
	}
	if resp.ContentLength <= 0 || resp.ContentLength > maxAtOnce {
		body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
		if int64(len(body)) > most {
			return nil, errTooLarge
		}
		return body, err
	}
	body := make([]byte, resp.ContentLength)
	_, err := io.ReadFull(resp.Body, body)
	return body, err
}

// statusError is an answer that is not 200.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d: %s", e.code, e.message) }

// storeError says what a failed request means to the one who asked.
func storeError(q *Query, err error) error {
	if errors.Is(err, context.Canceled) || errors.As(err, new(*panics.Error)) {
		return err
	}
	var told *model.Error
	if errors.As(err, &told) {
		return err
	}
	e := &model.Error{Code: model.CodeUnavailable, Message: "the read store does not answer", Retryable: true, Err: err}
	if len(q.Clusters) == 1 {
		e.Instance, e.Cluster, _ = ParseCluster(q.Clusters[0])
	}
	what := "these kinds"
	if len(q.GVRs) == 1 {
		what = q.GVRs[0].GroupResource().String()
	}
	var status *statusError
	switch {
	case errors.Is(err, upstream.ErrOpen):
		e.Message = "the read store has not answered lately; it is asked again in a few seconds"
	case errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = model.CodeTimeout, "the read store did not answer in time"
	case errors.Is(err, errTooLarge):
		e.Code, e.Retryable, e.Message = model.CodeLimitExceeded, false, fmt.Sprintf("the read store gives more than %d MiB: ask for fewer at a time", maxAnswer>>20)
	case errors.As(err, &status) && status.code == http.StatusNotFound:
		e.Code, e.Message = model.CodeNotSynced, fmt.Sprintf("the read store does not hold %s yet", what)
	case errors.As(err, &status) && status.code == http.StatusBadRequest:
		e.Code, e.Message = model.CodeNotSynced, "the read store does not know this cluster yet"
	}
	return e
}
