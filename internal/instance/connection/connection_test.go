package connection_test

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var server *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		server, err = env.Start(testenv.KarmadaDefinitions)
		return err
	})
}

// newSet makes a Set that ends with the test, and the queue that it wakes.
func newSet(t *testing.T, timeout time.Duration, wrap ...transport.WrapperFunc) (*connection.Set, workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	t.Helper()
	set := connection.NewSet(connection.Options{
		Logger: slog.New(slog.DiscardHandler), Wrap: transport.Wrappers(wrap...),
		CallTimeout: timeout, RetryMin: 20 * time.Millisecond, RetryMax: 100 * time.Millisecond, Heartbeat: 100 * time.Millisecond,
	})
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	if err := set.Source(connection.Interest{Watch: connection.Clusters}).Start(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- set.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		queue.ShutDown()
		if _, err := set.Ensure("late", &kubeconfig.Credential{Host: "https://127.0.0.1:1"}); err == nil {
			t.Error("a connection was made after the end")
		}
	})
	return set, queue
}

func parsed(t *testing.T, raw []byte) *kubeconfig.Credential {
	t.Helper()
	config, err := kubeconfig.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func names(c *connection.Connection) []string {
	var out []string
	for _, o := range c.List(connection.Clusters) {
		out = append(out, o.GetName())
	}
	return out
}

func until(t *testing.T, c *connection.Connection, what string, is func(connection.State) bool) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if s := c.State(connection.Clusters); !is(s) {
			return fmt.Sprintf("want %s, have %+v", what, s)
		}
		return ""
	})
}

func answers(s connection.State) bool { return s.Identity != "" && s.Synced && s.Err == nil }
func fails(s connection.State) bool   { return s.Err != nil }

func TestWhatIsKnownOfAKarmadaOutlivesIt(t *testing.T) {
	for name, mode := range map[string]testenv.Mode{"down": testenv.Down, "hanging": testenv.Hanging, "without its clusters": testenv.WithoutClusters} {
		t.Run(name, func(t *testing.T) {
			set, queue := newSet(t, time.Second)
			karmada := testenv.NewKarmada(t, server)
			karmada.Join("known", http.StatusOK)
			c, err := set.Ensure("asia", parsed(t, karmada.Kubeconfig("kairship")))
			if err != nil {
				t.Fatal(err)
			}
			until(t, c, "an answer", answers)
			if diff := cmp.Diff(karmada.Identity(), c.State(connection.Clusters).Identity); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
			if queue.Len() == 0 {
				t.Error("nobody was woken")
			}
			if gone, err := c.Gone(t.Context(), connection.Clusters, "", "known"); gone || err != nil {
				t.Errorf("known: gone %v, %v", gone, err)
			}
			if gone, err := c.Gone(t.Context(), connection.Clusters, "", "unknown"); !gone || err != nil {
				t.Errorf("unknown: gone %v, %v", gone, err)
			}

			karmada.Set(mode)
			until(t, c, "a failure", fails)
			if diff := cmp.Diff([]string{"known"}, names(c)); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			for _, member := range []string{"known", "unknown"} {
				if gone, err := c.Gone(t.Context(), connection.Clusters, "", member); gone || err == nil {
					t.Errorf("%s: gone %v, although nobody can tell", member, gone)
				}
			}

			karmada.Join("new", http.StatusOK)
			karmada.Set(testenv.Answering)
			until(t, c, "an answer", answers)
			testenv.Eventually(t, func() string { return cmp.Diff([]string{"known", "new"}, names(c)) })
		})
	}
}

