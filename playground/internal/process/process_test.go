package process

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestHash(t *testing.T) {
	base := Spec{Name: "etcd", Path: "/bin/etcd", Args: []string{"--a"}, Env: []string{"X=1", "Y=2"}, Log: "/l", Binary: "1-1"}
	tests := map[string]struct {
		change func(*Spec)
		same   bool
	}{
		"another argument runs differently":           {func(s *Spec) { s.Args = []string{"--b"} }, false},
		"another environment runs differently":        {func(s *Spec) { s.Env = []string{"X=1"} }, false},
		"a rebuilt program runs differently":          {func(s *Spec) { s.Binary = "1-2" }, false},
		"another configuration file runs differently": {func(s *Spec) { s.Config = "c" }, false},
		"another user runs differently":               {func(s *Spec) { s.User = &User{UID: 1} }, false},
		"the environment's order does not matter":     {func(s *Spec) { s.Env = []string{"Y=2", "X=1"} }, true},
		"how it is asked does not matter":             {func(s *Spec) { s.Ready = &Endpoint{URL: "http://x"} }, true},
		"how it is stopped does not matter":           {func(s *Spec) { s.StopGrace, s.StopSignal = 5, "INT" }, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := base
			tt.change(&s)
			if same := s.Hash() == base.Hash(); same != tt.same {
				t.Errorf("same hash: %v, want %v", same, tt.same)
			}
		})
	}
}

func TestASpecSurvivesItsJourney(t *testing.T) {
	want := Spec{Name: "a", Path: "/a", Args: []string{"b"}, Log: "/l", StopGrace: Duration(1500 * time.Millisecond),
		Ready: &Endpoint{URL: "https://x", CA: "/ca"}, User: &User{UID: 3, GID: 4}}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Spec
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spec (-sent +received):\n%s", diff)
	}
	if !strings.Contains(string(b), `"1.5s"`) {
		t.Errorf("the duration is not readable: %s", b)
	}
}

func TestAnUnknownStopSignalIsRefused(t *testing.T) {
	_, err := Spec{Name: "etcd", StopSignal: "HUP"}.Signal()
	if err == nil || !strings.Contains(err.Error(), "etcd") || !strings.Contains(err.Error(), "TERM and INT") {
		t.Errorf("error is %v, want the process and what is allowed", err)
	}
}

func TestStartedAt(t *testing.T) {
	self, err := StartedAt(os.Getpid())
	if err != nil || self == "" {
		t.Fatalf("of this process: %q, %v", self, err)
	}
	again, err := StartedAt(os.Getpid())
	if err != nil || again != self {
		t.Errorf("asked again: %q, %v, want %q", again, err, self)
	}
	// This process may have begun in the same tick of the clock as its child; what runs the tests did not.
	parent, err := StartedAt(os.Getppid())
	if err != nil || parent == "" {
		t.Fatalf("of the parent: %q, %v", parent, err)
	}
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if at, err := StartedAt(cmd.Process.Pid); err != nil || at == "" || at == parent {
		t.Errorf("of a child: %q, %v; the parent's is %q", at, err, parent)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// Killed but not waited for, it is a zombie: that is not running.
	deadline := time.Now().Add(5 * time.Second)
	for {
		at, err := StartedAt(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if at == "" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a dead child still counts as running: %q", at)
		}
		time.Sleep(time.Millisecond) // poll
	}
	cmd.Wait()
	if at, err := StartedAt(cmd.Process.Pid); err != nil || at != "" {
		t.Errorf("of a process that is gone: %q, %v", at, err)
	}
}

func TestDescendantsFindsGrandchildren(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 600 & wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	deadline := time.Now().Add(5 * time.Second)
	for {
		got := Descendants(os.Getpid())
		if len(got) >= 2 { // sh and sleep
			for _, pid := range Descendants(cmd.Process.Pid) {
				if p, err := os.FindProcess(pid); err == nil {
					p.Kill()
				}
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("descendants: %v, want the shell and its child", got)
		}
		time.Sleep(time.Millisecond) // poll
	}
}

func TestATakenPortIsNamedWithItsHolder(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	err = CheckPorts([]Spec{{Name: "asia-apiserver", Ports: []int{port}}})
	if err == nil {
		t.Fatal("a taken port was not noticed")
	}
	for _, want := range []string{fmt.Sprint(port), "asia-apiserver", fmt.Sprintf("process %d", os.Getpid())} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message %q does not name %q", err, want)
		}
	}
}

func TestAFreePortIsNoProblem(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	if err := CheckPorts([]Spec{{Name: "asia-apiserver", Ports: []int{port}}}); err != nil {
		t.Error(err)
	}
}

func TestDigestKnowsContentAndNotTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kairship")
	digest := func(content string, at time.Time) string {
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		d, err := Digest(path)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := digest("a", time.Unix(1, 0))
	if got := digest("a", time.Unix(2, 0)); got != first {
		t.Error("the same content built again counts as changed")
	}
	if got := digest("b", time.Unix(1, 0)); got == first {
		t.Error("other content of the same size and time counts as unchanged")
	}
}
