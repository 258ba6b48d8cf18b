package pedia

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// clusterAnnotation is where Clusterpedia records the cluster of a row.
const clusterAnnotation = "shadow.clusterpedia.io/cluster-name"

// API runs statements through Clusterpedia's API, whatever its storage does with them: PostgreSQL executes them where
// the gate is open.
type API struct {
	http  *http.Client
	base  *url.URL
	guard *guard[*envelope]
}

// NewAPI makes an executor of one Clusterpedia API server. Each request ends after timeout at the latest.
func NewAPI(cfg *rest.Config, timeout time.Duration) (*API, error) {
	cfg = rest.CopyConfig(cfg)
	// Compressing costs the API server more than it saves on a short network path.
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
	c := &API{http: httpClient, base: base}
	c.guard = newGuard[*envelope](nameOfAPI, timeout, c.trial)
	return c, nil
}

// nameOfAPI is the name of Clusterpedia's API among the upstreams.
const nameOfAPI = "clusterpedia"

// Name is clusterpedia.
func (*API) Name() string { return nameOfAPI }

// Check finds nothing: the probe shows what the API server's storage does with conditions.
func (*API) Check(context.Context) error { return nil }

// Exact is false: with its gate closed, Clusterpedia ignores conditions.
func (*API) Exact() bool { return false }

// trial requests one row of a kind with few rows.
func (c *API) trial(ctx context.Context) error {
	r := newRequest([]schema.GroupVersionResource{probed}, nil, 1, true)
	_, err := c.attempt(ctx, c.address(r), r.label())
	return err
}

func (c *API) address(r request) string {
	u := *c.base
	u.Path, u.RawQuery = r.path(), r.values.Encode()
	return u.String()
}

// basePath is the root of the API; the resources of all clusters are below it.
const basePath = "/apis/clusterpedia.io/v1beta1"

// resourcePath is the path of a resource.
func resourcePath(gvr schema.GroupVersionResource) string {
	if gvr.Group == "" {
		return basePath + "/resources/api/" + gvr.Version + "/" + gvr.Resource
	}
	return basePath + "/resources/apis/" + gvr.Group + "/" + gvr.Version + "/" + gvr.Resource
}

// send makes a request.
func (c *API) send(ctx context.Context, r request) (*envelope, error) {
	address := c.address(r)
	return c.guard.run(ctx, address, r.label(), func(ctx context.Context) (*envelope, error) { return c.attempt(ctx, address, r.label()) })
}

