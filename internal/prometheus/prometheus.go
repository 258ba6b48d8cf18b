// Package prometheus asks Prometheus how the numbers of member clusters went over time, as Karmada exports them. What is
// asked is written here: callers name an instance, members and a span of time, and no PromQL. It knows nothing of the
// graph.
//
// The other side is not trusted with more than its answer: that is bounded in time and bytes, no redirect of it is
// followed, and none of its text is passed on.
package prometheus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"k8s.io/client-go/transport"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Config is where Prometheus is, and how it is asked.
type Config struct {
	// URL is the server of all instances that URLs does not name; empty for none.
	URL string
	// URLs are servers of one instance each, by its name.
	URLs map[string]string
	// InstanceLabel is the label whose value is the instance, in the server at URL.
	InstanceLabel string
	// TokenFile holds the bearer token for all servers, and is read again as it changes; empty for none.
	TokenFile string
	// CA is the certificates that those of the servers have to come from, PEM; empty for those of the system.
	CA []byte
	// Timeout is the longest that one answer may take. Whoever asked waits for upstream.Silence at most, and finds it when they
	// ask again.
	Timeout time.Duration
	Logger  *slog.Logger
	// Now is the clock; nil for that of the machine.
	Now func() time.Time
}

const (
	// failures in a row open the circuit of a server, for pause.
	failures = 3
	pause    = 10 * time.Second
	// atOnce is how many requests are under way at once; others wait, and their wait is part of their timeout.
	atOnce = 8
	// queueing is how much longer than its own time a request may take, with its wait for others.
	queueing = time.Second
)

// Client asks for the metrics of instances. A nil Client has no server to ask.
type Client struct {
	shared  *server
	own     map[string]*server
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time

	transport http.RoundTripper
	slots     chan struct{}
	circuits  *upstream.Breakers
	flight    upstream.Flight[Members]
	cache     cache
}

// server is one Prometheus.
type server struct {
	endpoint string
	// label tells the instances in it apart; empty for that of one instance.
	label string
}

var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// New makes a client; it sends nothing yet. Its errors name the flag that is wrong.
func New(cfg Config) (*Client, error) {
	c := &Client{own: map[string]*server{}, timeout: cfg.Timeout, log: cfg.Logger, now: cfg.Now, slots: make(chan struct{}, atOnce)}
	if c.now == nil {
		c.now = time.Now
	}
	if !labelName.MatchString(cfg.InstanceLabel) {
		return nil, fmt.Errorf("--prometheus-instance-label is %q, which is no name of a label: it may have letters, digits and _, and no digit first", cfg.InstanceLabel)
	}
	var err error
	if cfg.URL != "" {
		if c.shared, err = newServer(cfg.URL, cfg.InstanceLabel, cfg.TokenFile != ""); err != nil {
			return nil, fmt.Errorf("--prometheus-url is %w", err)
		}
	}
	for instance, address := range cfg.URLs {
		if c.own[instance], err = newServer(address, "", cfg.TokenFile != ""); err != nil {
			return nil, fmt.Errorf("--prometheus-url of instance %q is %w", instance, err)
		}
	}
	if c.transport, err = newTransport(cfg); err != nil {
		return nil, err
	}
	c.circuits = upstream.NewBreakers(upstream.Trip{Failures: failures, Pause: pause, Down: down, Changed: func(address string, open bool) {
		if open {
			c.log.Warn("Prometheus does not answer; it is not asked for a while", "address", address, "pause", pause)
		} else {
			c.log.Info("Prometheus answers again", "address", address)
		}
	}})
	return c, nil
}

func newServer(address, label string, token bool) (*server, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("no address such as https://prometheus.example.org or http://prometheus.monitoring:9090/prefix")
	case u.User != nil:
		return nil, errors.New("an address with a user or a password in it; give a token in --prometheus-token-file instead")
	case token && u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("%s, which is not https: whoever is on the way would read the token of --prometheus-token-file", u.Redacted())
	}
	return &server{endpoint: u.JoinPath("api/v1/query_range").String(), label: label}, nil
}

