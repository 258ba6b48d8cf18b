package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/remotecommand"
)

// shell is a terminal over a WebSocket, as a browser opens one.
type shell struct {
	conn *websocket.Conn

	mu     sync.Mutex
	said   string
	status *metav1.Status
	ended  chan struct{}
}

// openShell opens one at an address; the answer is that of a server that opens none.
func openShell(t *testing.T, client *http.Client, at, protocol string, headers ...string) (*shell, reply) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	options := &websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{}, Subprotocols: []string{protocol}}
	for i := 0; i < len(headers); i += 2 {
		options.HTTPHeader.Set(headers[i], headers[i+1])
	}
	conn, res, err := websocket.Dial(ctx, at, options)
	if err != nil {
		if res == nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, _ := io.ReadAll(res.Body)
		return nil, reply{res.StatusCode, body}
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	s := &shell{conn: conn, ended: make(chan struct{})}
	go s.read()
	return s, reply{code: http.StatusSwitchingProtocols}
}

// read keeps what is said until the connection ends.
func (s *shell) read() {
	defer close(s.ended)
	for {
		_, message, err := s.conn.Read(context.Background())
		if err != nil {
			return
		}
		if len(message) == 0 {
			continue
		}
		s.mu.Lock()
		switch message[0] {
		case remotecommand.StreamStdOut, remotecommand.StreamStdErr:
			s.said += string(message[1:])
		case remotecommand.StreamErr:
			var status metav1.Status
			if json.Unmarshal(message[1:], &status) == nil {
				s.status = &status
			}
		}
		s.mu.Unlock()
	}
}

func (s *shell) types(t *testing.T, text string) {
	t.Helper()
	if err := s.conn.Write(t.Context(), websocket.MessageBinary, append([]byte{remotecommand.StreamStdIn}, text...)); err != nil {
		t.Fatal(err)
	}
}

// says waits until a text is said, and returns what was said before it.
func (s *shell) says(t *testing.T, text string) (before string) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		at := strings.Index(s.said, text)
		if at < 0 {
			return fmt.Errorf("it says %q", s.said)
		}
		before, s.said = s.said[:at], s.said[at+len(text):]
		return nil
	})
	return before
}

// ends waits until the connection has ended, and returns what its status says.
func (s *shell) ends(t *testing.T, within time.Duration) metav1.Status {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(within):
		t.Fatalf("it is still open after %s", within)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status == nil {
		return metav1.Status{}
	}
	return *s.status
}

