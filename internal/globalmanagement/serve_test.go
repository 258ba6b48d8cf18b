package globalmanagement

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/model"
)

// cut is a body that ends too early.
type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestWhatIsNotASignedEventIsRefusedByName(t *testing.T) {
	b := newBench(t)
	good := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	stamp := func(d time.Duration) string { return strconv.FormatInt(b.clock.Now().Add(d).Unix(), 10) }
	// resign signs a request anew, with a secret and at a time.
	resign := func(r *http.Request, with string, at time.Duration) {
		r.Header.Set(HeaderTimestamp, stamp(at))
		r.Header.Set(HeaderSignature, Sign([]byte(with), stamp(at), good))
	}
	// of a body other than the good one, signed well.
	of := func(text string) func() *http.Request {
		return func() *http.Request { return b.request([]byte(text)) }
	}
	for _, tt := range []struct {
		name    string
		request func() *http.Request
		change  func(*http.Request)
		status  int
		reason  reason
		code    model.Code
		field   string
	}{
		{name: "GET", change: func(r *http.Request) { r.Method = http.MethodGet }, status: 405, reason: reasonMethod, code: model.CodeBadUserInput},
		{name: "no time", change: func(r *http.Request) { r.Header.Del(HeaderTimestamp) }, status: 401, reason: reasonUnsigned, code: model.CodeUnauthenticated},
		{name: "no signature", change: func(r *http.Request) { r.Header.Del(HeaderSignature) }, status: 401, reason: reasonUnsigned, code: model.CodeUnauthenticated},
		{name: "an empty signature", change: func(r *http.Request) { r.Header.Set(HeaderSignature, " ") }, status: 401, reason: reasonUnsigned, code: model.CodeUnauthenticated},
		{name: "a time that is none", change: func(r *http.Request) { r.Header.Set(HeaderTimestamp, "now") }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "a time before 1970", change: func(r *http.Request) { r.Header.Set(HeaderTimestamp, "-1") }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "a time that overflows", change: func(r *http.Request) { r.Header.Set(HeaderTimestamp, "99999999999999999999") }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "two times", change: func(r *http.Request) { r.Header.Add(HeaderTimestamp, stamp(0)) }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "a signature of another scheme alone", change: func(r *http.Request) { r.Header.Set(HeaderSignature, "v2=abc") }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "a signature that is no number", change: func(r *http.Request) { r.Header.Set(HeaderSignature, "v1="+strings.Repeat("x", 64)) }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "half a signature", change: func(r *http.Request) { r.Header.Set(HeaderSignature, r.Header.Get(HeaderSignature)[:35]) }, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "many signatures", change: func(r *http.Request) {
			r.Header.Set(HeaderSignature, strings.Repeat(r.Header.Get(HeaderSignature)+",", maxSignatures)+r.Header.Get(HeaderSignature))
		}, status: 401, reason: reasonMalformed, code: model.CodeUnauthenticated},
		{name: "another secret", change: func(r *http.Request) { resign(r, another, 0) }, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "another body", change: func(r *http.Request) { r.Body = io.NopCloser(bytes.NewReader(append(good, ' '))) }, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "another time", change: func(r *http.Request) { r.Header.Set(HeaderTimestamp, stamp(time.Second)) }, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "time and body run into each other", change: func(r *http.Request) {
			at := stamp(0)
			r.Header.Set(HeaderTimestamp, at[:9])
			r.Body = io.NopCloser(strings.NewReader(at[9:] + "." + string(good)))
		}, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "a zero signature", change: func(r *http.Request) { r.Header.Set(HeaderSignature, "v1="+strings.Repeat("0", 64)) }, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "forged and late", change: func(r *http.Request) { resign(r, another, -time.Hour) }, status: 401, reason: reasonWrong, code: model.CodeUnauthenticated},
		{name: "late", change: func(r *http.Request) { resign(r, secret, -window-time.Second) }, status: 401, reason: reasonLate, code: model.CodeUnauthenticated},
		{name: "early", change: func(r *http.Request) { resign(r, secret, window+time.Second) }, status: 401, reason: reasonEarly, code: model.CodeUnauthenticated},
		{name: "no type of content", change: func(r *http.Request) { r.Header.Del("Content-Type") }, status: 415, reason: reasonContentType, code: model.CodeBadUserInput},
		{name: "a form", change: func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, status: 415, reason: reasonContentType, code: model.CodeBadUserInput},
		{name: "a compressed body", change: func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, status: 415, reason: reasonContentType, code: model.CodeBadUserInput},
		{name: "a body that is said to be too large", change: func(r *http.Request) { r.ContentLength = maxBody + 1 }, status: 413, reason: reasonTooLarge, code: model.CodeLimitExceeded},
		{name: "a body that turns out to be too large", change: func(r *http.Request) {
			r.ContentLength = -1
			r.Body = io.NopCloser(strings.NewReader(strings.Repeat(" ", maxBody+1)))
		}, status: 413, reason: reasonTooLarge, code: model.CodeLimitExceeded},
		{name: "a body that breaks off", change: func(r *http.Request) { r.Body = io.NopCloser(cut{}) }, status: 400, reason: reasonBodyCut, code: model.CodeBadUserInput},
		{name: "no JSON", request: of(`hello`), status: 400, reason: reasonBody, code: model.CodeBadUserInput},
		{name: "an unknown field", request: of(strings.Replace(string(good), `"role"`, `"roles"`, 1)), status: 400, reason: reasonBody, code: model.CodeBadUserInput, field: "bindings.0.roles"},
		{name: "another source", request: of(strings.Replace(string(good), b.source, "stranger", 1)), status: 403, reason: reasonSource, code: model.CodeForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := tt.request
			if request == nil {
				request = func() *http.Request { return b.request(good) }
			}
			r := request()
			// Each fails for an address of its own: how often one may is another test.
			r.RemoteAddr = "192.0.2." + strconv.Itoa(b.failures.of.Len()+1) + ":1"
			if tt.change != nil {
				tt.change(r)
			}
			before := b.metric(t, "refusals_total", "reason="+string(tt.reason))
			out := b.do(t, r)
			if out.status != tt.status || out.Error.Reason != tt.reason || out.Error.Code != tt.code || strings.Join(out.Error.Field, ".") != tt.field {
				t.Errorf("want %d %s %s %q, got %d: %s", tt.status, tt.reason, tt.code, tt.field, out.status, out.text)
			}
			if out.header.Get("Content-Type") != "application/json" || out.header.Get("Cache-Control") != "no-store" {
				t.Errorf("headers: %v", out.header)
			}
			if got := b.metric(t, "refusals_total", "reason="+string(tt.reason)) - before; got != 1 {
				t.Errorf("counted %v times", got)
			}
		})
	}
	if len(b.journal.state.seen) > 0 || len(b.said(t)) > 0 || len(b.records) > 0 {
		t.Errorf("something took effect: %v, %v, %v", b.journal.state, b.said(t), b.records)
	}
	for _, kept := range []string{secret, another} {
		if strings.Contains(b.log.String(), kept) {
			t.Error("a secret is in the log")
		}
	}
	// The untouched one is taken: what was refused was refused for what was changed.
	if out := b.do(t, b.request(good)); out.status != http.StatusOK {
		t.Errorf("the good one: %s", out.text)
	}
}