// attempt makes a request once.
func (c *API) attempt(ctx context.Context, address, label string) (*envelope, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("making a Clusterpedia request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	start := time.Now()
	env := &envelope{}
	code, err := c.do(req, env)
	observe(nameOfAPI, label, code, time.Since(start))
	if err != nil {
		return nil, err
	}
	return env, nil
}

func (c *API) do(req *http.Request, into any) (code string, err error) {
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
	// maxAnswer bounds the bytes of one answer: the largest page, of objects of half a megabyte each.
	maxAnswer = 128 << 20
	// maxAtOnce is the largest buffer that is allocated by Content-Length alone.
	maxAtOnce = 4 << 20
)

// errTooLarge is the error for an answer beyond maxAnswer.
var errTooLarge = fmt.Errorf("the answer is larger than %d bytes", maxAnswer)

// readAll reads a body of at most so many bytes, into one buffer of the right size where Content-Length gives a usual
// size.
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

// statusError is a response other than 200.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string { return fmt.Sprintf("%d: %s", e.code, e.message) }

// Run makes the requests for a statement at the same time, and retries them where that may help, within one deadline.
// Callers that run the same statement at the same time as the same principal share the requests, and the bytes of rows.
func (c *API) Run(ctx context.Context, s *sql.Statement) (*Answer, error) {
	all, err := requestsOf(s)
	if err != nil {
		return nil, err
	}
	answers := make([]*envelope, len(all))
	var g errgroup.Group // each request has a deadline; the other is not canceled, because others may share it
	for i, r := range all[1:] {
		g.Go(panics.Guard(func() (err error) {
			answers[i+1], err = c.send(ctx, r)
			return err
		}))
	}
	answers[0], err = c.send(ctx, all[0])
	if err := cmp.Or(err, g.Wait()); err != nil {
		return nil, err
	}
	out := &Answer{}
	if s.Total != nil {
		out.Total = answers[len(answers)-1].total()
	}
	if s.Limit == 0 {
		return out, nil
	}
	env := answers[0]
	kinds := env.kinds()
	out.Rows = make([]*sql.View, len(env.Items))
	for i, raw := range env.Items {
		out.Rows[i] = &sql.View{Row: sql.Row{Raw: raw}}
		if err := locate(out.Rows[i], s.Query.GVRs, s.Query.Clusters, kinds); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Holds requests one row under a condition.
func (c *API) Holds(ctx context.Context, condition string, params ...any) (bool, error) {
	r := newRequest([]schema.GroupVersionResource{probed}, nil, 1, true)
	if err := r.where(condition, params); err != nil {
		return false, err
	}
	env, err := c.send(ctx, r)
	if err != nil {
		return false, err
	}
	return len(env.Items) > 0, nil
}

// Addresses are the URLs of a statement's requests, path and query: of its rows, then of its total where that is
// another request.
func (*API) Addresses(s *sql.Statement) ([]string, error) {
	all, err := requestsOf(s)
	addresses := make([]string, len(all))
	for i, r := range all {
		addresses[i] = (&url.URL{Path: r.path(), RawQuery: r.values.Encode()}).RequestURI()
	}
	return addresses, err
}

// Timeout is the maximum duration of a statement.
func (c *API) Timeout() time.Duration { return c.guard.wait() }

// envelope is a list with undecoded items: of one kind, or of several.
type envelope struct {
	Metadata struct {
		RemainingItemCount *int64 `json:"remainingItemCount"`
	} `json:"metadata"`
	RemainingItemCount *int64 `json:"remainingItemCount"`
	ResourceTypes      []struct {
		Group    string `json:"group"`
		Version  string `json:"version"`
		Kind     string `json:"kind"`
		Resource string `json:"resource"`
	} `json:"resourceTypes"`
	Items []jsonv2.Raw `json:"items"`
}

func (e *envelope) total() *int {
	remaining := e.Metadata.RemainingItemCount
	if remaining == nil {
		remaining = e.RemainingItemCount
	}
	if remaining == nil {
		return nil
	}
	total := int(*remaining) + len(e.Items)
	return &total
}

// request is a request to the store for a query.
type request struct {
	gvrs   []schema.GroupVersionResource
	values url.Values
}

// requestsOf makes the requests for a statement: one, or two where the rows and the total are of different conditions.
func requestsOf(s *sql.Statement) ([]request, error) {
	var all []request
	together := s.Total != nil && s.Total.Equal(s.Filter)
	if s.Limit > 0 {
		r := newRequest(s.Query.GVRs, s.Query.Clusters, s.Limit, s.Query.MetadataOnly)
		if s.OrderBy != "" {
			r.values.Set("orderby", s.OrderBy)
		}
		if together {
			r.values.Set("withRemainingCount", "true")
		}
		if err := r.where(s.Where, s.Params); err != nil || together || s.Total == nil {
			return []request{r}, err
		}
		all = append(all, r)
	}
	// Clusterpedia counts what remains after at least one row.
	total := newRequest(s.Query.GVRs, s.Query.Clusters, 1, true)
	total.values.Set("withRemainingCount", "true")
	return append(all, total), total.where(s.Total.Where, s.Total.Params)
}

// where adds a condition to a request.
func (r request) where(condition string, params []any) error {
	if condition == "" {
		return nil
	}
	r.values.Set("whereSQLStatement", condition)
	if len(params) == 0 {
		return nil
	}
	encoded, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encoding query parameters: %w", err)
	}
	r.values.Set("whereSQLJSONParams", base64.StdEncoding.EncodeToString(encoded))
	return nil
}

// newRequest makes a request for kinds and clusters with a number of rows.
func newRequest(gvrs []schema.GroupVersionResource, clusters []string, limit int, metadataOnly bool) request {
	v := url.Values{"limit": {strconv.Itoa(limit)}, "withRemainingCount": {"false"}}
	if len(clusters) > 0 {
		v.Set("clusters", strings.Join(clusters, ","))
	}
	if metadataOnly {
		v.Set("onlyMetadata", "true")
	}
	if len(gvrs) > 1 {
		names := make([]string, len(gvrs))
		for i, gvr := range gvrs {
			names[i] = gvr.Group + "/" + gvr.Version + "/" + gvr.Resource
		}
		v.Set("resources", strings.Join(names, ","))
	}
	return request{gvrs, v}
}

// path is the path of one kind, or of several at once.
func (r request) path() string {
	if len(r.gvrs) == 1 {
		return resourcePath(r.gvrs[0])
	}
	return basePath + "/collectionresources/any"
}

// label names the request in metrics.
func (r request) label() string {
	if len(r.gvrs) == 1 {
		return r.gvrs[0].Resource
	}
	return "several"
}

// kinds maps the types in an answer of several kinds to their resources.
func (e *envelope) kinds() map[metav1.TypeMeta]schema.GroupVersionResource {
	out := make(map[metav1.TypeMeta]schema.GroupVersionResource, len(e.ResourceTypes))
	for _, t := range e.ResourceTypes {
		gv := schema.GroupVersion{Group: t.Group, Version: t.Version}
		out[metav1.TypeMeta{APIVersion: gv.String(), Kind: t.Kind}] = gv.WithResource(t.Resource)
	}
	return out
}

// locate finds the kind and the cluster of a row among those requested.
func locate(v *sql.View, gvrs []schema.GroupVersionResource, clusters []string, kinds map[metav1.TypeMeta]schema.GroupVersionResource) error {
	if len(gvrs) == 1 {
		v.GVR = gvrs[0]
	} else {
		gvr, ok := kinds[metav1.TypeMeta{APIVersion: v.Head().APIVersion, Kind: v.Head().Kind}]
		if !ok || !slices.Contains(gvrs, gvr) {
			return fmt.Errorf("a row of kind %s %s came for a query of others", v.Head().APIVersion, v.Head().Kind)
		}
		v.GVR = gvr
	}
	if len(clusters) == 1 {
		v.Cluster = clusters[0]
	} else {
		v.Cluster = v.Head().Metadata.Annotations[clusterAnnotation]
		if !slices.Contains(clusters, v.Cluster) {
			return fmt.Errorf("a row of cluster %q came for a query of others", v.Cluster)
		}
	}
	return nil
}
