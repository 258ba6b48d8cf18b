package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/remotecommand"
)

// consoles reports whether the fleet has any: where the playground can keep their shells from the fleet's files.
func consoles() bool {
	_, err := os.Stat(filepath.Join(stateDir(), "data", "kairship-console-runner"))
	return err == nil
}

// openConsole opens a console of an instance; nil where this fleet has none, which is said then.
func openConsole(t *testing.T, bearer, instance string) *shell {
	t.Helper()
	out := askAs(t, bearer, `query($i: String!) { instance(name: $i) { console { available reason } } }`, map[string]any{"i": instance})
	there := strings.Contains(string(out.Data), `"available":true,"reason":null`)
	if there != consoles() {
		t.Fatalf("the graph says %s", out.Data)
	}
	s, r := openShell(t, nil, address+"/instances/"+instance+"/console", remotecommand.StreamProtocolV5Name, "Authorization", "Bearer "+bearer)
	switch {
	case s == nil && there:
		t.Fatalf("%d %s", r.code, r.body)
	case s == nil:
		if status := status(t, r); status.Code != http.StatusNotFound || !strings.Contains(status.Message, "kairship console-runner") {
			t.Errorf("got %+v", status)
		}
	}
	return s
}

// does runs commands in a console, and returns what they say.
func (s *shell) does(t *testing.T, commands string) string {
	t.Helper()
	s.types(t, "stty -echo; PS1=; bind 'set enable-bracketed-paste off'; echo be''gin; "+commands+"; echo en''d\n")
	s.says(t, "begin\r\n")
	return strings.ReplaceAll(s.says(t, "end\r\n"), "\r\n", "\n")
}

func TestAConsoleActsAsThePersonForAsLongAsItIsOpen(t *testing.T) {
	whole(t)
	editor := idTokenOf(t, "editor")
	k := issue(t, editor, "asia", "", "")
	began := time.Now().Add(-time.Second)
	s := openConsole(t, editor, "asia")
	if s == nil {
		return
	}
	// What the same person's kubectl is told elsewhere.
	for _, args := range [][]string{
		{"get", "clusters", "-o", "name"}, {"get", "deployments", "-n", "shop", "-o", "name"}, {"get", "deployments", "-n", "platform"}, {"auth", "whoami", "-o", "jsonpath={.status.userInfo.username}{\"\\n\"}"},
	} {
		want, _ := k.kubectl(t, args...)
		quoted := make([]string, len(args))
		for i, a := range args {
			quoted[i] = "'" + a + "'"
		}
		if got := s.does(t, "kubectl "+strings.Join(quoted, " ")+" 2>&1"); got != want || want == "" {
			t.Errorf("kubectl %s: %q, elsewhere %q", strings.Join(args, " "), got, want)
		}
	}
	if got := s.does(t, "karmadactl get deployments -n shop 2>&1"); !strings.Contains(got, "checkout") {
		t.Errorf("karmadactl says %q", got)
	}
	if got := s.does(t, "kubectl --context asia/hangzhou get pods -n shop -o name 2>&1 | head -1"); !strings.HasPrefix(got, "pod/") {
		t.Errorf("of a member it says %q", got)
	}
	if got := s.does(t, "kubectl create configmap e2e-console -n shop --from-literal=a=b 2>&1; kubectl delete configmap e2e-console -n shop 2>&1"); !strings.Contains(got, "created") || !strings.Contains(got, "deleted") {
		t.Errorf("writing, it says %q", got)
	}
	// Nothing of the fleet is there.
	got := s.does(t, fmt.Sprintf("ls %s; cat /etc/kairship/console-token; ls /run/kairship-console; ls /run/console; echo; id -u; env | cut -d= -f1 | sort | tr '\\n' ' '", stateDir()))
	if !strings.Contains(got, "cannot access") || strings.Count(got, "Permission denied") != 3 || strings.Contains(got, "\n0\n") {
		t.Errorf("it may see %q", got)
	}
	token := strings.TrimSpace(s.does(t, "sed -n 's/ *token: //p' $KUBECONFIG"))
	k.token = token
	if r := k.get(t, "/instances/asia/api/v1/namespaces/shop/configmaps"); r.code != http.StatusOK {
		t.Errorf("while it is open its credential is good for %d", r.code)
	}
	s.types(t, "exit 4\n")
	if status := s.ends(t, 30*time.Second); status.Reason != remotecommand.NonZeroExitCodeReason || status.Details.Causes[0].Message != "4" {
		t.Errorf("it ended with %+v", status)
	}
	if r := k.get(t, "/instances/asia/api/v1/namespaces/shop/configmaps"); r.code != http.StatusUnauthorized {
		t.Errorf("afterwards its credential is good for %d", r.code)
	}
	started, ended := shellAudited(t, "kairship:oidc:editor", "console", began)
	if started.InstanceName != "asia" || ended.Outcome != "SUCCEEDED" || !strings.Contains(ended.Message, "exit code 4") || ended.DurationSeconds <= started.DurationSeconds {
		t.Errorf("the log has %+v and %+v", started, ended)
	}
}

func TestAConsoleOfAViewerReadsOnly(t *testing.T) {
	whole(t)
	s := openConsole(t, idTokenOf(t, "viewer"), "europe")
	if s == nil {
		return
	}
	if got := s.does(t, "kubectl get clusters -o name 2>&1; kubectl create configmap e2e-console -n shop 2>&1; kubectl --context europe/frankfurt delete pods --all -n shop 2>&1"); !strings.Contains(got, "cluster.cluster.karmada.io/frankfurt") ||
		!strings.Contains(got, `"kairship:oidc:viewer" cannot create resource "configmaps"`) || !strings.Contains(got, `"kairship:oidc:viewer" cannot`) {
		t.Errorf("it says %q", got)
	}
	if got := s.does(t, "karmadactl get deployments -n shop --operation-scope members 2>&1"); !strings.Contains(got, "frankfurt") {
		t.Errorf("karmadactl says %q", got)
	}
	if s, r := openShell(t, nil, address+"/instances/asia/console", remotecommand.StreamProtocolV5Name, "Authorization", "Bearer "+idTokenOf(t, "viewer")); s != nil || status(t, r).Code != http.StatusNotFound {
		t.Errorf("of an instance that they do not see: %d %s", r.code, r.body)
	}
}

func TestAConsoleEndsWithTheRight(t *testing.T) {
	whole(t)
	bearer, take := bindStranger(t, "e2e-stranger-console", "Viewer")
	began := time.Now().Add(-time.Second)
	s := openConsole(t, bearer, "asia")
	if s == nil {
		take()
		return
	}
	s.does(t, "setsid sleep 987654 & true")
	taken := time.Now()
	take()
	status := s.ends(t, 5*time.Second)
	t.Logf("the console ended after %s", time.Since(taken).Round(time.Millisecond))
	if status.Status != "Failure" || !strings.Contains(status.Message, "the console ended") {
		t.Errorf("it ended with %+v", status)
	}
	eventually(t, 5*time.Second, func() error {
		if runs(t, "987654") {
			return fmt.Errorf("what it started goes on")
		}
		return nil
	})
	if _, ended := shellAudited(t, "kairship:oidc:stranger", "console", began); ended.Outcome != "REFUSED" {
		t.Errorf("the log has %+v", ended)
	}
}

// runs reports whether a process runs on this machine with an argument.
func runs(t *testing.T, argument string) bool {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if raw, err := os.ReadFile("/proc/" + e.Name() + "/cmdline"); err == nil && strings.Contains(string(raw), argument) {
			return true
		}
	}
	return false
}
