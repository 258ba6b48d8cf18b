package globalmanagement

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

const (
	// pullTimeout bounds one request for a set.
	pullTimeout = 30 * time.Second
	// maxSet is the largest set that is read, in bytes.
	maxSet = 16 << 20
)

// pullClient asks a source for all its bindings.
type pullClient struct {
	secrets Secrets
	source  string
	url     *url.URL
	caFile  string
}

func newPullClient(secrets Secrets, o ResyncOptions) (*pullClient, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("the address of global management must be a URL such as https://management.example.com/kairship/bindings")
	}
	// Whoever could answer in its place could grant themselves any role.
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, errors.New("the address of global management must be https; http is for this machine alone")
	}
	c := &pullClient{secrets: secrets, source: o.Source, url: u, caFile: o.CAFile}
	_, err = c.authorities()
	return c, err
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// authorities returns those of the file; nil for those of the machine.
func (c *pullClient) authorities() (*x509.CertPool, error) {
	if c.caFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.caFile)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authorities of global management: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("the file %s holds no certificate", c.caFile)
	}
	return pool, nil
}

// fetch asks for the set. The request is signed as events are, with its path and query in place of a body.
func (c *pullClient) fetch(ctx context.Context, now time.Time) (*event.Set, error) {
	ctx, cancel := context.WithTimeout(ctx, pullTimeout)
	defer cancel()
	secrets, err := c.secrets.Secrets(ctx)
	if err != nil {
		return nil, refuse(reasonNoSecret, "the request cannot be signed").because(err)
	}
	pool, err := c.authorities()
	if err != nil {
		return nil, refuse(reasonUnreachable, "the certificate of the source cannot be checked").because(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url.String(), nil)
	if err != nil {
		return nil, refuse(reasonUnreachable, "the source cannot be asked").because(err)
	}
	timestamp := strconv.FormatInt(now.Unix(), 10)
	request.Header.Set("Accept", "application/json")
	request.Header.Set(HeaderTimestamp, timestamp)
	for _, secret := range secrets {
		request.Header.Add(HeaderSignature, Sign(secret, timestamp, []byte(c.url.RequestURI())))
	}
	// Requests are minutes apart: keeping connections is of no use.
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		TLSClientConfig:        &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12},
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
	}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, refuse(reasonUnreachable, "the source does not answer").because(err)
	}
	defer func() { _ = response.Body.Close() }()
	return c.read(response)
}

// read reads an answer.
func (c *pullClient) read(response *http.Response) (*event.Set, error) {
	if response.StatusCode != http.StatusOK {
		return nil, refuse(reasonAnswer, "the source answers with status %d; it must be 200, without a redirect", response.StatusCode)
	}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, refuse(reasonAnswer, "the Content-Type of the answer must be application/json")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxSet+1))
	if err != nil {
		return nil, refuse(reasonUnreachable, "the answer of the source did not arrive whole").because(err)
	}
	if len(body) > maxSet {
		return nil, refuse(reasonTooLarge, "the answer of the source has more than %d bytes", maxSet)
	}
	set, err := event.DecodeSet(body)
	if err != nil {
		return nil, err
	}
	if set.Source != c.source {
		return nil, refuse(reasonSource, "the answer is of source %q; it must be %q", set.Source, c.source)
	}
	return set, nil
}
