package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/globalmanagement"
)

// gone is how soon a role that global management took away is to be of no use any more.
const gone = 5 * time.Second

// management is global management, as the source of that name.
type management struct {
	t      *testing.T
	secret []byte
	// sequence is that of the last event.
	sequence int64
}

// hookAnswer is what Kairship says to an event.
type hookAnswer struct {
	status int
	globalmanagement.Answer
	Error struct{ Code, Reason, Message string }
}

// newManagement takes up the count where Kairship is. The bindings of the source go with the test.
func newManagement(t *testing.T) *management {
	t.Helper()
	secret, err := os.ReadFile(filepath.Join(stateDir(), "config", "global-management-secret"))
	if err != nil {
		t.Fatal(err)
	}
	m := &management{t: t, secret: bytes.TrimSpace(secret)}
	// Of no effect, whether it comes in its turn or not.
	m.sequence = m.taken(m.event(1, "binding.removed", `"bindings": [`+viewerOfAsia("nobody")+`]`)).Sequence
	t.Cleanup(func() { m.sync() })
	return m
}

// sync tells all bindings there are, until they are so: one that was just taken away has to be gone from every
// Karmada before it is there again.
func (m *management) sync(bindings ...string) {
	m.t.Helper()
	content := `"confirmRemovals": true, "bindings": [` + strings.Join(bindings, ", ") + `]`
	eventually(m.t, 30*time.Second, func() error {
		if a := m.taken(m.next("sync.full", content)); a.Outcome != "applied" || a.Resync {
			return fmt.Errorf("something is missing: %+v", a)
		}
		return nil
	})
}

// viewerOfAsia makes a person a viewer of asia.
func viewerOfAsia(person string) string {
	return fmt.Sprintf(`{"subject": {"kind": "User", "name": "kairship:oidc:%s"}, "role": "Viewer", "scope": {"instance": "asia"}}`, person)
}

// event writes an event with an id of its own.
func (m *management) event(sequence int64, kind, content string) []byte {
	return fmt.Appendf(nil, `{"id": "e2e-%d", "type": %q, "source": "global-management", "sequence": %d, %s}`,
		time.Now().UnixNano(), kind, sequence, content)
}

// next writes the event that is due.
func (m *management) next(kind, content string) []byte {
	m.sequence++
	return m.event(m.sequence, kind, content)
}

// headers are those of a body that was signed at a time.
func (m *management) headers(secret, body []byte, at time.Time) http.Header {
	stamp := strconv.FormatInt(at.Unix(), 10)
	return http.Header{
		"Content-Type":                   {"application/json"},
		globalmanagement.HeaderTimestamp: {stamp},
		globalmanagement.HeaderSignature: {globalmanagement.Sign(secret, stamp, body)},
	}
}

