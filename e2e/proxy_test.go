package e2e

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
)

// issued is a kubeconfig that Kairship handed out.
type issued struct {
	file, token, server string
	ca                  *x509.CertPool
}

// issue asks for a kubeconfig as whoever holds the bearer token.
func issue(t *testing.T, bearer, instance, cluster, namespace string) issued {
	t.Helper()
	out := askAs(t, bearer, `mutation($i: IssueKubeconfigInput!) { issueKubeconfig(input: $i) { kubeconfig expiresAt userErrors { message field } } }`,
		map[string]any{"i": map[string]any{"instance": instance, "cluster": optional(cluster), "namespace": optional(namespace), "expirationSeconds": 3600}})
	var data struct {
		IssueKubeconfig struct {
			Kubeconfig string
			ExpiresAt  time.Time
		}
	}
	if err := json.Unmarshal(out.Data, &data); err != nil || len(out.Errors) > 0 || data.IssueKubeconfig.Kubeconfig == "" {
		t.Fatalf("got %s, %+v", out.Data, out.Errors)
	}
	if left := time.Until(data.IssueKubeconfig.ExpiresAt); left < 50*time.Minute || left > time.Hour {
		t.Errorf("it ends in %s", left)
	}
	k := issued{file: filepath.Join(t.TempDir(), "kubeconfig.yaml"), ca: x509.NewCertPool()}
	if err := os.WriteFile(k.file, []byte(data.IssueKubeconfig.Kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := clientcmd.RESTConfigFromKubeConfig([]byte(data.IssueKubeconfig.Kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	k.token, k.server = cfg.BearerToken, strings.Split(cfg.Host, "/instances/")[0]
	if !strings.HasPrefix(k.server, "https://") || !k.ca.AppendCertsFromPEM(cfg.CAData) {
		t.Fatalf("clients would not send their token to %s", cfg.Host)
	}
	return k
}

func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

var kubectlPath = sync.OnceValues(func() (string, error) {
	dir, err := playground("components", "kubectl")
	return filepath.Join(strings.TrimSpace(dir), "kubectl"), err
})

// kubectl runs kubectl with a kubeconfig, for a minute at most.
func (k issued) kubectl(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := k.command(t, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (k issued) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := kubectlPath()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute) // to clean up as well
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, append([]string{"--kubeconfig", k.file, "--cache-dir", filepath.Dir(k.file)}, args...)...)
	cmd.WaitDelay = time.Second
	return cmd
}

// does runs kubectl, which has to work.
func (k issued) does(t *testing.T, args ...string) string {
	t.Helper()
	out, err := k.kubectl(t, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// refused runs kubectl, which has to be told something.
func (k issued) refused(t *testing.T, told string, args ...string) {
	t.Helper()
	if out, err := k.kubectl(t, args...); err == nil || !regexp.MustCompile(told).MatchString(out) {
		t.Errorf("kubectl %s: want %q, got %v\n%s", strings.Join(args, " "), told, err, out)
	}
}

// reaches waits until the members know somebody who has just got their first kubeconfig.
func (k issued) reaches(t *testing.T, args ...string) {
	t.Helper()
	eventually(t, 30*time.Second, func() error {
		out, err := k.kubectl(t, args...)
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
}

// reply is an answer of the proxy that was read to its end.
type reply struct {
	code int
	body []byte
}

// get asks the proxy for a path with the kubeconfig's token, and other headers.
func (k issued) get(t *testing.T, path string, headers ...string) reply {
	t.Helper()
	res := k.open(t, path, headers...)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, body}
}

// open is get for an answer that goes on.
func (k issued) open(t *testing.T, path string, headers ...string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, k.server+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: k.ca, MinVersion: tls.VersionTLS12}}}
	t.Cleanup(client.CloseIdleConnections)
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// status reads an answer that is a Kubernetes Status.
func status(t *testing.T, r reply) metav1.Status {
	t.Helper()
	var s metav1.Status
	if json.Unmarshal(r.body, &s) != nil || s.Kind != "Status" || int(s.Code) != r.code {
		t.Fatalf("%d, and no Status: %s", r.code, r.body)
	}
	return s
}

func TestKubectlWorksOnAControlPlane(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "editor"), "asia", "", "shop")
	if out := k.does(t, "get", "deployments"); !strings.Contains(out, "checkout") {
		t.Errorf("got %s", out)
	}
	watch := k.command(t, "get", "configmaps", "--watch-only", "--output=name")
	lines, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = watch.Process.Kill(); _ = watch.Wait() })
	seen := make(chan string, 100)
	go func() {
		for s := bufio.NewScanner(lines); s.Scan(); {
			seen <- s.Text()
		}
	}()
	manifest := filepath.Join(t.TempDir(), "manifest.yaml")
	apply := func(value string) string {
		text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e2e-kubectl, namespace: shop}\ndata: {value: %q}\n", value)
		if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return k.does(t, "apply", "--server-side", "-f", manifest)
	}
	t.Cleanup(func() { k.does(t, "delete", "configmap", "e2e-kubectl", "--ignore-not-found") })
	// A watch tells nothing when it has begun.
	count := 0
	eventually(t, 20*time.Second, func() error {
		count++
		apply(fmt.Sprint(count))
		select {
		case line := <-seen:
			if !strings.HasSuffix(line, "/e2e-kubectl") {
				return fmt.Errorf("the watch tells %q", line)
			}
			return nil
		default:
			return errors.New("the watch tells nothing")
		}
	})
	if out := k.does(t, "get", "configmap", "e2e-kubectl", "-o", "jsonpath={.data.value}"); out != fmt.Sprint(count) {
		t.Errorf("the object holds %q", out)
	}
	k.refused(t, `User "kairship:oidc:editor" cannot list resource "deployments" .* in the namespace "platform"`, "get", "deployments", "-n", "platform")
	k.refused(t, `User "kairship:oidc:editor" cannot create resource`, "create", "configmap", "e2e-kubectl", "-n", "platform")
	if by := lastBy(t, "asia", "configmaps", "e2e-kubectl", "patch"); by != "kairship:oidc:editor" {
		t.Errorf("the audit log of the API server names %q", by)
	}
}

