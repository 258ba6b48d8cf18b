package karmada

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// behindADoor is a connection through a server that can fail.
func behindADoor(t *testing.T) (*connection, *testenv.Karmada) {
	t.Helper()
	door := testenv.NewKarmada(t, server)
	cfg, err := clientcmd.RESTConfigFromKubeConfig(door.Kubeconfig("kairship"))
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, cfg), door
}

func TestAnApplyToAServerThatIsAwayIsAnErrorThatNamesTheInstance(t *testing.T) {
	manifests := docs(configMap("default", "a", "1"), configMap("default", "b", "1"))
	for _, c := range []struct {
		name string
		mode testenv.Mode
		// discovered says that discovery is in hand already, as it is in a connection that was used before.
		discovered bool
		code       model.Code
		message    string
	}{
		{"a server that is down", testenv.Down, true, model.CodeUnavailable, `the API server of instance "asia" cannot be reached`},
		{"a server that hangs", testenv.Hanging, true, model.CodeTimeout, `the API server of instance "asia" did not answer in time`},
		{"one that hangs before discovery", testenv.Hanging, false, model.CodeTimeout, `the API server of instance "asia" did not answer in time`},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, door := behindADoor(t)
			if c.discovered {
				if _, err := conn.mapper.RESTMapping(configMapKind.GroupKind(), "v1"); err != nil {
					t.Fatal(err)
				}
			}
			door.Set(c.mode)
			out, _, err := Apply(t.Context(), conn, admin, Request{OnError: model.OnErrorContinue, Timeout: 2 * time.Second, Manifests: manifests})
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Code != c.code || failed.Instance != "asia" || !failed.Retryable || failed.Message != c.message || len(out) > 0 {
				t.Errorf("got %+v and %v", err, out)
			}
			if n := door.Writes(); n != 0 {
				t.Errorf("%d writes were sent", n)
			}
		})
	}
}

func TestAnApplyThatMeetsAnOutageOnItsWaySaysWhereAndSkipsTheRest(t *testing.T) {
	ns := namespace(t)
	conn, door := behindADoor(t)
	door.Instead(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/configmaps/b") {
			return false
		}
		hijacked, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		_ = hijacked.Close()
		return true
	})
	out, invalid, err := Apply(t.Context(), conn, admin, Request{OnError: model.OnErrorContinue,
		Manifests: docs(configMap(ns, "a", "1"), configMap(ns, "b", "1"), configMap(ns, "c", "1"))})
	if err != nil || len(invalid) > 0 {
		t.Fatalf("apply: error %v, user errors %v", err, invalid)
	}
	expect(t, ns, out, "0 ConfigMap @/a CREATED", `1 ConfigMap @/b FAILED UNAVAILABLE [] the API server of instance "asia" cannot be reached`, "2 ConfigMap @/c SKIPPED")
}

func TestAPatchThatMeetsAnOutageIsAnErrorThatNamesTheInstance(t *testing.T) {
	conn, door := behindADoor(t)
	door.Set(testenv.Down)
	_, err := mergeBy(t, conn, admin, ref(model.KindDeployment, "default", "cart"), "", scaled(1), false)
	var failed *model.Error
	if !errors.As(err, &failed) || failed.Code != model.CodeUnavailable || failed.Instance != "asia" || !failed.Retryable {
		t.Fatalf("got %v, want a retryable UNAVAILABLE of asia", err)
	}
	if strings.Contains(failed.Message, "127.0.0.1") {
		t.Errorf("%q names an address", failed.Message)
	}
}

// An API server whose database hangs answers what it need not ask it for.
func TestWhatIsOnlyTriedIsGivenUpInTime(t *testing.T) {
	conn, door := behindADoor(t)
	if _, err := conn.mapper.RESTMapping(configMapKind.GroupKind(), "v1"); err != nil {
		t.Fatal(err)
	}
	door.Instead(func(_ http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/namespaces/") {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body) // that the client has gone is noticed after it
		<-r.Context().Done()
		return true
	})
	began := time.Now()
	out, invalid, err := Apply(t.Context(), conn, admin, Request{DryRun: true, OnError: model.OnErrorContinue,
		Manifests: docs(configMap("default", "a", "1"), configMap("default", "b", "1"))})
	if err != nil || len(invalid) > 0 {
		t.Fatalf("apply: error %v, user errors %v", err, invalid)
	}
	// The time that one is given whose outcome matters is beyond.
	if took := time.Since(began); took >= DefaultTimeout {
		t.Errorf("it was given up after %s", took)
	}
	// On a busy machine not even the connection is made in time, which is told as an API server that is not reached.
	silent := []model.Code{model.CodeTimeout, model.CodeUnavailable}
	if len(out) != 2 || out[0].Outcome != model.OutcomeFailed || out[1].Outcome != model.OutcomeSkipped {
		t.Fatalf("outcomes %q", outcomes(out))
	}
	if e := out[0].Error; !slices.Contains(silent, model.Code(e.Code)) || strings.Contains(e.Message, maybeMade) {
		t.Errorf("what is only tried fails with %q: %s", e.Code, e.Message)
	}
	var failed *model.Error
	_, err = mergeBy(t, conn, admin, ref(model.KindDeployment, "default", "cart"), "", scaled(1), true)
	if !errors.As(err, &failed) || !slices.Contains(silent, failed.Code) || strings.Contains(failed.Message, maybeMade) {
		t.Errorf("patch: %v", err)
	}
}

// hook is a validating webhook for the ConfigMaps of one namespace. It is there until the test ends.
func hook(t *testing.T, ns string, answer http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewTLSServer(answer)
	t.Cleanup(s.Close)
	fail, none := admissionregistrationv1.Fail, admissionregistrationv1.SideEffectClassNone
	c := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: ns},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "hook.test.kairship.io", AdmissionReviewVersions: []string{"v1"}, FailurePolicy: &fail, SideEffects: &none,
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &s.URL,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": ns}},
			Rules: []admissionregistrationv1.RuleWithOperations{{Operations: []admissionregistrationv1.OperationType{"*"},
				Rule: admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}}}},
		}},
	}
	if err := server.Client.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Client.Delete(context.WithoutCancel(t.Context()), c); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestWhatAWebhookRefusesIsToldInItsWords(t *testing.T) {
	ns := namespace(t)
	s := hook(t, ns, func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Code: http.StatusForbidden, Message: "not on a Friday"}}
		_ = json.NewEncoder(w).Encode(review)
	})
	const refused = `0 ConfigMap @/a FAILED BAD_USER_INPUT [] admission webhook "hook.test.kairship.io" denied the request: not on a Friday`
	until(t, ns, refused)
	s.Close()
	expect(t, ns, apply(t, Request{Manifests: docs(configMap(ns, "a", "1"), deployment(ns, "cart", 1)), OnError: model.OnErrorContinue}),
		`0 ConfigMap @/a FAILED UNAVAILABLE [] the webhook "hook.test.kairship.io" of instance "asia" does not answer`, "1 Deployment @/cart CREATED")
}

// until applies, as a dry run, until the outcome is as expected: a webhook is called some time after it
// was configured.
func until(t *testing.T, ns, want string) {
	t.Helper()
	want = strings.ReplaceAll(want, "@", ns)
	testenv.Eventually(t, func() string {
		if got := outcomes(apply(t, Request{Manifests: configMap(ns, "a", "1"), DryRun: true})); got[0] != want {
			return got[0]
		}
		return ""
	})
}
