package globalmanagement

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

const document = "../../docs/global-management.md"

// blocks are the examples of the document in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, part := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		example, _, _ := strings.Cut(part, "\n```")
		out = append(out, example)
	}
	return out
}

func TestTheExampleOfTheDocumentWorks(t *testing.T) {
	for _, program := range []string{"openssl", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the document's example needs openssl and curl: install %s (%v)", program, err)
		}
	}
	b := newBench(t)
	b.source = DefaultSource
	hook, err := New(Options{Client: host.Client, Journal: newMemory(clock.RealClock{}), Secrets: b.secrets})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(Path, hook)
	server := httptest.NewServer(mux)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	scripts := blocks(t, "sh")
	if len(scripts) != 1 {
		t.Fatalf("%d examples", len(scripts))
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", scripts[0])
	cmd.Env = append(os.Environ(), "KAIRSHIP_URL="+server.URL, "SECRET_FILE="+file)
	out, err := cmd.CombinedOutput()
	var answer Answer
	if err != nil || json.Unmarshal(out, &answer) != nil || answer.Outcome != outcomeApplied {
		t.Errorf("the example answers %s: %v", out, err)
	}
	b.reach(t, "alice Viewer asia")
}

func TestTheDocumentNamesEveryReasonAndOutcome(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for why, kind := range kinds {
		// What only a pull ends with is in the metrics, and INTERNAL a mistake of ours.
		if kind.status != http.StatusBadGateway && why != reasonInternal && !strings.Contains(string(text), "`"+string(why)+"`") {
			t.Errorf("%s is not in the document", why)
		}
	}
	for _, o := range []Outcome{OutcomeCreated, OutcomeUpdated, OutcomeUnchanged, OutcomeRemoved, OutcomeAbsent, OutcomeWaiting, OutcomeRefused, OutcomeConflict} {
		if !strings.Contains(string(text), "`"+string(o)+"`") {
			t.Errorf("%s is not in the document", o)
		}
	}
	for _, kind := range event.Types {
		if !strings.Contains(string(text), "`"+string(kind)+"`") {
			t.Errorf("%s is not in the document", kind)
		}
	}
	examples := blocks(t, "json")
	if _, err := event.Decode([]byte(examples[0])); err != nil {
		t.Errorf("the event: %v", err)
	}
	if _, err := event.DecodeSet([]byte(examples[len(examples)-1])); err != nil {
		t.Errorf("the set: %v", err)
	}
}
