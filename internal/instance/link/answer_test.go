package link_test

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
)

// answering is a link to a server that answers as it likes.
func answering(t *testing.T, answer http.HandlerFunc) *link.Link {
	t.Helper()
	s := httptest.NewUnstartedServer(answer)
	s.EnableHTTP2 = true
	return linkTo(t, s)
}

// linkTo starts a server, and links to it.
func linkTo(t *testing.T, s *httptest.Server) *link.Link {
	t.Helper()
	permit(t, "127.0.0.0/8")
	s.StartTLS()
	t.Cleanup(s.Close)
	l, err := link.Open(&kubeconfig.Credential{Host: s.URL, CAData: authority(s), BearerToken: "t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func authority(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// read asks for a path and reads the whole answer.
func read(ctx context.Context, t *testing.T, l *link.Link, path, accept string) (status int, size int64, err error) {
	t.Helper()
	client, err := rest.HTTPClientFor(l.Config())
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.Config().Host+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	size, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, size, err
}

// withoutEnd writes a text again and again until nobody reads it any more.
func withoutEnd(w io.Writer, text string) {
	chunk := []byte(strings.Repeat(text, max(1, 64<<10/len(text))))
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

const event = `{"type":"ADDED","object":{"metadata":{"name":"a \"quoted\" {brace"}}}` + "\n"

func TestNoMoreIsReadThanThereMayBe(t *testing.T) {
	maxAnswer, maxEvent := link.ReadLess(t)
	for _, c := range []struct {
		name, path, accept string
		answer             func(http.ResponseWriter)
		most               int64
	}{
		{"an answer whose length says so", "/api", "", func(w http.ResponseWriter) { w.Header().Set("Content-Length", strconv.Itoa(1<<40)) }, 0},
		{"an answer without end", "/api", "", func(w http.ResponseWriter) { withoutEnd(w, "[") }, maxAnswer},
		{"an answer that is unpacked to one without end", "/api", "", func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			withoutEnd(z, " ")
		}, maxAnswer},
		{"an event without end", "/api/v1/pods?watch=true", "", func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, event+`{"type":"ADDED","object":{"metadata":{"name":"`)
			withoutEnd(w, `a{}\"`)
		}, maxEvent + 1000},
		{"a number without end", "/api/v1/pods?watch=1", "", func(w http.ResponseWriter) { withoutEnd(w, "1") }, maxEvent},
		{"an event without end that claims to be in another form", "/api/v1/pods?watch=true", "application/json", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
			withoutEnd(w, `"`+strings.Repeat("a", 99))
		}, maxEvent},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := answering(t, func(w http.ResponseWriter, _ *http.Request) { c.answer(w) })
			_, size, err := read(t.Context(), t, l, c.path, c.accept)
			if !errors.Is(err, link.ErrTooLarge) || size > c.most {
				t.Errorf("%d bytes are read, and then: %v", size, err)
			}
		})
	}
}

func TestLessIsReadWhereLessIsAskedFor(t *testing.T) {
	maxAnswer, _ := link.ReadLess(t)
	for name, c := range map[string]struct{ sent, most, want int64 }{
		"the most":                      {1000, 1000, 1000},
		"one byte more":                 {1001, 1000, -1},
		"more than of any other answer": {maxAnswer + 1, maxAnswer * 2, -1},
	} {
		for _, told := range []bool{true, false} {
			l := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				if told {
					w.Header().Set("Content-Length", strconv.FormatInt(c.sent, 10))
				}
				_, _ = io.CopyN(w, zeros{}, c.sent)
			})
			_, size, err := read(link.AtMost(t.Context(), c.most), t, l, "/api", "")
			if refused := errors.Is(err, link.ErrTooLarge); refused != (c.want < 0) || !refused && size != c.want || size > c.most {
				t.Errorf("%s, with its length told %v: %d bytes are read, and then: %v", name, told, size, err)
			}
		}
	}
}