func TestAConnectionLastsAsLongAsItsCredential(t *testing.T) {
	set, queue := newSet(t, 10*time.Second)
	karmada := testenv.NewKarmada(t, server)
	config := parsed(t, karmada.Kubeconfig("kairship"))
	first, err := set.Ensure("asia", config)
	if err != nil {
		t.Fatal(err)
	}
	same := *config
	if again, _ := set.Ensure("asia", &same); again != first {
		t.Error("the same credential made another connection")
	}
	if other, _ := set.Ensure("europe", config); other == first {
		t.Error("two instances share a connection")
	}
	second, err := set.Ensure("asia", parsed(t, karmada.Kubeconfig("kairship-2")))
	if err != nil {
		t.Fatal(err)
	}
	if second == first {
		t.Fatal("another credential uses the old connection")
	}
	until(t, second, "an answer", answers)
	set.Remove("asia")
	set.Remove("asia")
	third, err := set.Ensure("asia", config)
	if err != nil {
		t.Fatal(err)
	}
	if third == first || third == second {
		t.Error("a connection came back after it was removed")
	}
	var woken []string
	for queue.Len() > 0 {
		item, _ := queue.Get()
		woken = append(woken, item.Name)
		queue.Done(item)
	}
	if slices.ContainsFunc(woken, func(name string) bool { return name != "asia" && name != "europe" }) {
		t.Errorf("woken: %v", woken)
	}
}

func TestARedirectDoesNotCarryTheCredentialOff(t *testing.T) {
	set, _ := newSet(t, 10*time.Second)
	var reached atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer thief.Close()
	karmada := httptest.NewTLSServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer karmada.Close()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: karmada.Certificate().Raw})
	config, err := kubeconfig.Parse(testenv.Kubeconfig(t, karmada.URL, authority, &clientcmdapi.AuthInfo{Token: "t"}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := set.Ensure("asia", config)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Answers(t.Context(), "/version")
	if _, message := connection.Trouble(err); message != "Karmada does not answer: the server redirects to another address (307 Temporary Redirect), which is not followed" {
		t.Errorf("got %v", err)
	}
	until(t, c, "a failure", fails)
	if _, err := c.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).List(t.Context(), metav1.ListOptions{}); !link.Redirected(err) {
		t.Errorf("a list: %v", err)
	}
	if reached.Load() {
		t.Error("the redirect was followed")
	}
}

func TestTrouble(t *testing.T) {
	dial := func(port int) error {
		return fmt.Errorf("asking: %w", &url.Error{Op: "Get", URL: "https://karmada/x", Err: &net.OpError{
			Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: port},
			Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2), Port: 5443}, Err: errors.New("connection reset by peer"),
		}})
	}
	clusters := schema.GroupResource{Group: "cluster.karmada.io", Resource: "clusters"}
	for name, tt := range map[string]struct {
		err             error
		reason, message string
	}{
		"a connection that broke":         {dial(1), v1alpha1.ReasonUnreachable, "Karmada does not answer: read 10.0.0.2:5443: connection reset by peer"},
		"the same from another port":      {dial(2), v1alpha1.ReasonUnreachable, "Karmada does not answer: read 10.0.0.2:5443: connection reset by peer"},
		"an answer that did not come":     {&url.Error{Op: "Get", URL: "https://karmada/x", Err: context.DeadlineExceeded}, v1alpha1.ReasonUnreachable, "Karmada does not answer: no answer in time"},
		"an address without its query":    {&url.Error{Op: "Get", URL: "https://karmada/x?secret", Err: errors.New("EOF")}, v1alpha1.ReasonUnreachable, "Karmada does not answer: EOF"},
		"a credential without rights":     {apierrors.NewForbidden(clusters, "", errors.New("no")), v1alpha1.ReasonRefused, "Karmada refuses the credential: clusters.cluster.karmada.io is forbidden: no"},
		"a credential that is not known":  {apierrors.NewUnauthorized("who?"), v1alpha1.ReasonRefused, "Karmada refuses the credential: who?"},
		"something else that it answered": {apierrors.NewInternalError(errors.New("oops")), v1alpha1.ReasonUnreachable, "Karmada does not answer: Internal error occurred: oops"},
	} {
		t.Run(name, func(t *testing.T) {
			reason, message := connection.Trouble(tt.err)
			if diff := cmp.Diff([]string{tt.reason, tt.message}, []string{reason, message}); diff != "" {
				t.Errorf("reason and message (-want +got):\n%s", diff)
			}
			if strings.Contains(message, "secret") {
				t.Error("the message repeats the address")
			}
		})
	}
}
