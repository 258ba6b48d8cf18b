package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Limits of a server's answers. It is as untrusted as the kubeconfig that names it.
const (
	// MaxAnswer is the most bytes of one answer that is not a watch: a page of usual objects is far below.
	MaxAnswer = 64 << 20
	// MaxEvent is the most bytes of one event of a watch: ten times what an API server stores of one object.
	MaxEvent = 16 << 20
	// MaxWatch is the most bytes of one watch; clients that need more start another one.
	MaxWatch = 512 << 20
	// MaxPages is the most pages of one list: half a million objects in pages of 500.
	MaxPages = 1000
	// maxHeader is the most bytes of the header of an answer.
	maxHeader = 1 << 20
)

// most holds the limits; tests lower them.
var most = struct{ answer, event, watch int64 }{MaxAnswer, MaxEvent, MaxWatch}

// ErrTooLarge is the error of an answer, of an event of a watch or of a list that exceeds its limit.
var ErrTooLarge = errors.New("the server sends more than is read of it")

// RedirectError is the error of a redirect. Following it would send the credential, and the name of the person who
// asks, to whatever address the server names.
type RedirectError struct{ Status int }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("the server redirects to another address (%d %s), which is not followed", e.Status, http.StatusText(e.Status))
}

// Redirected says whether an error is that of a redirect that was not followed.
func Redirected(err error) bool { return errors.As(err, new(*RedirectError)) }

// RefuseRedirects is a transport that makes an error of every redirect, so that no client above it can follow one.
func RefuseRedirects(next http.RoundTripper) http.RoundTripper { return refusing{next} }

type refusing struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if err := redirect(res); err != nil {
		return nil, err
	}
	return res, nil
}

// WrappedRoundTripper is for client-go, which looks for the transport below.
func (t refusing) WrappedRoundTripper() http.RoundTripper { return t.next }

// redirect returns the error of a redirect; nil for any other answer.
func redirect(res *http.Response) error {
	if res.StatusCode < 300 || res.StatusCode > 399 || res.StatusCode == http.StatusNotModified {
		return nil
	}
	_ = res.Body.Close()
	return &RedirectError{res.StatusCode}
}

type passedOn struct{}

// PassOn marks requests whose answers are passed on unchanged, redirects and any size included. It is for the proxy,
// which follows no redirect and keeps nothing of an answer.
func PassOn(ctx context.Context) context.Context { return context.WithValue(ctx, passedOn{}, true) }

type atMost struct{}

// AtMost marks requests of whose answers at most so many bytes are read, fewer than MaxAnswer: for what is kept while others are read.
func AtMost(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, atMost{}, bytes)
}

// mostOf is how many bytes are read of an answer that is not a watch.
func mostOf(r *http.Request) int64 {
	if bytes, ok := r.Context().Value(atMost{}).(int64); ok {
		return min(bytes, most.answer)
	}
	return most.answer
}

func passed(r *http.Request) bool { return r.Context().Value(passedOn{}) != nil }

// watches reports whether a request is a watch.
func watches(r *http.Request) bool {
	switch r.URL.Query().Get("watch") {
	case "", "0", "false":
		return false
	}
	return true
}

const protobuf = "application/vnd.kubernetes.protobuf"

// inFrames reports whether events are length-prefixed: the client bounds these itself.
func inFrames(r *http.Request, res *http.Response) bool {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return err == nil && media == protobuf && strings.Contains(r.Header.Get("Accept"), protobuf)
}

// boundedBody limits how much of an answer is read.
type boundedBody struct {
	io.ReadCloser
	left int64
	// values bounds each value of the JSON that is read; nil for no such bound.
	values *values
}

// Read reads from the server.
func (b *boundedBody) Read(p []byte) (int, error) {
	// One byte more, to tell an answer of just that size from a larger one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 || b.values != nil && !b.values.take(p[:n]) {
		b.left = -1
		return 0, ErrTooLarge
	}
	return n, err
}

// values follows JSON far enough to tell where one value of many ends and the next begins.
type values struct {
	depth           int
	size            int64
	quoted, escaped bool
}

// take reads on; false when one value exceeds the limit of an event.
func (v *values) take(p []byte) bool {
	for _, c := range p {
		v.size++
		switch {
		case v.escaped:
			v.escaped = false
		case v.quoted:
			v.quoted, v.escaped = c != '"', c == '\\'
		case c == '"':
			v.quoted = true
		case c == '{' || c == '[':
			v.depth++
		case c == '}' || c == ']':
			if v.depth--; v.depth <= 0 {
				v.depth, v.size = 0, 0
			}
		}
		if v.size > most.event {
			return false
		}
	}
	return true
}

// Pages counts the pages of a list, each time that it is read, so that it ends even if the server always says that
// there is more. Its zero value is ready.
type Pages struct{ read int }

// Next is called before each page, with the continue token of the page before; empty for the first one.
func (p *Pages) Next(following string) error {
	if following == "" {
		p.read = 0
	}
	if p.read++; p.read > MaxPages {
		return fmt.Errorf("a list of more than %d pages: %w", MaxPages, ErrTooLarge)
	}
	return nil
}