func TestKubectlWorksOnAMember(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "editor"), "asia", "hangzhou", "shop")
	k.reaches(t, "get", "pods")
	pods := strings.Fields(k.does(t, "get", "pods", "-l", "app=checkout", "-o", "name"))
	if len(pods) == 0 {
		pods = strings.Fields(k.does(t, "get", "pods", "-o", "name"))
	}
	if len(pods) == 0 {
		t.Fatal("there is no pod")
	}
	pod := pods[0]
	if out := k.does(t, "logs", pod); !strings.Contains(out, "listening on :8080") {
		t.Errorf("it logged %q", out)
	}
	if out := k.does(t, "exec", "--quiet", pod, "--", "sh", "-c", "echo hello from $0", "inside"); out != "hello from inside\n" {
		t.Errorf("the command says %q", out)
	}
	// kwok does not tell the command that there is no more to come.
	cmd := k.command(t, "exec", "--quiet", "-i", pod, "--", "head", "-n", "1")
	cmd.Stdin = strings.NewReader("there and back\n")
	if out, err := cmd.Output(); err != nil || string(out) != "there and back\n" {
		t.Errorf("what goes in comes out as %q, %v", out, err)
	}
	forward := k.command(t, "port-forward", pod, ":8080", "--address=127.0.0.1")
	lines, err := forward.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := forward.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = forward.Process.Kill(); _ = forward.Wait() })
	first, err := bufio.NewReader(lines).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(first)
	res, err := http.Get("http://" + at + "/healthz")
	if err != nil {
		t.Fatalf("through %q: %v", first, err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("through the forwarded port: %d", res.StatusCode)
	}
	// The member's own words.
	k.refused(t, `User "kairship:oidc:editor" cannot list resource "nodes"`, "get", "nodes")
	k.refused(t, `User "kairship:oidc:editor" cannot list resource "secrets" .* in the namespace "platform"`, "get", "secrets", "-n", "platform")
	if by := lastBy(t, "hangzhou", "pods", strings.TrimPrefix(pod, "pod/"), "create", "get"); by != "kairship:oidc:editor" {
		t.Errorf("the audit log of the member names %q", by)
	}
	// Who is bound by a group only.
	v := issue(t, idTokenOf(t, "viewer"), "europe", "frankfurt", "shop")
	v.reaches(t, "get", "pods", "-A")
	v.refused(t, `User "kairship:oidc:viewer" cannot delete resource "pods"`, "delete", "pods", "--all")
	o := issue(t, idTokenOf(t, "owner"), "asia", "tokyo", "")
	o.reaches(t, "get", "nodes")
}