func TestWhatIsSignedWellIsTaken(t *testing.T) {
	b := newBench(t)
	b.secrets.set(nil, another, secret)
	sequence := int64(0)
	for _, tt := range []struct {
		name string
		// headers signs a body.
		headers func(text []byte) (stamp time.Time, signatures []string)
	}{
		{"with the first secret", func(text []byte) (time.Time, []string) {
			return b.clock.Now(), []string{Sign([]byte(another), seconds(b.clock.Now()), text)}
		}},
		{"with the second secret", func(text []byte) (time.Time, []string) {
			return b.clock.Now(), []string{Sign([]byte(secret), seconds(b.clock.Now()), text)}
		}},
		{"just in time", func(text []byte) (time.Time, []string) {
			at := b.clock.Now().Add(-window)
			return at, []string{Sign([]byte(secret), seconds(at), text)}
		}},
		{"by a clock that is ahead", func(text []byte) (time.Time, []string) {
			at := b.clock.Now().Add(window)
			return at, []string{Sign([]byte(secret), seconds(at), text)}
		}},
		{"among others in one header", func(text []byte) (time.Time, []string) {
			now := seconds(b.clock.Now())
			return b.clock.Now(), []string{Sign([]byte("an old secret"), now, text) + ", v2=abc, " + Sign([]byte(secret), now, text)}
		}},
		{"among others in headers of their own", func(text []byte) (time.Time, []string) {
			now := seconds(b.clock.Now())
			return b.clock.Now(), []string{"v2=abc", Sign([]byte("an old secret"), now, text), Sign([]byte(secret), now, text)}
		}},
		{"in capitals", func(text []byte) (time.Time, []string) {
			return b.clock.Now(), []string{scheme + strings.ToUpper(strings.TrimPrefix(Sign([]byte(secret), seconds(b.clock.Now()), text), scheme))}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sequence++
			text := body(t, b.event("e"+strconv.FormatInt(sequence, 10), event.BindingUpserted, sequence, "alice Viewer asia"))
			at, signatures := tt.headers(text)
			r := b.request(text)
			r.Header.Set("Content-Type", "application/json; charset=utf-8")
			r.Header.Set(HeaderTimestamp, seconds(at))
			r.Header.Del(HeaderSignature)
			for _, s := range signatures {
				r.Header.Add(HeaderSignature, s)
			}
			if out := b.do(t, r); out.status != http.StatusOK || out.Outcome != outcomeApplied || out.Resync {
				t.Errorf("answer %d: %s", out.status, out.text)
			}
		})
	}
}