func (m *management) send(body []byte, header http.Header) hookAnswer {
	m.t.Helper()
	request, err := http.NewRequest(http.MethodPost, address+globalmanagement.Path, bytes.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	a := hookAnswer{status: response.StatusCode}
	if err := json.Unmarshal(text, &a); err != nil {
		m.t.Fatalf("status %d, decoding %.500s: %v", response.StatusCode, text, err)
	}
	return a
}

// taken sends an event that is to be taken.
func (m *management) taken(body []byte) hookAnswer {
	m.t.Helper()
	a := m.send(body, m.headers(m.secret, body, time.Now()))
	if a.status != http.StatusOK {
		m.t.Fatalf("%s is refused: %+v", body, a)
	}
	return a
}

// workloadsOf is the error code with which somebody's question for the workloads of asia ends; empty for none.
func workloadsOf(t *testing.T, bearer string) string {
	t.Helper()
	if out := askAs(t, bearer, `{instance(name:"asia"){workloads(first:1){nodes{name}}}}`, nil); len(out.Errors) > 0 {
		return out.Errors[0].Extensions.Code
	}
	return ""
}

func comesTo(t *testing.T, bearer, code string) time.Duration {
	t.Helper()
	return eventually(t, gone, func() error {
		if got := workloadsOf(t, bearer); got != code {
			return fmt.Errorf("the answer is %q, want %q", got, code)
		}
		return nil
	})
}

func TestGlobalManagementGivesARoleAndTakesIt(t *testing.T) {
	whole(t)
	m, stranger := newManagement(t), idTokenOf(t, "stranger")
	comesTo(t, stranger, "FORBIDDEN")

	given := m.taken(m.next("binding.upserted", `"bindings": [`+viewerOfAsia("stranger")+`]`))
	if given.Outcome != "applied" || len(given.Items) != 1 || given.Items[0].Outcome != globalmanagement.OutcomeCreated {
		t.Fatalf("%+v", given)
	}
	t.Logf("seen after %s", comesTo(t, stranger, ""))
	s := subscribeAs(t, stranger, `subscription { workloads(instance: "asia", filter: {namespaces: ["shop"]}) { type } }`, nil)
	for next[struct{ Type string }](s, 10*time.Second, "workloads").Type != "SYNCED" {
		continue
	}

	taken := m.taken(m.next("binding.removed", `"bindings": [`+viewerOfAsia("stranger")+`]`))
	if len(taken.Items) != 1 || taken.Items[0].Outcome != globalmanagement.OutcomeRemoved {
		t.Errorf("%+v", taken)
	}
	until := time.NewTimer(gone)
	defer until.Stop()
	t.Logf("gone from queries after %s", comesTo(t, stranger, "FORBIDDEN"))
	for open := true; open; {
		select {
		case _, open = <-s.events:
		case <-until.C:
			t.Fatalf("the subscription is open %s after the role was taken", gone)
		}
	}
	if s.closed != 4403 {
		t.Errorf("the subscription ended with %d", s.closed)
	}

	var log struct {
		AuditEvents struct {
			Nodes []struct{ Via, Principal, Action, Outcome, Message string }
		}
	}
	eventually(t, 10*time.Second, func() error {
		var err error
		if log, err = read[struct {
			AuditEvents struct {
				Nodes []struct{ Via, Principal, Action, Outcome, Message string }
			}
		}](t, `{auditEvents(first: 2, filter: {principals: ["kairship:webhook:global-management"], kinds: ["AccessBinding"]}) {nodes{via principal action outcome message}}}`, nil); err != nil {
			return err
		}
		if nodes := log.AuditEvents.Nodes; len(nodes) != 2 || nodes[0].Action != "remove" || nodes[1].Action != "apply" {
			return fmt.Errorf("the audit log has %+v", nodes)
		}
		return nil
	})
	for _, e := range log.AuditEvents.Nodes {
		if e.Via != "WEBHOOK" || e.Outcome != "SUCCEEDED" || !strings.Contains(e.Message, "Viewer of User kairship:oidc:stranger on instance asia") {
			t.Errorf("the audit log has %+v", e)
		}
	}
}

func TestWhatGlobalManagementDidNotSignNowIsRefused(t *testing.T) {
	whole(t)
	m, stranger := newManagement(t), idTokenOf(t, "stranger")
	body := m.event(m.sequence+1, "binding.upserted", `"bindings": [`+viewerOfAsia("stranger")+`]`)
	now := time.Now()
	unsigned := m.headers(m.secret, body, now)
	unsigned.Del(globalmanagement.HeaderSignature)
	for name, c := range map[string]struct {
		body   []byte
		header http.Header
		reason string
	}{
		"unsigned":                   {body, unsigned, "UNSIGNED"},
		"with another secret":        {body, m.headers([]byte(strings.Repeat("x", 64)), body, now), "SIGNATURE_WRONG"},
		"changed on its way":         {bytes.Replace(body, []byte("Viewer"), []byte("Admin"), 1), m.headers(m.secret, body, now), "SIGNATURE_WRONG"},
		"kept for ten minutes":       {body, m.headers(m.secret, body, now.Add(-10*time.Minute)), "LATE"},
		"of a time that is to come":  {body, m.headers(m.secret, body, now.Add(10*time.Minute)), "EARLY"},
		"with a token in its stead":  {body, http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}, "UNSIGNED"},
		"with a signature that is a": {body, http.Header{"Content-Type": {"application/json"}, globalmanagement.HeaderTimestamp: {"1"}, globalmanagement.HeaderSignature: {"a"}}, "SIGNATURE_MALFORMED"},
	} {
		if a := m.send(c.body, c.header); a.status != http.StatusUnauthorized || a.Error.Reason != c.reason || a.Error.Code != "UNAUTHENTICATED" {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if got := workloadsOf(t, stranger); got != "FORBIDDEN" {
		t.Errorf("after all that the answer is %q", got)
	}

	// The very same request again is a replay; the same event signed anew is one that was sent again.
	m.sequence++
	header := m.headers(m.secret, body, time.Now())
	if a := m.send(body, header); a.status != http.StatusOK || a.Outcome != "applied" {
		t.Fatalf("%+v", a)
	}
	if a := m.send(body, header); a.status != http.StatusConflict || a.Error.Reason != "REPLAYED" {
		t.Errorf("replayed: %+v", a)
	}
	if a := m.send(body, m.headers(m.secret, body, time.Now().Add(time.Second))); a.status != http.StatusOK || a.Outcome != "duplicate" {
		t.Errorf("sent again: %+v", a)
	}
}

func TestAFullSyncRepairsWhatWasMissed(t *testing.T) {
	whole(t)
	m, stranger := newManagement(t), idTokenOf(t, "stranger")
	comesTo(t, stranger, "FORBIDDEN")
	m.next("binding.upserted", `"bindings": [`+viewerOfAsia("stranger")+`]`) // it never arrives
	a := m.taken(m.next("binding.upserted", `"bindings": [`+viewerOfAsia("nobody")+`]`))
	if a.Outcome != "applied" || !a.Resync {
		t.Fatalf("nothing is said to be missing: %+v", a)
	}
	if got := workloadsOf(t, stranger); got != "FORBIDDEN" {
		t.Fatalf("the answer is %q", got)
	}
	m.sync(viewerOfAsia("stranger"), viewerOfAsia("nobody"))
	comesTo(t, stranger, "")
	m.sync(viewerOfAsia("nobody"))
	comesTo(t, stranger, "FORBIDDEN")
}
