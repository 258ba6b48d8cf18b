package cmd

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// gathered is what was said somewhere. Safe for use by many goroutines.
type gathered struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (g *gathered) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.Write(p)
}

func (g *gathered) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.String()
}

// talkative is a server that is Karmada, Clusterpedia and an identity provider in one, and repeats in its errors
// whatever it was sent, as real ones do in part.
func talkative(t *testing.T, tls bool) (*httptest.Server, *gathered) {
	t.Helper()
	heard := &gathered{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(heard, "%s %s %v %s\n", r.Method, r.URL, r.Header, body)
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/api/v1/namespaces/kube-system":
			_, _ = io.WriteString(w, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"kube-system","uid":"u"}}`)
		case "/version", "/apis/cluster.karmada.io/v1alpha1":
			_, _ = io.WriteString(w, `{"kind":"APIResourceList","groupVersion":"cluster.karmada.io/v1alpha1","resources":[],"major":"1","minor":"35","gitVersion":"v1.35.0"}`)
		case "/api":
			_, _ = io.WriteString(w, `{"kind":"APIVersions","versions":["v1"]}`)
		case "/apis":
			_, _ = io.WriteString(w, `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`)
		case "/api/v1":
			_, _ = io.WriteString(w, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"secrets","namespaced":true,"kind":"Secret","verbs":["get","create","patch"]}]}`)
		default:
			code, reason, said := http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, fmt.Sprintf("Secret is invalid: %s %s: %v: %s", r.Method, r.URL, r.Header, body)
			if strings.HasPrefix(r.URL.Path, "/api/v1/") && r.Method == http.MethodGet {
				code, reason, said = http.StatusNotFound, metav1.StatusReasonNotFound, "not found" // so that it is made
			}
			w.WriteHeader(code)
			_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure",
				Code: int32(code), Reason: reason, Message: said, Details: &metav1.StatusDetails{Name: "db", Kind: "secrets"}}) //nolint:gosec // a status is small
		}
	}))
	if tls {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server, heard
}

func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// ownerToken is the token of a ServiceAccount for Kairship, and its group.
func ownerToken(t *testing.T, host *testenv.Server) (token, group string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(host.Config)
	if err != nil {
		t.Fatal(err)
	}
	accounts := client.CoreV1().ServiceAccounts("kairship-system")
	if _, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "owner"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	request, err := accounts.CreateToken(t.Context(), "owner", &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"kairship"}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return request.Status.Token, "kairship:host:system:serviceaccounts:kairship-system"
}

// The canaries, by where they are put. No two are alike, so that it is known which one got out.
func canaries() map[string]string {
	out := map[string]string{}
	for _, name := range []string{
		"bad bearer", "Secret applied", "Secret refused", "Secret in YAML that does not parse", "token of a kubeconfig", "key of a kubeconfig",
		"token of Clusterpedia", "session cookie", "client secret", "password of the database", "secret of the webhook", "signature", "query string",
		"variable", "body", "code of a sign-in", "trace state", "object through the proxy",
	} {
		out[name] = "c4n4ry-" + strings.ReplaceAll(strings.ToLower(name), " ", "-") + "-s3cr3t"
	}
	return out
}