// newTransport is how all servers are asked.
func newTransport(cfg Config) (http.RoundTripper, error) {
	base := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: cfg.Timeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: atOnce,
		IdleConnTimeout:     time.Minute,
		// The answer is read to its end, or the connection is closed.
		MaxResponseHeaderBytes: 64 << 10,
	}
	if len(cfg.CA) > 0 {
		base.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !base.TLSClientConfig.RootCAs.AppendCertsFromPEM(cfg.CA) {
			return nil, errors.New("--prometheus-ca-file holds no certificate in PEM")
		}
	}
	if cfg.TokenFile == "" {
		return base, nil
	}
	return transport.TokenSourceWrapTransport(transport.NewCachedFileTokenSource(cfg.TokenFile))(base), nil
}

// serverOf is the server with the metrics of an instance; nil for none.
func (c *Client) serverOf(instance string) *server {
	if c == nil {
		return nil
	}
	if own := c.own[instance]; own != nil {
		return own
	}
	return c.shared
}

// Members are the values of members, by their names.
type Members map[string]Values

// Values are the values of each metric that has one in a window, at each of its points; NaN where there is none. They are
// shared: nobody may change them.
type Values map[model.MetricName][]float64

// Total are the metrics of all members of an instance together. Errors are a *model.Error for the viewer.
func (c *Client) Total(ctx context.Context, scope rbac.Scope, instance string, w Window) (Values, error) {
	if !scope.Whole(instance) {
		return nil, &model.Error{Code: model.CodeForbidden, Instance: instance,
			Message: "These numbers are of all namespaces of the instance: they are shown to those who have a role on all of it."}
	}
	found, err := c.ask(ctx, instance, nil, w)
	return found[""], err
}

// Of are the metrics of some members of an instance. Errors are a *model.Error for the viewer.
func (c *Client) Of(ctx context.Context, scope rbac.Scope, instance string, members []string, w Window) (Members, error) {
	if !scope.Instance(instance) || len(members) == 0 {
		return nil, nil
	}
	return c.ask(ctx, instance, members, w)
}

// ask returns the values of members; of all together, under the empty name, where none is named.
func (c *Client) ask(ctx context.Context, instance string, members []string, w Window) (Members, error) {
	s := c.serverOf(instance)
	if s == nil {
		return nil, &model.Error{Code: model.CodeUnavailable, Instance: instance,
			Message: "No Prometheus is configured for this instance. Start Kairship's API server with --prometheus-url, and have that Prometheus scrape Karmada."}
	}
	query := promQL(s.label, instance, members)
	key := strings.Join([]string{s.endpoint, query, w.String()}, "\n")
	if known, ok := c.cache.get(key, c.now()); ok {
		return known, nil
	}
	found, err := upstream.Await(ctx, "prometheus "+s.endpoint, min(c.timeout, upstream.Silence), func(ctx context.Context, _ func()) (Members, error) {
		return c.flight.Do(ctx, key, c.timeout+queueing, func(ctx context.Context) (Members, error) {
			found, err := upstream.Through(ctx, c.circuits.Of(s.endpoint), func(ctx context.Context) (Members, error) {
				return c.inTurn(ctx, func(ctx context.Context) (Members, error) { return c.read(ctx, s, instance, query, members, w) })
			})
			if err == nil {
				c.cache.put(key, found, w, c.now())
			}
			return found, err
		})
	})
	if err != nil && ctx.Err() == nil {
		return nil, c.told(instance, err)
	}
	return found, err
}

// inTurn makes a request when fewer than atOnce are under way. Its deadline is its own: one that passes says something of
// the server, which the wait for others does not.
func (c *Client) inTurn(ctx context.Context, request func(context.Context) (Members, error)) (Members, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", upstream.ErrNotMade, ctx.Err())
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return request(ctx)
}