func seconds(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

func TestASecretThatCannotBeReadLetsNobodyIn(t *testing.T) {
	b := newBench(t)
	for name, set := range map[string]func(){
		"an error":  func() { b.secrets.set(errors.New("the file is gone"), secret) },
		"no secret": func() { b.secrets.set(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			set()
			out := b.send(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer"))
			if out.status != 503 || out.Error.Reason != reasonNoSecret || !out.Error.Retryable || out.header.Get("Retry-After") == "" || strings.Contains(out.text, "file") {
				t.Errorf("answer %d: %s", out.status, out.text)
			}
		})
	}
	b.secrets.set(nil, secret)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer"))
}

// TestAForgerLearnsNothing: whoever has no secret is told the same, whatever they sent.
func TestAForgerLearnsNothing(t *testing.T) {
	b := newBench(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	var first reply
	for i, text := range [][]byte{
		body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia")), // was there before
		body(t, b.event("e2", event.BindingUpserted, 2, "mallory Admin")),
		[]byte(strings.Replace(string(body(t, b.event("e3", event.SyncFull, 3))), b.source, "stranger", 1)),
		[]byte("no JSON"),
	} {
		for _, at := range []time.Duration{0, -time.Hour, time.Hour} {
			r := b.request(text)
			stamp := seconds(b.clock.Now().Add(at))
			r.Header.Set(HeaderTimestamp, stamp)
			r.Header.Set(HeaderSignature, Sign([]byte(another), stamp, text))
			r.RemoteAddr = "198.51.100." + strconv.Itoa(i+1) + ":1"
			out := b.do(t, r)
			if first.text == "" {
				first = out
			}
			if out.status != http.StatusUnauthorized || out.text != first.text || cmp.Diff(out.header, first.header) != "" {
				t.Errorf("%s at %s: %d %s", text, at, out.status, out.text)
			}
		}
	}
}

func TestFailuresAreExplainedOnlySoOftenAndLockNobodyOut(t *testing.T) {
	b := newBench(t)
	forged := func(from string) reply {
		r := b.request(body(t, b.event("e1", event.BindingUpserted, 1, "mallory Admin")))
		r.Header.Set(HeaderSignature, Sign([]byte(another), r.Header.Get(HeaderTimestamp), []byte("x")))
		r.RemoteAddr = from
		return b.do(t, r)
	}
	for i := range failureBurst {
		if out := forged("192.0.2.1:" + strconv.Itoa(1000+i)); out.Error.Reason != reasonWrong {
			t.Fatalf("attempt %d: %s", i, out.text)
		}
	}
	lines := strings.Count(b.log.String(), "\n")
	for range 20 {
		if out := forged("192.0.2.1:5"); out.status != http.StatusTooManyRequests || out.Error.Reason != reasonTooMany || out.header.Get("Retry-After") != "6" {
			t.Fatalf("past the limit: %d %s", out.status, out.text)
		}
	}
	if strings.Count(b.log.String(), "\n") != lines {
		t.Error("failures past the limit are logged")
	}
	if got := b.metric(t, "refusals_total", "reason=SIGNATURE_WRONG"); got != failureBurst+20 {
		t.Errorf("%v failures are counted", got)
	}
	if out := forged("192.0.2.2:5"); out.Error.Reason != reasonWrong {
		t.Errorf("another address: %s", out.text)
	}
	// Of IPv6 one attacker has a whole network.
	for i := range failureBurst {
		forged("[2001:db8::" + strconv.Itoa(i+1) + "]:1")
	}
	if out := forged("[2001:db8::ffff]:1"); out.Error.Reason != reasonTooMany {
		t.Errorf("a neighbour: %s", out.text)
	}
	if out := forged("[2001:db8:1::1]:1"); out.Error.Reason != reasonWrong {
		t.Errorf("another network: %s", out.text)
	}
	r := b.request(body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia")))
	r.RemoteAddr = "192.0.2.1:7"
	if out := b.do(t, r); out.status != http.StatusOK {
		t.Errorf("the sender, from the same address: %d %s", out.status, out.text)
	}
	b.clock.Step(failureInterval)
	if out := forged("192.0.2.1:5"); out.Error.Reason != reasonWrong {
		t.Errorf("later: %s", out.text)
	}
}

// held is a body that does not come before it is let go.
type held struct {
	begun chan<- struct{}
	letGo <-chan struct{}
}

func (h held) Read([]byte) (int, error) {
	h.begun <- struct{}{}
	<-h.letGo
	return 0, io.ErrUnexpectedEOF
}

func TestOnlySoManyAreReadAtOnce(t *testing.T) {
	b := newBench(t)
	text := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	begun, letGo := make(chan struct{}), make(chan struct{})
	var slow sync.WaitGroup
	open := func(from string) {
		r := b.request(text)
		r.Body, r.RemoteAddr = io.NopCloser(held{begun, letGo}), from
		slow.Go(func() { b.do(t, r) })
		<-begun
	}
	send := func(from string) reply {
		r := b.request(text)
		r.RemoteAddr = from
		return b.do(t, r)
	}
	crowded := func(what string, out reply) {
		t.Helper()
		if out.status != http.StatusServiceUnavailable || out.Error.Reason != reasonCrowded || out.header.Get("Retry-After") != "5" || !out.Error.Retryable {
			t.Errorf("%s: %d %s", what, out.status, out.text)
		}
	}
	for i := range maxUnverifiedEach {
		open("192.0.2.1:" + strconv.Itoa(1000+i))
	}
	crowded("one more of the address", send("192.0.2.1:9"))
	for i := range maxUnverified - maxUnverifiedEach {
		open("198.51.100." + strconv.Itoa(i+1) + ":1")
	}
	crowded("one more of all", send("203.0.113.1:1"))
	close(letGo)
	slow.Wait()
	if out := send("192.0.2.1:9"); out.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", out.status, out.text)
	}
}

// TestOverARealConnection: what the recorder of other tests cannot show.
func TestOverARealConnection(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(b)
	defer server.Close()
	text := body(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	post := func(size int64, send io.Reader) (*http.Response, error) {
		signedRequest := b.request(text)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+Path, send)
		if err != nil {
			t.Fatal(err)
		}
		r.Header, r.ContentLength = signedRequest.Header, size
		return server.Client().Do(r)
	}
	for _, tt := range []struct {
		name   string
		size   int64
		body   io.Reader
		status int
	}{
		{"an event", int64(len(text)), bytes.NewReader(text), 200},
		{"in chunks, replayed", -1, bytes.NewReader(text), 409},
		{"an endless body", -1, endless{}, 413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			response, err := post(tt.size, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != tt.status {
				t.Errorf("want %d, got %s", tt.status, response.Status)
			}
		})
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