// Secrets are put wherever they may come in, in front of servers that repeat them; none may be in logs, traces,
// metrics, audit or answers. No fleet is needed: the host cluster is an API server alone.
func TestNoSecretIsInLogsTracesMetricsAuditOrAnswers(t *testing.T) {
	c := canaries()
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions)
	if err := host.EnsureNamespace("kairship-system"); err != nil {
		t.Fatal(err)
	}
	owner, group := ownerToken(t, host)
	c["good bearer"] = owner

	upstream, heard := talkative(t, true)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: upstream.Certificate().Raw})
	kubeconfig := testenv.Kubeconfig(t, upstream.URL, authority, &clientcmdapi.AuthInfo{Token: c["token of a kubeconfig"]})
	for _, object := range []any{
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "asia", Namespace: "kairship-system"}, Data: map[string][]byte{v1alpha1.KubeconfigKey: kubeconfig}},
		// One that cannot be read, which is said.
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "broken", Namespace: "kairship-system"}, Data: map[string][]byte{v1alpha1.KubeconfigKey: []byte(
			"apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    client-key-data: " + base64.StdEncoding.EncodeToString([]byte(c["key of a kubeconfig"])) + "\n    token: [" + c["key of a kubeconfig"] + "\n")}},
	} {
		if err := host.Client.Create(t.Context(), object.(*corev1.Secret)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"asia", "broken"} {
		if err := host.Client.Create(t.Context(), &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.InstanceSpec{
			Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: name}},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	idp, _ := talkative(t, false)
	spans := &gathered{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(spans, r.Body) }))
	defer collector.Close()

	at, inside, log := freeAddress(t), freeAddress(t), &gathered{}
	args := []string{
		"--log-level=debug", "apiserver", "--host-kubeconfig=" + kubeconfigOf(t, host), "--admin-groups=" + group, "--instance-networks=127.0.0.0/8",
		"--clusterpedia-kubeconfig=" + writeFile(t, "clusterpedia", testenv.Kubeconfig(t, upstream.URL, authority, &clientcmdapi.AuthInfo{Token: c["token of Clusterpedia"]})),
		"--http-address=" + at, "--telemetry-address=" + inside, "--otlp-endpoint=" + collector.URL,
		"--oidc-issuer=" + idp.URL, "--oidc-client-secret-file=" + writeFile(t, "client-secret", []byte(c["client secret"])), "--public-url=http://" + at,
		"--database-dsn=postgres://kairship:" + c["password of the database"] + "@127.0.0.1:1/kairship?sslmode=disable",
		"--global-management-secret-file=" + writeFile(t, "webhook", []byte(c["secret of the webhook"]+"-"+strings.Repeat("x", 32))),
	}
	cmd := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^TestBeingAControllerManager$", "-test.count=1")
	cmd.Env = append(os.Environ(), asProcess+"="+strings.Join(args, " "), "OTEL_BSP_SCHEDULE_DELAY=50")
	cmd.Stderr, cmd.Stdout = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	testenv.Eventually(t, func() string { return healthy(t, at) })

	answers := &gathered{}
	send := func(method, path, body string, header ...string) string {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+at+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+owner)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		raw, _ := io.ReadAll(res.Body)
		_, _ = fmt.Fprintf(answers, "%s %.40s: %v %s\n", method, path, res.Header, raw)
		return string(raw)
	}
	query := func(document string, variables map[string]any, header ...string) string {
		body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
		if err != nil {
			t.Fatal(err)
		}
		return send(http.MethodPost, "/graphql", string(body), header...)
	}
	apply := func(manifests string) string {
		return query(`mutation Apply($in: ApplyManifestsInput!) { applyManifests(input: $in) { documents { kind name outcome error { code message field } } userErrors { code message field } } }`,
			map[string]any{"in": map[string]any{"instance": "asia", "manifests": manifests}})
	}
	secret := func(value string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\nstringData:\n  password: " + value + "\ndata:\n  other: " + base64.StdEncoding.EncodeToString([]byte(value)) + "\n"
	}
	// What has been probed is told to be there.
	testenv.Eventually(t, func() string {
		if said := apply(secret(c["Secret refused"])); !strings.Contains(said, `"FAILED"`) {
			return said
		}
		return ""
	})
	apply(secret(c["Secret applied"]) + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: two, namespace: shop}\nstringData: {a: " + c["Secret applied"] + "}\n")
	apply("kind: Secret\nstringData: {a: " + c["Secret in YAML that does not parse"] + "\n  - b: [")
	query("query List{instances{nodes{name namespaces(first:5){nodes{name}} workloads(first:5){nodes{name}}}}}", nil)
	query("query Var($id: ID!){node(id:$id){id}}", map[string]any{"id": c["variable"]})
	query("{instances{nodes{name}}}", nil, "Authorization", "Bearer "+c["bad bearer"])
	query("{instances{nodes{name}}}", nil, "Authorization", "", "Cookie", "kairship_session="+c["session cookie"]+"; __Host-kairship-session="+c["session cookie"])
	query("{instances{nodes{name}}}", nil, "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate", "x="+c["trace state"], "baggage", "x="+c["trace state"])
	send(http.MethodPost, "/graphql", `{"query": "`+c["body"])
	send(http.MethodGet, "/graphql?query={instances{nodes{name}}}&access_token="+c["query string"]+"&password="+c["query string"], "")
	send(http.MethodGet, "/auth/callback?code="+c["code of a sign-in"]+"&state="+c["code of a sign-in"], "", "Authorization", "")
	send(http.MethodGet, "/auth/login", "", "Authorization", "")
	send(http.MethodPost, globalmanagement.Path, `{"type":"x"}`, "Authorization", "", globalmanagement.HeaderTimestamp, "1", globalmanagement.HeaderSignature, "sha256="+c["signature"])
	send(http.MethodGet, "/instances/asia/api/v1/namespaces/shop/secrets/db?token="+c["query string"], "")
	raw, err := json.Marshal(map[string]any{"kind": "Secret", "stringData": map[string]string{"a": c["object through the proxy"]}})
	if err != nil {
		t.Fatal(err)
	}
	through := len(answers.String())
	send(http.MethodPut, "/instances/asia/api/v1/namespaces/shop/secrets/db", string(raw))
	// To the person who sent it, the upstream says what it says.
	proxied := answers.String()[through:]

	metrics := func() string {
		res, err := http.Get("http://" + inside + "/metrics")
		if err != nil {
			return err.Error()
		}
		defer res.Body.Close()
		raw, _ := io.ReadAll(res.Body)
		return string(raw)
	}
	// All of it was reached, or the test could not fail.
	for _, name := range []string{"Secret applied", "Secret refused", "token of a kubeconfig", "token of Clusterpedia", "object through the proxy"} {
		if !strings.Contains(heard.String(), c[name]) && !strings.Contains(heard.String(), base64.StdEncoding.EncodeToString([]byte(c[name]))) {
			t.Errorf("no server was sent the %s", name)
		}
	}
	testenv.Eventually(t, func() string {
		for where, wants := range map[string][2]string{
			spans.String(): {"mutation Apply", "traces"}, log.String(): {"the database is not ready", "the log"}, metrics(): {`kairship_upstream_requests_total{code="422",instance="asia"`, "metrics"},
		} {
			if !strings.Contains(where, wants[0]) {
				return wants[1] + " are without " + wants[0]
			}
		}
		for _, want := range []string{"msg=audit", "PATCH /api/v1/namespaces/{namespace}/secrets/{name}", "POST /apis/authentication.k8s.io/v1/tokenreviews", "level=DEBUG", "traceId="} {
			if !strings.Contains(log.String()+spans.String(), want) {
				return "neither log nor traces say " + want
			}
		}
		return ""
	})
	places := map[string]string{"log and audit": log.String(), "traces": spans.String(), "metrics": metrics(), "answers": strings.Replace(answers.String(), proxied, "", 1)}
	for name, value := range c {
		for where, text := range places {
			for _, form := range []string{value, base64.StdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value))} {
				if at := strings.Index(text, form); at >= 0 {
					t.Errorf("the %s is in the %s: …%s", name, where, text[max(0, at-400):min(len(text), at+60)])
					break
				}
			}
		}
	}
	if t.Failed() {
		lines := strings.Split(log.String(), "\n")
		t.Log(strings.Join(lines[max(0, len(lines)-30):], "\n"))
	}
}