func TestMembersAnswerByTheShortPathsToo(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "editor"), "asia", "hangzhou", "shop")
	k.reaches(t, "get", "pods")
	for _, path := range []string{
		"/api/clusters/asia.hangzhou/v1/namespaces/shop/pods", "/api/clusters/hangzhou/v1/namespaces/shop/pods",
		"/apis/clusters/asia.hangzhou/apps/v1/namespaces/shop/deployments", "/instances/asia/clusters/hangzhou/api/v1/namespaces/shop/pods",
	} {
		var list metav1.List
		r := k.get(t, path)
		if err := json.Unmarshal(r.body, &list); err != nil || r.code != http.StatusOK || len(list.Items) == 0 {
			t.Errorf("%s: %d, %d objects, %v", path, r.code, len(list.Items), err)
		}
	}
	res := k.open(t, "/api/clusters/asia.hangzhou/v1/namespaces/shop/pods?watch=true")
	defer func() { _ = res.Body.Close() }()
	var event metav1.WatchEvent
	if err := json.NewDecoder(res.Body).Decode(&event); err != nil || event.Type != "ADDED" {
		t.Errorf("the watch begins with %s %v", event.Type, err)
	}
	if r := k.get(t, "/instances/asia/api/v1/namespaces/shop/configmaps", "Accept", "application/vnd.kubernetes.protobuf"); !bytes.HasPrefix(r.body, []byte("k8s\x00")) {
		t.Errorf("no protobuf: %d", r.code)
	}
}

func TestTheProxyRefusesWhatItHasTo(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "owner"), "asia", "", "")
	for _, c := range []struct {
		name, path string
		headers    []string
		code       int
	}{
		{"another instance", "/instances/europe/api/v1/pods", nil, 404},
		{"one that is not there", "/instances/nowhere/api/v1/pods", nil, 404},
		{"a member of another instance", "/api/clusters/europe.frankfurt/v1/pods", nil, 404},
		{"a member that is not there", "/instances/asia/clusters/nowhere/api/v1/pods", nil, 404},
		{"who acts as somebody else", "/instances/asia/api/v1/pods", []string{"Impersonate-User", "system:admin"}, 403},
		{"who acts as a group", "/instances/asia/api/v1/pods", []string{"Impersonate-Group", "system:masters"}, 403},
		{"a bad token", "/instances/asia/api/v1/pods", []string{"Authorization", "Bearer x" + k.token}, 401},
		{"no path of an instance", "/api/v1/pods", nil, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s := status(t, k.get(t, c.path, c.headers...)); int(s.Code) != c.code {
				t.Errorf("%d %s, want %d", s.Code, s.Message, c.code)
			}
		})
	}
	if out := askAs(t, k.token, `{viewer{name}}`, nil); len(out.Errors) != 1 || out.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
		t.Errorf("the token of a kubeconfig opens the graph: %s %+v", out.Data, out.Errors)
	}
}

