package kubeconfig_test

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// answering is the configuration of a server that answers as it likes.
func answering(t *testing.T, answer http.HandlerFunc) *rest.Config {
	t.Helper()
	permit(t, "127.0.0.0/8")
	s := httptest.NewUnstartedServer(answer)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	cert, key := keyPair(t)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	config, err := kubeconfig.Parse(written(t, ca, cert, key, func(c *clientcmdapi.Config) { c.Clusters["c"].Server = s.URL }))
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// read asks for a path and reads the whole answer.
func read(ctx context.Context, t *testing.T, config *rest.Config, path, accept string) (status int, size int64, err error) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+path, http.NoBody)
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
	maxAnswer, maxEvent := kubeconfig.ReadLess(t)
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
			config := answering(t, func(w http.ResponseWriter, _ *http.Request) { c.answer(w) })
			_, size, err := read(t.Context(), t, config, c.path, c.accept)
			if !errors.Is(err, kubeconfig.ErrTooLarge) || size > c.most {
				t.Errorf("%d bytes are read, and then: %v", size, err)
			}
		})
	}
}

func TestAHeaderHasAnEnd(t *testing.T) {
	config := answering(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("a", 2<<20)) })
	if _, _, err := read(t.Context(), t, config, "/api", ""); err == nil {
		t.Error("a header of two megabytes is read")
	}
}

func TestAWatchMayBeLongerThanAnyOfItsEvents(t *testing.T) {
	_, most := kubeconfig.ReadLess(t)
	events := 2 * int(most) / len(event)
	config := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		for range events / 1000 {
			_, _ = io.WriteString(w, strings.Repeat(event, 1000))
		}
	})
	if _, size, err := read(t.Context(), t, config, "/api/v1/pods?watch=true", ""); err != nil || size != int64(events/1000*1000*len(event)) {
		t.Errorf("%d bytes are read, and then: %v", size, err)
	}
}

func TestAWatchOfSmallEventsEnds(t *testing.T) {
	kubeconfig.ReadLess(t)
	const most = kubeconfig.MaxWatch / 100
	for name, media := range map[string]string{"in JSON": "application/json", "in frames": "application/vnd.kubernetes.protobuf"} {
		t.Run(name, func(t *testing.T) {
			config := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", media)
				for range 2 * most / (1000 * len(event)) {
					if _, err := io.WriteString(w, strings.Repeat(event, 1000)); err != nil {
						return
					}
				}
			})
			if _, size, err := read(t.Context(), t, config, "/api/v1/pods?watch=true", media); !errors.Is(err, kubeconfig.ErrTooLarge) || size > most {
				t.Errorf("%d bytes are read, and then: %v", size, err)
			}
		})
	}
}

func TestAServerThatSwitchesProtocolsUnaskedIsRefused(t *testing.T) {
	config := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = both.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: else\r\n\r\n")
		_ = both.Flush()
	})
	config.NextProtos = []string{"http/1.1"} // HTTP/2 has no such answer
	if _, _, err := read(t.Context(), t, config, "/api", ""); err == nil || !strings.Contains(err.Error(), "switches protocols unasked") {
		t.Errorf("%v", err)
	}
}

func TestARedirectIsAnErrorForEveryClient(t *testing.T) {
	var reached atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer thief.Close()
	for _, status := range []int{300, 301, 302, 303, 305, 307, 308} {
		config := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", thief.URL)
			w.WriteHeader(status)
		})
		if _, _, err := read(t.Context(), t, config, "/api", ""); !kubeconfig.Redirected(err) || !strings.Contains(err.Error(), "redirects to another address") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if reached.Load() {
		t.Error("a redirect was followed")
	}
	config := answering(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) })
	if status, _, err := read(t.Context(), t, config, "/api", ""); status != http.StatusNotModified || err != nil {
		t.Errorf("that nothing has changed is told as %d, %v", status, err)
	}
}

func TestWhatIsPassedOnComesAsItIs(t *testing.T) {
	maxAnswer, _ := kubeconfig.ReadLess(t)
	config := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			_, _ = io.CopyN(w, zeros{}, maxAnswer+1)
			return
		}
		w.Header().Set("Location", "/large")
		w.WriteHeader(http.StatusFound)
	})
	ctx := kubeconfig.PassOn(t.Context())
	if _, size, err := read(ctx, t, config, "/large", ""); err != nil || size != maxAnswer+1 {
		t.Errorf("%d bytes, %v", size, err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host, http.NoBody)
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
	var pages kubeconfig.Pages
	for range 2 { // each list by itself
		following := ""
		for range kubeconfig.MaxPages {
			if err := pages.Next(following); err != nil {
				t.Fatal(err)
			}
			following = "more"
		}
		if err := pages.Next(following); !errors.Is(err, kubeconfig.ErrTooLarge) {
			t.Errorf("a list of more pages: %v", err)
		}
	}
}

func TestATransportThatCannotBeGuardedIsNotUsed(t *testing.T) {
	config := answering(t, func(http.ResponseWriter, *http.Request) {})
	config.TLSClientConfig = rest.TLSClientConfig{}
	config.Transport = transportOf(func(*http.Request) (*http.Response, error) {
		t.Error("it is used")
		return nil, errors.New("used")
	})
	if _, err := get(t, config); err == nil || !strings.Contains(err.Error(), "cannot be kept within the networks") {
		t.Errorf("%v", err)
	}
}

type transportOf func(*http.Request) (*http.Response, error)

func (f transportOf) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// proxied is set in the process in which the environment names a proxy: net/http reads that once.
const proxied = "KAIRSHIP_TEST_PROXIED"

func TestAProxyOfTheEnvironmentDoesNotHideWhereAServerIs(t *testing.T) {
	if os.Getenv(proxied) == "" {
		var asked atomic.Bool
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Store(true)
			w.WriteHeader(http.StatusBadGateway)
		}))
		defer proxy.Close()
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
		again.Env = append(os.Environ(), proxied+"=yes", "HTTPS_PROXY="+proxy.URL, "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		if asked.Load() {
			t.Error("the proxy was asked to connect to a server that nobody has looked at")
		}
		return
	}
	if !kubeconfig.ProxyInEnvironment() {
		t.Fatal("the environment names no proxy")
	}
	to := resolves(t)
	metadata := netip.MustParseAddr("169.254.169.254")
	to.Store(&metadata)
	config, _ := server(t)
	for _, edit := range []func(*rest.Config){nil, func(c *rest.Config) { c.NextProtos = []string{"http/1.1"} }, func(c *rest.Config) { c.Proxy = http.ProxyFromEnvironment }} {
		if _, err := get(t, config(edit)); err == nil || !strings.Contains(err.Error(), "link-local") {
			t.Errorf("%v", err)
		}
	}
}
