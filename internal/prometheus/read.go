package prometheus

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/upstream"
)

// What an answer may have in bytes: for itself, for each series, and for each of its points.
const (
	answerBytes = 64 << 10
	seriesBytes = 1 << 10
	pointBytes  = 64
)

// mostBytes is how many bytes are read of an answer.
func mostBytes(members int, w Window) int64 {
	return answerBytes + int64(max(members, 1)*len(exported)*(seriesBytes+w.Points*pointBytes))
}

// failure is why there is no answer that can be used.
type failure struct {
	// why is for people: it says what to do, and quotes nothing of the other side.
	why string
	// down says that the server does not work, as opposed to refusing one query.
	down bool
	err  error
}

func (f *failure) Error() string {
	if f.err != nil {
		return f.why + ": " + f.err.Error()
	}
	return f.why
}

func (f *failure) Unwrap() error { return f.err }

func down(err error) bool {
	var f *failure
	return !errors.As(err, &f) || f.down
}

// told is an error for the viewer, and for the log.
func (c *Client) told(instance string, err error) error {
	c.log.Debug("no metrics from Prometheus", "instance", instance, "error", err)
	out := &model.Error{Code: model.CodeUnavailable, Instance: instance, Retryable: true, Err: err}
	var f *failure
	switch {
	case errors.As(err, &f):
		out.Message = f.why
	case errors.Is(err, upstream.ErrOpen):
		out.Message = fmt.Sprintf("Prometheus has not answered lately, and is asked again in at most %s.", pause)
	case errors.Is(err, context.DeadlineExceeded):
		out.Code = model.CodeTimeout
		out.Message = fmt.Sprintf("Prometheus did not answer within %s; ask again in a moment, or for a shorter range.", min(c.timeout, upstream.Silence))
	default:
		return fmt.Errorf("asking Prometheus: %w", err)
	}
	return out
}

// read asks a server.
func (c *Client) read(ctx context.Context, s *server, instance, query string, members []string, w Window) (Members, error) {
	form := url.Values{
		"query": {query}, "start": {strconv.FormatInt(w.Start.Unix(), 10)}, "end": {strconv.FormatInt(w.end().Unix(), 10)},
		"step": {strconv.FormatInt(int64(w.Step/time.Second), 10)}, "timeout": {c.timeout.String()},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	client := http.Client{
		Transport: telemetry.Upstream(telemetry.TargetPrometheus, instance)(c.transport),
		// The token is for the address that was configured, not for one that it redirects to.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, unreached(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, refused(res)
	}
	found, err := decode(&bounded{res.Body, mostBytes(len(members), w)}, members, w)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return found, err
}

// unreached is the failure of a request that was not answered.
func unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := "Prometheus cannot be reached: have --prometheus-url checked."
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		why = "The certificate of Prometheus is not trusted: have --prometheus-ca-file checked."
	}
	return &failure{why: why, down: true, err: err}
}

// refused is the failure of an answer that is none.
func refused(res *http.Response) error {
	f := &failure{err: errors.New(res.Status)}
	code := res.StatusCode
	switch {
	case code >= 300 && code < 400:
		f.why = fmt.Sprintf("Prometheus redirects (%d), which is not followed: have --prometheus-url give the address that it redirects to.", code)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		f.why = fmt.Sprintf("Prometheus refuses Kairship (%d): have --prometheus-token-file checked, and what its token may do.", code)
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		f.why = fmt.Sprintf("There is no API of Prometheus at that address (%d): have the path in --prometheus-url checked.", code)
	case code == http.StatusBadRequest || code == http.StatusUnprocessableEntity:
		f.why = fmt.Sprintf("Prometheus refuses the query (%d); ask for a shorter range, or have its log looked at.", code)
	default:
		f.why, f.down = fmt.Sprintf("Prometheus does not work (%d); ask again later.", code), code >= http.StatusInternalServerError
	}
	return f
}

// errTooLarge is the error of an answer that is larger than what was asked for can be.
var errTooLarge = errors.New("the answer is too large")

// bounded is a body of which so many bytes are read.
type bounded struct {
	io.Reader
	left int64
}

// Read reads from the server.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// loopback reports whether a host name means this machine, where nobody is on the way.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// asked reports whether a member was asked for; all together are the empty name.
func asked(members []string, name string) bool {
	return len(members) == 0 && name == "" || slices.Contains(members, name)
}