func TestWhatIsOpenThroughTheProxyEndsWithTheRight(t *testing.T) {
	whole(t)
	accessBindings := schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "accessbindings"}
	bearer := idTokenOf(t, "stranger")
	create(t, "host", accessBindings, `
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: e2e-stranger-proxy}
spec:
  subject: {kind: User, name: "kairship:oidc:stranger"}
  role: Viewer
  scope: {instance: asia, namespaces: [shop]}
`)
	var k issued
	eventually(t, 10*time.Second, func() error {
		if out := askAs(t, bearer, `{instance(name:"asia"){name}}`, nil); len(out.Errors) > 0 {
			return errors.New(out.Errors[0].Message)
		}
		return nil
	})
	open := func() (ended chan error) {
		var res *http.Response
		eventually(t, 20*time.Second, func() error {
			if res = k.open(t, "/instances/asia/api/v1/namespaces/shop/pods?watch=true"); res.StatusCode != http.StatusOK { //nolint:bodyclose // it is closed below, by whoever reads it
				_ = res.Body.Close()
				return fmt.Errorf("%d", res.StatusCode)
			}
			return nil
		})
		ended = make(chan error, 1)
		go func() {
			defer func() { _ = res.Body.Close() }()
			_, err := io.Copy(io.Discard, res.Body)
			ended <- err
		}()
		return ended
	}
	ends := func(what string, ended chan error, began time.Time) {
		t.Helper()
		select {
		case <-ended:
			t.Logf("%s: the watch ended after %s", what, time.Since(began).Round(time.Millisecond))
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: the watch is still open after five seconds", what)
		}
	}
	k = issue(t, bearer, "asia", "", "shop")
	ended := open()
	began := time.Now()
	if out := askAs(t, bearer, `mutation{revokeKubeconfigs(input:{}){principal userErrors{message}}}`, nil); len(out.Errors) > 0 || !strings.Contains(string(out.Data), "kairship:oidc:stranger") {
		t.Fatalf("got %s %+v", out.Data, out.Errors)
	}
	ends("taking kubeconfigs back", ended, began)
	if s := status(t, k.get(t, "/instances/asia/api/v1/namespaces/shop/pods")); s.Code != http.StatusUnauthorized {
		t.Errorf("it is good for %d", s.Code)
	}
	// A token says to the second when it was issued, and those of the second of the revocation are void.
	eventually(t, 10*time.Second, func() error {
		k = issue(t, bearer, "asia", "", "shop")
		if r := k.get(t, "/instances/asia/api/v1/namespaces/shop/pods"); r.code != http.StatusOK {
			return fmt.Errorf("a new one is good for %d", r.code)
		}
		return nil
	})
	ended = open()
	began = time.Now()
	if err := karmada(t, "host").Resource(accessBindings).Delete(t.Context(), "e2e-stranger-proxy", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	ends("taking the role", ended, began)
	if r := k.get(t, "/instances/asia/api/v1/namespaces/shop/pods"); r.code != http.StatusForbidden {
		t.Errorf("it is good for %d", r.code)
	}
}

// What goes through the proxy is in the audit log.
func TestProxiedWritesAreAudited(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "editor"), "asia", "", "shop")
	k.does(t, "create", "configmap", "e2e-audited", "--from-literal=a=b")
	k.does(t, "delete", "configmap", "e2e-audited")
	eventually(t, 10*time.Second, func() error {
		data, err := read[struct {
			AuditEvents struct {
				Nodes []struct{ Principal, Action, Via, Outcome, Resource, Namespace, Name, InstanceName string }
			}
		}](t, `{auditEvents(filter:{nameContains:"e2e-audited",instances:["asia"]}){nodes{principal action via outcome resource namespace name instanceName}}}`, nil)
		if err != nil {
			return err
		}
		var actions []string
		for _, e := range data.AuditEvents.Nodes {
			if e.Principal == "kairship:oidc:editor" && e.Via == "PROXY" && e.Outcome == "SUCCEEDED" && e.Resource == "configmaps" && e.Namespace == "shop" {
				actions = append(actions, e.Action)
			}
		}
		if !slices.Contains(actions, "create") || !slices.Contains(actions, "delete") {
			return fmt.Errorf("the log has %+v", data.AuditEvents.Nodes)
		}
		return nil
	})
}

// lastBy is whom the audit log of a cluster's API server names for the last request of some verbs to an object.
func lastBy(t *testing.T, cluster, resource, name string, verbs ...string) (by string) {
	t.Helper()
	type request struct {
		Verb             string
		ObjectRef        struct{ Resource, Name string }
		ImpersonatedUser struct{ Username string }
	}
	for r := range auditLines[request](t, cluster, time.Time{}, `"impersonatedUser":`, fmt.Sprintf(`"name":%q`, name)) {
		if slices.Contains(verbs, r.Verb) && r.ObjectRef.Resource == resource && r.ObjectRef.Name == name {
			by = r.ImpersonatedUser.Username
		}
	}
	return by
}
