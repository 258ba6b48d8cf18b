// Package pedia is the read plane: a Query becomes one request to Clusterpedia and a typed list. It is
// the only place that builds a Clusterpedia URL. It does not know what the rows mean.
package pedia

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/wire"
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
	gate    gateWatch
}

// New makes a client. Each request ends after timeout at the latest.
func New(cfg *rest.Config, timeout time.Duration) (*Client, error) {
	cfg = rest.CopyConfig(cfg)
	// Compressing costs the API server more than the bytes cost the network beside it.
	cfg.DisableCompression = true
	cfg.UserAgent = "kairship-apiserver"
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the HTTP client for Clusterpedia: %w", err)
	}
	base, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("reading the address of Clusterpedia: %w", err)
	}
	return &Client{http: httpClient, base: base, timeout: timeout}, nil
}

// List is the rows of a query.
type List[T any] struct {
	Rows []T
	// Full says that the limit was reached: more rows may follow.
	Full bool
	// Total is how many rows there are in all from the query's start; nil when it was not counted.
	Total *int

	keys []Key
}

// Decode makes a row of raw JSON; the second result is where the row stands, its cluster left out. The
// raw bytes are the decoder's to keep.
type Decode[T any] func(cluster string, raw []byte) (T, Key, error)

// envelope is what a list looks like from outside.
type envelope struct {
	Metadata struct {
		RemainingItemCount *int64 `json:"remainingItemCount"`
	} `json:"metadata"`
	Items []wire.Raw `json:"items"`
}

// Fetch makes the query's one request. Rows that the query did not ask for are dropped.
func Fetch[T any](ctx context.Context, c *Client, q Query, decode Decode[T]) (*List[T], error) {
	if q.Scope.Empty() {
		return nil, access.ErrForbidden
	}
	var env envelope
	if err := c.get(ctx, &q, &env); err != nil {
		return nil, err
	}
	list := &List[T]{Rows: make([]T, 0, len(env.Items)), Full: len(env.Items) >= q.Limit}
	if q.Count && env.Metadata.RemainingItemCount != nil {
		total := int(*env.Metadata.RemainingItemCount) + len(env.Items)
		list.Total = &total
	}
	for _, raw := range env.Items {
		cluster, err := rowCluster(&q, raw)
		if err != nil {
			return nil, storeError(&q, err)
		}
		row, key, err := decode(cluster, raw)
		if err != nil {
			return nil, storeError(&q, fmt.Errorf("decoding a row: %w", err))
		}
		key.Cluster = cluster
		if !q.admits(key) {
			return nil, errGate
		}
		list.Rows, list.keys = append(list.Rows, row), append(list.keys, key)
	}
	return list, nil
}

// FetchKeys reads the rows at the given keys, in as few requests as their number allows: one for up to
// 200. Keys without a row are left out of the result.
func FetchKeys[T any](ctx context.Context, c *Client, q Query, keys []Key, decode Decode[T]) (map[Key]T, error) {
	out := make(map[Key]T, len(keys))
	for chunk := range slices.Chunk(keys, maxNames) {
		wanted := make(map[Key]bool, len(chunk))
		clusters, namespaces, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, k := range chunk {
			wanted[k] = true
			clusters[k.Cluster], namespaces[k.Namespace], names[k.Name] = true, true, true
		}
		q.Clusters, q.Names = sortedKeys(clusters), sortedKeys(names)
		// Cluster-scoped rows have no namespace to ask for.
		if delete(namespaces, ""); len(namespaces) > 0 {
			q.Namespaces = sortedKeys(namespaces)
		}
		q.Keys, q.Limit = chunk, len(chunk)*surplus+1
		list, err := Fetch(ctx, c, q, decode)
		if err != nil {
			return nil, err
		}
		if list.Full {
			return nil, errGate
		}
		for i, key := range list.keys {
			if wanted[key] {
				out[key] = list.Rows[i]
			}
		}
	}
	return out, nil
}

// surplus is how many rows of the product of names, namespaces and clusters are accepted for each row
// wanted, where the store ignores the SQL condition that leaves them out.
const surplus = 4

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// rowCluster tells whose row it is. One cluster's query needs no look at the annotation.
func rowCluster(q *Query, raw []byte) (string, error) {
	if len(q.Clusters) == 1 {
		return q.Clusters[0], nil
	}
	var row struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := wire.Unmarshal(raw, &row); err != nil {
		return "", fmt.Errorf("decoding a row: %w", err)
	}
	cluster := row.Metadata.Annotations[clusterAnnotation]
	if !slices.Contains(q.Clusters, cluster) {
		return "", fmt.Errorf("a row of cluster %q came for a query of others", cluster)
	}
	return cluster, nil
}

func (c *Client) get(ctx context.Context, q *Query, into any) error {
	values, err := q.values()
	if err != nil {
		return err
	}
	if err := c.send(ctx, q.GVR, values, into); err != nil {
		return storeError(q, err)
	}
	return nil
}

// send makes one request for a resource.
func (c *Client) send(ctx context.Context, gvr schema.GroupVersionResource, values url.Values, into any) error {
	u := *c.base
	u.Path, u.RawQuery = resourcePath(gvr), values.Encode()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return fmt.Errorf("making a Clusterpedia request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	start := time.Now()
	code, err := c.do(req, into)
	observe(gvr.Resource, code, time.Since(start))
	return err
}

func (c *Client) do(req *http.Request, into any) (code string, err error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return "error", fmt.Errorf("asking Clusterpedia: %w", err)
	}
	defer resp.Body.Close()
	code = strconv.Itoa(resp.StatusCode)
	body, err := readAll(resp)
	if err != nil {
		return code, fmt.Errorf("reading Clusterpedia's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		var status metav1.Status
		if wire.Unmarshal(body, &status) != nil || status.Message == "" {
			status.Message = http.StatusText(resp.StatusCode)
		}
		return code, &statusError{code: resp.StatusCode, message: status.Message}
	}
	if err := wire.Unmarshal(body, into); err != nil {
		return code, fmt.Errorf("decoding Clusterpedia's answer: %w", err)
	}
	return code, nil
}

// readAll reads a body into one buffer of the right size where the server told it.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.ContentLength <= 0 {
		return io.ReadAll(resp.Body)
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

// errGate is the error of a query that the store did not understand in full.
var errGate = &model.Error{Code: model.CodeUnavailable,
	Message: "the read store ignores SQL conditions: start clusterpedia-apiserver with --feature-gates=AllowParameterizedSQLQuery=true, or ask for first pages without nameContains"}

// storeError says what a failed request means to the one who asked.
func storeError(q *Query, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := &model.Error{Code: model.CodeUnavailable, Message: "the read store does not answer", Retryable: true, Err: err}
	if len(q.Clusters) == 1 {
		e.Instance, e.Cluster, _ = ParseCluster(q.Clusters[0])
	}
	var status *statusError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = model.CodeTimeout, "the read store did not answer in time"
	case errors.As(err, &status) && status.code == http.StatusNotFound:
		e.Code, e.Message = model.CodeNotSynced, fmt.Sprintf("the read store does not hold %s yet", q.GVR.GroupResource())
	case errors.As(err, &status) && status.code == http.StatusBadRequest:
		e.Code, e.Message = model.CodeNotSynced, "the read store does not know this cluster yet"
	}
	return e
}
