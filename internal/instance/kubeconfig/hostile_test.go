package kubeconfig_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// secretMark is part of every credential of the corpus; no error may repeat it.
const secretMark = "do-not-tell"

// hostile is a kubeconfig that is to be refused.
type hostile struct {
	name string
	raw  []byte
	// field is what the error has to be about, and because a part of what it has to say.
	field, because string
}

// trap is what hostile kubeconfigs point at.
type trap struct {
	// fifo blocks who reads it, canary is not there, listener is an address that nobody is to connect to.
	fifo, canary, listener string
}

// corpus reads testdata/hostile, each of whose files says at its top what it has to be refused with. $CERT and
// so on stand for what is made for each run.
func corpus(tb testing.TB, t trap, cert, key []byte) []hostile {
	tb.Helper()
	_, other := keyPair(tb)
	fill := strings.NewReplacer("$CERT", base64.StdEncoding.EncodeToString(cert), "$KEY", base64.StdEncoding.EncodeToString(key),
		"$OTHERKEY", base64.StdEncoding.EncodeToString(other), "$FIFO", t.fifo, "$CANARY", t.canary, "$LISTENER", t.listener)
	files, err := filepath.Glob("testdata/hostile/*.yaml")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no corpus: %v", err)
	}
	var all []hostile
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		lines := strings.SplitN(string(text), "\n", 3)
		field, one := strings.CutPrefix(lines[0], "# refused:")
		because, two := strings.CutPrefix(lines[1], "# because:")
		if !one || !two || strings.TrimSpace(because) == "" {
			tb.Fatalf("%s does not say what it is refused with", file)
		}
		all = append(all, hostile{
			name: strings.TrimSuffix(filepath.Base(file), ".yaml"), raw: []byte(fill.Replace(string(text))),
			field: strings.TrimSpace(field), because: strings.TrimSpace(because),
		})
	}
	// What no file of text can be.
	good := written(tb, cert, cert, key, nil)
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(string(good))) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	return append(all,
		hostile{"nothing", nil, "", "is empty"},
		hostile{"10 MB", append(bytes.Clone(good), bytes.Repeat([]byte("# do-not-tell\n"), 10<<20/14)...), "", "at most 262144 are read"},
		hostile{"one byte too many", append(bytes.Clone(good), bytes.Repeat([]byte("#"), kubeconfig.MaxSize+1-len(good))...), "", "at most 262144 are read"},
		hostile{"a NUL", append(bytes.Clone(good), 0), "", "UTF-8"},
		hostile{"UTF-16", wide, "", "UTF-8"},
		hostile{"UTF-16 without a mark", wide[2:], "", "UTF-8"},
		hostile{"Latin-1", append(bytes.Clone(good), "# \xfc\n"...), "", "UTF-8"},
	)
}

// setTrap makes what hostile kubeconfigs point at, and whatever a careless reader would look at beside them. What
// is touched is said when the test ends.
func setTrap(t *testing.T) trap {
	t.Helper()
	dir := t.TempDir()
	traps := trap{fifo: filepath.Join(dir, "fifo"), canary: filepath.Join(dir, "canary")}
	if err := syscall.Mkfifo(traps.fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kubeconfig", filepath.Join(".kube", "config")} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(traps.fifo, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", dir)
	t.Setenv("KUBECONFIG", filepath.Join(dir, "kubeconfig"))

	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	traps.listener = listener.Addr().String()
	// For requests that honour it, which are all of client-go's.
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://"+traps.listener)
	}
	var touched atomic.Int32
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			touched.Add(1)
			_ = conn.Close()
		}
	}()
	resolver, transport := net.DefaultResolver, http.DefaultTransport
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		touched.Add(1)
		return nil, errors.New("no names are resolved here")
	}}
	http.DefaultTransport = roundTripper(func(*http.Request) (*http.Response, error) {
		touched.Add(1)
		return nil, errors.New("no requests are made here")
	})
	t.Cleanup(func() {
		net.DefaultResolver, http.DefaultTransport = resolver, transport
		_ = listener.Close()
		<-ended
		if n := touched.Load(); n > 0 {
			t.Errorf("the network was touched %d times", n)
		}
		if _, err := os.Lstat(traps.canary); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a program was run: %v", err)
		}
	})
	return traps
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAHostileKubeconfigIsRefusedWithItsFieldNamed(t *testing.T) {
	cert, key := keyPair(t)
	for _, h := range corpus(t, setTrap(t), cert, key) {
		t.Run(h.name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() {
				_, err := kubeconfig.Parse(h.raw)
				done <- err
			}()
			var err error
			select {
			case err = <-done:
			case <-time.After(30 * time.Second):
				t.Fatal("it is read without an end: a file was opened, or something grows")
			}
			var refused *kubeconfig.FieldError
			if !errors.As(err, &refused) {
				t.Fatalf("want a FieldError, got %v", err)
			}
			if diff := cmp.Diff(h.field, refused.Field); diff != "" {
				t.Errorf("field (-want +got):\n%s", diff)
			}
			if !strings.Contains(refused.Problem, h.because) {
				t.Errorf("want %q, got %v", h.because, err)
			}
			if strings.Contains(err.Error(), secretMark) {
				t.Errorf("the error repeats what it refuses: %v", err)
			}
		})
	}
}

// TestTheTrapCloses: else the test above would show nothing.
func TestTheTrapCloses(t *testing.T) {
	traps := setTrap(t)
	opened := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), ".kube", "config"))
		opened <- err
	}()
	// A writer finds the reader that waits.
	w, err := os.OpenFile(traps.fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-opened:
		t.Errorf("what is read does not block: %v", err)
	default:
	}
	_ = w.Close()
	if err := <-opened; err != nil {
		t.Error(err)
	}
}