func TestAHeaderHasAnEnd(t *testing.T) {
	l := answering(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("a", 2<<20)) })
	if _, _, err := read(t.Context(), t, l, "/api", ""); err == nil {
		t.Error("a header of two megabytes is read")
	}
}

func TestAWatchMayBeLongerThanAnyOfItsEvents(t *testing.T) {
	_, most := link.ReadLess(t)
	events := 2 * int(most) / len(event)
	l := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		for range events / 1000 {
			_, _ = io.WriteString(w, strings.Repeat(event, 1000))
		}
	})
	if _, size, err := read(t.Context(), t, l, "/api/v1/pods?watch=true", ""); err != nil || size != int64(events/1000*1000*len(event)) {
		t.Errorf("%d bytes are read, and then: %v", size, err)
	}
}

func TestAWatchOfSmallEventsEnds(t *testing.T) {
	link.ReadLess(t)
	const most = link.MaxWatch / 100
	for name, media := range map[string]string{"in JSON": "application/json", "in frames": "application/vnd.kubernetes.protobuf"} {
		t.Run(name, func(t *testing.T) {
			l := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", media)
				for range 2 * most / (1000 * len(event)) {
					if _, err := io.WriteString(w, strings.Repeat(event, 1000)); err != nil {
						return
					}
				}
			})
			if _, size, err := read(t.Context(), t, l, "/api/v1/pods?watch=true", media); !errors.Is(err, link.ErrTooLarge) || size > most {
				t.Errorf("%d bytes are read, and then: %v", size, err)
			}
		})
	}
}

func TestAServerThatSwitchesProtocolsUnaskedIsRefused(t *testing.T) {
	// HTTP/2 has no such answer.
	l := linkTo(t, httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = both.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: else\r\n\r\n")
		_ = both.Flush()
	})))
	if _, _, err := read(t.Context(), t, l, "/api", ""); err == nil || !strings.Contains(err.Error(), "switches protocols unasked") {
		t.Errorf("%v", err)
	}
}

func TestARedirectIsAnErrorForEveryClient(t *testing.T) {
	var reached atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer thief.Close()
	for _, status := range []int{300, 301, 302, 303, 305, 307, 308} {
		l := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", thief.URL)
			w.WriteHeader(status)
		})
		if _, _, err := read(t.Context(), t, l, "/api", ""); !link.Redirected(err) || !strings.Contains(err.Error(), "redirects to another address") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if reached.Load() {
		t.Error("a redirect was followed")
	}
	l := answering(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) })
	if status, _, err := read(t.Context(), t, l, "/api", ""); status != http.StatusNotModified || err != nil {
		t.Errorf("that nothing has changed is told as %d, %v", status, err)
	}
}

func TestWhatIsPassedOnComesAsItIs(t *testing.T) {
	maxAnswer, _ := link.ReadLess(t)
	l := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			_, _ = io.CopyN(w, zeros{}, maxAnswer+1)
			return
		}
		w.Header().Set("Location", "/large")
		w.WriteHeader(http.StatusFound)
	})
	ctx := link.PassOn(t.Context())
	if _, size, err := read(ctx, t, l, "/large", ""); err != nil || size != maxAnswer+1 {
		t.Errorf("%d bytes, %v", size, err)
	}
	transport, err := rest.TransportFor(l.Config())
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.Config().Host, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = res.Body.Close(); res.StatusCode != http.StatusFound {
		t.Errorf("a redirect comes as %d", res.StatusCode)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestAListOfManyPagesEnds(t *testing.T) {
	var pages link.Pages
	for range 2 { // each list by itself
		following := ""
		for range link.MaxPages {
			if err := pages.Next(following); err != nil {
				t.Fatal(err)
			}
			following = "more"
		}
		if err := pages.Next(following); !errors.Is(err, link.ErrTooLarge) {
			t.Errorf("a list of more pages: %v", err)
		}
	}
}