// signIn signs somebody in by the pages of a browser, and returns its client, which has the session's cookie.
func signIn(t *testing.T, person string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(filepath.Join(stateDir(), "pki", "kairship", "ca.crt"))
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(ca) {
		t.Fatal("the fleet's certificate authority cannot be read", err)
	}
	client := &http.Client{Jar: jar, Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	t.Cleanup(client.CloseIdleConnections)
	password, err := os.ReadFile(filepath.Join(stateDir(), "config", "oidc-password"))
	if err != nil {
		t.Fatal(err)
	}
	get := func(res *http.Response, err error) (at *url.URL, page string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.Request.URL, string(body)
	}
	form, input := regexp.MustCompile(`<form[^>]*action="([^"]*)"`), regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)
	attribute := func(tag, name string) string {
		found := regexp.MustCompile(name + `="([^"]*)"`).FindStringSubmatch(tag)
		if found == nil {
			return ""
		}
		return html.UnescapeString(found[1])
	}
	at, page := get(client.Get(address + "/auth/sign-in")) //nolint:bodyclose // get closes it
	for range 3 {
		found := form.FindStringSubmatch(page)
		if found == nil {
			break
		}
		action, err := at.Parse(html.UnescapeString(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		values := url.Values{"user": {person}, "password": {strings.TrimSpace(string(password))}}
		for _, tag := range input.FindAllString(page, -1) {
			values.Set(attribute(tag, "name"), attribute(tag, "value"))
		}
		at, page = get(client.PostForm(action.String(), values)) //nolint:bodyclose // get closes it
	}
	return client
}

// aPod is the name of a pod of a workload in a member, for whoever has the kubeconfig.
func aPod(t *testing.T, k issued) string {
	t.Helper()
	k.reaches(t, "get", "pods")
	pods := strings.Fields(k.does(t, "get", "pods", "-o", "jsonpath={.items[?(@.status.phase==\"Running\")].metadata.name}"))
	if len(pods) == 0 {
		t.Fatal("there is no pod that runs")
	}
	return pods[0]
}

// execPath is the path of a command in a pod of hangzhou.
func execPath(pod string, command ...string) string {
	query := url.Values{"command": command, "stdin": {"true"}, "stdout": {"true"}, "tty": {"true"}}
	return "/instances/asia/clusters/hangzhou/api/v1/namespaces/shop/pods/" + pod + "/exec?" + query.Encode()
}

func TestAPodsShellIsOpenedByAnyClient(t *testing.T) {
	whole(t)
	k := issue(t, idTokenOf(t, "editor"), "asia", "hangzhou", "shop")
	pod := aPod(t, k)
	works := func(t *testing.T, s *shell, r reply) {
		t.Helper()
		if s == nil {
			t.Fatalf("%d %s", r.code, r.body)
		}
		s.types(t, "echo hel''lo\n")
		s.says(t, "hello")
		s.types(t, "exit 3\n")                                                                                                                // alone: kwok drops what is said last
		if status := s.ends(t, 30*time.Second); status.Status != metav1.StatusFailure || !strings.Contains(status.Message, "exit status 3") { // in kwok's words
			t.Errorf("it ended with %+v", status)
		}
	}
	browser := signIn(t, "editor")
	t.Run("a page of this host", func(t *testing.T) {
		s, r := openShell(t, browser, address+execPath(pod, "sh"), remotecommand.StreamProtocolV5Name, "Origin", address)
		works(t, s, r)
	})
	for _, origin := range []string{"https://evil.example", "null", ""} {
		t.Run("a page of "+origin, func(t *testing.T) {
			var headers []string
			if origin != "" {
				headers = []string{"Origin", origin}
			}
			if s, r := openShell(t, browser, address+execPath(pod, "sh"), remotecommand.StreamProtocolV5Name, headers...); s != nil || status(t, r).Code != http.StatusForbidden {
				t.Errorf("%d %s", r.code, r.body)
			}
		})
	}
	for _, protocol := range []string{remotecommand.StreamProtocolV5Name, remotecommand.StreamProtocolV4Name} {
		t.Run("a script by "+protocol, func(t *testing.T) {
			s, r := openShell(t, nil, address+execPath(pod, "sh"), protocol, "Authorization", "Bearer "+idTokenOf(t, "editor"))
			works(t, s, r)
		})
	}
	t.Run("what is attached to", func(t *testing.T) {
		began := time.Now().Add(-time.Second)
		// What a pod says from now on, and those of the playground say nothing.
		s, r := openShell(t, nil, address+"/instances/asia/clusters/hangzhou/api/v1/namespaces/shop/pods/"+pod+"/attach?stdout=true", remotecommand.StreamProtocolV5Name, "Authorization", "Bearer "+idTokenOf(t, "editor"))
		if s == nil {
			t.Fatalf("%d %s", r.code, r.body)
		}
		_ = s.conn.CloseNow()
		if _, ended := shellAudited(t, "kairship:oidc:editor", "attach", began); ended.Outcome != "SUCCEEDED" || ended.Name != pod || ended.Message != "it has ended" {
			t.Errorf("the log has %+v", ended)
		}
	})
	// The member's own words, to whoever may see the pod and not look inside.
	v := issue(t, idTokenOf(t, "viewer"), "europe", "frankfurt", "shop")
	of := aPod(t, v)
	v.refused(t, `User "kairship:oidc:viewer" cannot (create|get) resource "pods/exec"`, "exec", of, "--", "sh")
	path := strings.NewReplacer("asia", "europe", "hangzhou", "frankfurt").Replace(execPath(of, "sh"))
	s, r := openShell(t, nil, address+path, remotecommand.StreamProtocolV5Name, "Authorization", "Bearer "+idTokenOf(t, "viewer"))
	if s != nil {
		t.Fatal("a viewer has a shell")
	}
	if status := status(t, r); status.Code != http.StatusForbidden || !strings.Contains(status.Message, `"kairship:oidc:viewer" cannot`) {
		t.Errorf("got %+v", status)
	}
}

// bindStranger gives the playground's stranger a role in shop of asia, and returns what takes it.
func bindStranger(t *testing.T, name, role string) (bearer string, take func()) {
	t.Helper()
	accessBindings := schema.GroupVersionResource{Group: "kairship.io", Version: "v1alpha1", Resource: "accessbindings"}
	bearer = idTokenOf(t, "stranger")
	create(t, "host", accessBindings, fmt.Sprintf(`
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: %s}
spec:
  subject: {kind: User, name: "kairship:oidc:stranger"}
  role: %s
  scope: {instance: asia, namespaces: [shop]}
`, name, role))
	eventually(t, 10*time.Second, func() error {
		if out := askAs(t, bearer, `{instance(name:"asia"){name}}`, nil); len(out.Errors) > 0 {
			return errors.New(out.Errors[0].Message)
		}
		return nil
	})
	return bearer, func() {
		t.Helper()
		if err := karmada(t, "host").Resource(accessBindings).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// auditEvent is what the graph tells of an event.
type auditEvent struct {
	Principal, Action, Via, Outcome, Code, Message, Namespace, Name, InstanceName, ClusterName, RequestID string
	DurationSeconds                                                                                       float64
}

// shellAudited waits until the audit log has the beginning and the end of what somebody has just done, and returns both.
func shellAudited(t *testing.T, principal, action string, since time.Time) (started, ended auditEvent) {
	t.Helper()
	eventually(t, 20*time.Second, func() error {
		data, err := read[struct{ AuditEvents struct{ Nodes []auditEvent } }](t, `query($f: AuditFilter!) { auditEvents(filter: $f) { nodes {
			principal action via outcome code message namespace name instanceName clusterName requestId durationSeconds } } }`,
			map[string]any{"f": map[string]any{"principals": []string{principal}, "actions": []string{action}, "since": since.UTC().Format(time.RFC3339Nano)}})
		if err != nil {
			return err
		}
		found := data.AuditEvents.Nodes
		if len(found) != 2 {
			return fmt.Errorf("the log has %+v", found)
		}
		started, ended = found[0], found[1]
		if started.Outcome != "STARTED" {
			started, ended = ended, started
		}
		if started.Outcome != "STARTED" || started.RequestID == "" || started.RequestID != ended.RequestID {
			return fmt.Errorf("the log has %+v", found)
		}
		return nil
	})
	return started, ended
}

func TestAShellEndsWithTheRightAndIsAuditedFromBeginningToEnd(t *testing.T) {
	whole(t)
	bearer, take := bindStranger(t, "e2e-stranger-shell", "Editor")
	k := issue(t, bearer, "asia", "hangzhou", "shop")
	pod := aPod(t, k)
	began := time.Now().Add(-time.Second)
	s, r := openShell(t, nil, address+execPath(pod, "sh", "-c", "echo re''ady; exec cat"), remotecommand.StreamProtocolV5Name, "Authorization", "Bearer "+k.token)
	if s == nil {
		t.Fatalf("%d %s", r.code, r.body)
	}
	s.says(t, "ready")
	s.types(t, "my-secret-words\n")
	s.says(t, "my-secret-words")
	taken := time.Now()
	take()
	s.ends(t, 5*time.Second)
	t.Logf("the shell ended after %s", time.Since(taken).Round(time.Millisecond))
	started, ended := shellAudited(t, "kairship:oidc:stranger", "exec", began)
	for _, e := range []auditEvent{started, ended} {
		if e.Via != "PROXY" || e.Namespace != "shop" || e.Name != pod || e.InstanceName != "asia" || e.ClusterName != "hangzhou" || !strings.Contains(e.Message, `exec cat`) || strings.Contains(e.Message, "my-secret-words") {
			t.Errorf("got %+v", e)
		}
	}
	if ended.Outcome != "REFUSED" || !strings.Contains(ended.Message, "the right to it was lost") || ended.DurationSeconds <= started.DurationSeconds {
		t.Errorf("it ended as %+v", ended)
	}
}
