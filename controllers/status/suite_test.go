package status_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/status"
	"github.com/kairship-io/kairship/controllers/status/health"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = "kairship-system"

// The host cluster, and the API servers of two Karmadas.
var host, first, second *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		for _, karmada := range []**testenv.Server{&first, &second} {
			if *karmada, err = env.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions); err != nil {
				return err
			}
			if err := (*karmada).EnsureNamespace("karmada-system"); err != nil {
				return err
			}
		}
		return host.EnsureNamespace(namespace)
	})
}

// hasty is the pace of the tests: a hundredth of the usual one.
var hasty = status.Pace{
	Cadence: health.Cadence{Calm: 200 * time.Millisecond, Alert: 60 * time.Millisecond}, Deadline: time.Second,
	Steady: 300 * time.Millisecond, Brief: 60 * time.Millisecond, Rarely: 300 * time.Millisecond, Doubt: time.Second,
}

// start runs the controller until the test ends or stop is called, its requests to the host through wrap.
func start(t *testing.T, wrap transport.WrapperFunc) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Connections: connection.Options{
		CallTimeout: 2 * time.Second, Heartbeat: time.Second, RetryMin: 50 * time.Millisecond, RetryMax: 300 * time.Millisecond,
	}}, func(o controllers.Options) controllers.Controller {
		return status.New(status.Options{Options: o, Pace: &hasty})
	})
}

// withToken is a kubeconfig with another token.
func withToken(t *testing.T, raw []byte, token string) []byte {
	t.Helper()
	config, err := clientcmd.Load(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		user.Token = token
	}
	if raw, err = clientcmd.Write(*config); err != nil {
		t.Fatal(err)
	}
	return raw
}

func instanceOf(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
		t.Fatal(err)
	}
	return &i
}

// says waits until a condition has a status and a reason, and returns its message.
func says(t *testing.T, name, kind string, is metav1.ConditionStatus, reason string) string {
	t.Helper()
	var message string
	testenv.Eventually(t, func() string {
		c := meta.FindStatusCondition(instanceOf(t, name).Status.Conditions, kind)
		if c == nil || c.Status != is || c.Reason != reason {
			return fmt.Sprintf("want %s %s %s, have %+v", kind, is, reason, c)
		}
		message = c.Message
		return ""
	})
	return message
}

// othersSay writes what the other controllers would.
func othersSay(t *testing.T, name string, readPath, access metav1.ConditionStatus) {
	t.Helper()
	w := condition.Writer{
		Client: host.Client, Owner: "others", Clock: clock.RealClock{}, Conditions: []string{v1alpha1.ConditionReadPathSynced, v1alpha1.ConditionAccessApplied},
	}
	_, err := w.Write(t.Context(), instanceOf(t, name), v1alpha1.InstanceStatus{Conditions: []metav1.Condition{
		{Type: v1alpha1.ConditionReadPathSynced, Status: readPath, Reason: "Said", Message: "by another"},
		{Type: v1alpha1.ConditionAccessApplied, Status: access, Reason: "Said", Message: "by another"},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// renew writes the Lease of a component as one whose holder renewed it some time ago.
func renew(t *testing.T, karmada *testenv.Server, namespace, name, holder string, ago time.Duration) {
	t.Helper()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	_, err := ctrl.CreateOrUpdate(context.Background(), karmada.Client, lease, func() error {
		lease.Spec.HolderIdentity = &holder
		lease.Spec.LeaseDurationSeconds = ptr.To[int32](15)
		lease.Spec.RenewTime = ptr.To(metav1.NewMicroTime(time.Now().Add(-ago)))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// leaders are who holds the Leases of a control plane. They renew them until the test ends.
type leaders struct {
	karmada *testenv.Server

	mu sync.Mutex
	// holder of each Lease; nobody's when it is empty.
	holder map[client.ObjectKey]string
}

// The Leases of a control plane.
var (
	schedulerLease   = client.ObjectKey{Namespace: "karmada-system", Name: "karmada-scheduler"}
	managerLease     = client.ObjectKey{Namespace: "karmada-system", Name: "karmada-controller-manager"}
	kubeManagerLease = client.ObjectKey{Namespace: "kube-system", Name: "kube-controller-manager"}
)

func newLeaders(t *testing.T, karmada *testenv.Server) *leaders {
	t.Helper()
	l := &leaders{karmada: karmada, holder: map[client.ObjectKey]string{schedulerLease: "a", managerLease: "a", kubeManagerLease: "a"}}
	l.renew(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				l.renew(t)
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		for lease := range l.holder {
			forgo(t, karmada, lease.Namespace, lease.Name)
		}
	})
	return l
}

// elect says who holds a Lease.
func (l *leaders) elect(lease client.ObjectKey, holder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder[lease] = holder
}

func (l *leaders) renew(t *testing.T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for lease, holder := range l.holder {
		renew(t, l.karmada, lease.Namespace, lease.Name, holder, 0)
	}
}

// forgo removes a Lease.
func forgo(t *testing.T, karmada *testenv.Server, namespace, name string) {
	t.Helper()
	err := karmada.Client.Delete(context.Background(), &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	if client.IgnoreNotFound(err) != nil {
		t.Error(err)
	}
}

// identify gives a member the id of a cluster.
func identify(t *testing.T, karmada *testenv.Server, member, id string) {
	t.Helper()
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("cluster.karmada.io/v1alpha1")
	u.SetKind("Cluster")
	u.SetName(member)
	patch := fmt.Sprintf(`{"spec":{"id":%q}}`, id)
	if err := karmada.Client.Patch(t.Context(), u, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		t.Fatal(err)
	}
}

// webhook is an admission webhook of policies that can be stopped.
type webhook struct {
	mu      sync.Mutex
	stopped bool
	denies  bool
	called  int
}

// newWebhook registers one with a Karmada. It goes with the test.
func newWebhook(t *testing.T, karmada *testenv.Server) *webhook {
	t.Helper()
	w := &webhook{}
	server := httptest.NewUnstartedServer(w)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	server.StartTLS()
	t.Cleanup(server.Close)
	configuration := &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "mutating-config"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "propagationpolicy.karmada.io",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				URL:      ptr.To(server.URL + "/mutate-propagationpolicy"),
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
			},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{"policy.karmada.io"}, APIVersions: []string{"*"}, Resources: []string{"propagationpolicies"}},
			}},
			SideEffects:             ptr.To(admissionregistrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
			TimeoutSeconds:          ptr.To[int32](1),
		}},
	}
	if err := karmada.Client.Create(t.Context(), configuration); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := karmada.Client.Delete(context.Background(), configuration); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *webhook) set(stopped, denies bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped, w.denies = stopped, denies
}

func (w *webhook) calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.called
}

func (w *webhook) ServeHTTP(answer http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.called++
	stopped, denies := w.stopped, w.denies
	w.mu.Unlock()
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || stopped {
		if conn, _, err := http.NewResponseController(answer).Hijack(); err == nil {
			_ = conn.Close()
		}
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !denies, Result: &metav1.Status{Message: "not today"}}
	answer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(answer).Encode(review)
}

// writes counts what the controller writes to the host cluster, events and leases apart.
type writes struct {
	mu   sync.Mutex
	list []string
}

func (w *writes) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet && !strings.Contains(r.URL.Path, "/events") && !strings.Contains(r.URL.Path, "/leases") {
			w.mu.Lock()
			w.list = append(w.list, r.Method+" "+r.URL.Path)
			w.mu.Unlock()
		}
		return next.RoundTrip(r)
	})
}

// take returns what was written since the last call.
func (w *writes) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.list
	w.list = nil
	return list
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
