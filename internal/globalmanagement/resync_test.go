package globalmanagement

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/transport"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// management is global management as far as a Resyncer sees it.
type management struct {
	*httptest.Server
	ca string

	mu     sync.Mutex
	answer func(http.ResponseWriter, *http.Request)
	asked  []http.Header
}

func newManagement(t *testing.T) *management {
	t.Helper()
	m := &management{ca: filepath.Join(t.TempDir(), "ca.pem")}
	m.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		answer := m.answer
		m.asked = append(m.asked, r.Header.Clone())
		m.mu.Unlock()
		answer(w, r)
	}))
	m.Config.ErrorLog = nil
	t.Cleanup(m.Close)
	if err := os.WriteFile(m.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: m.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *management) answers(answer func(http.ResponseWriter, *http.Request)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = answer
}

// says makes the answer a set.
func (m *management) says(source string, sequence int64, said ...string) {
	m.writes(set(source, sequence, "", said...))
}

func (m *management) writes(text string) {
	m.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(text))
	})
}

func (m *management) times() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked)
}

// set writes a set.
func set(source string, sequence int64, more string, said ...string) string {
	items := make([]string, len(said))
	for i, one := range said {
		b := of(one)
		items[i] = fmt.Sprintf(`{"subject":{"kind":%q,"name":%q},"role":%q`, b.Subject.Kind, b.Subject.Name, b.Role)
		if b.Scope.Instance != nil {
			items[i] += fmt.Sprintf(`,"scope":{"instance":%q}`, *b.Scope.Instance)
		}
		items[i] += "}"
	}
	return fmt.Sprintf(`{"source":%q,"sequence":%d,"bindings":[%s]%s}`, source, sequence, strings.Join(items, ","), more)
}

func (b *bench) resyncer(t *testing.T, m *management) *Resyncer {
	t.Helper()
	r, err := NewResyncer(b.Hook, ResyncOptions{Source: b.source, URL: m.URL + "/kairship/bindings?cluster=a%2Fb", CAFile: m.ca, Clock: b.clock})
	if err != nil {
		t.Fatal(err)
	}
	r.spread = func(d time.Duration) time.Duration { return d }
	return r
}

// runs runs a Resyncer until the test ends.
func runs(t *testing.T, r *Resyncer) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// reach waits until the bindings are those.
func (b *bench) reach(t *testing.T, want ...string) {
	t.Helper()
	testenv.Eventually(t, func() string { return cmp.Diff(want, b.said(t)) })
}

// rests waits until the Resyncer waits for time to pass.
func (b *bench) rests(t *testing.T) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if !b.clock.HasWaiters() {
			return "the Resyncer is busy"
		}
		return ""
	})
}

func TestAMissedWebhookIsRepaired(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	m.says(b.source, 3, "alice Viewer asia", "bob Viewer asia")
	runs(t, b.resyncer(t, m))
	b.reach(t, "alice Viewer asia", "bob Viewer asia")
	b.rests(t)
	if got := m.times(); got != 1 {
		t.Errorf("asked %d times at the start", got)
	}
	// Sequence 4 gets lost: alice is to go, carol to come. Nobody knows until the next request or the time.
	m.says(b.source, 4, "bob Viewer asia", "carol Viewer asia")
	b.clock.Step(resyncInterval - time.Second)
	if got := m.times(); got != 1 {
		t.Errorf("asked %d times before it is time", got)
	}
	b.clock.Step(time.Second)
	b.reach(t, "bob Viewer asia", "carol Viewer asia")
	b.rests(t)
	if got := b.metric(t, "pulls_total", "source="+b.source, "outcome=applied"); got != 2 {
		t.Errorf("%v pulls are counted", got)
	}

	// Sequence 5 gets lost too, and 6 tells.
	m.says(b.source, 6, "carol Viewer asia", "dave Viewer asia")
	out := b.taken(t, b.event("e6", event.BindingUpserted, 6, "dave Viewer asia"))
	if !out.Resync {
		t.Errorf("the gap is not told: %s", out.text)
	}
	b.reach(t, "carol Viewer asia", "dave Viewer asia")
	b.rests(t)
	if out := b.taken(t, b.event("e7", event.BindingUpserted, 7, "eve Viewer asia")); out.Resync {
		t.Errorf("the gap is told although it is repaired: %s", out.text)
	}
	if got := m.times(); got != 3 {
		t.Errorf("asked %d times", got)
	}
	for _, r := range b.records {
		if r.EventID != "" || r.EventType != "" {
			continue
		}
		if r.Source != b.source || r.Address != strings.TrimPrefix(m.URL, "https://") || r.Sequence == 0 {
			t.Errorf("record of a pull: %+v", r)
		}
	}
}

func TestWhatAPersonRemovedIsPutBackAndNothingElseIsWritten(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	m.says(b.source, 0, "alice Viewer asia", "bob Viewer asia")
	crash := &testenv.Crash{}
	b.start(t, crash.Wrap)
	runs(t, b.resyncer(t, m))
	b.reach(t, "alice Viewer asia", "bob Viewer asia")
	b.rests(t)
	gone := b.bindings(t)[0]
	if err := host.Client.Delete(t.Context(), &gone); err != nil {
		t.Fatal(err)
	}
	before := len(crash.Writes())
	b.clock.Step(resyncInterval)
	b.reach(t, "alice Viewer asia", "bob Viewer asia")
	b.rests(t)
	b.clock.Step(resyncInterval)
	testenv.Eventually(t, func() string {
		if m.times() < 3 {
			return "not asked again"
		}
		return ""
	})
	b.rests(t)
	if got := crash.Writes()[before:]; len(got) != 1 {
		t.Errorf("writes: %v", got)
	}
}

func TestARequestForTheSetIsSignedWithEverySecret(t *testing.T) {
	b := newBench(t)
	b.secrets.set(nil, another, secret)
	m := newManagement(t)
	m.answers(func(w http.ResponseWriter, r *http.Request) {
		signature, refused := readSignature(r.Header)
		for _, one := range []string{secret, another} {
			if refused != nil || !signature.verify([][]byte{[]byte(one)}, []byte(r.RequestURI)) {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
		}
		if r.Method != http.MethodGet || r.RequestURI != "/kairship/bindings?cluster=a%2Fb" || !signature.at.Equal(b.clock.Now()) {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(set(b.source, 1, "", "alice Viewer asia")))
	})
	if _, err := b.resyncer(t, m).attempt(t.Context(), true); err != nil {
		t.Error(err)
	}
	b.reach(t, "alice Viewer asia")
}

func TestAPullThatFailsChangesNothingAndSaysSo(t *testing.T) {
	several := []string{"a Viewer", "b Viewer", "c Viewer", "d Viewer", "e Viewer", "f Viewer", "g Viewer"}
	for _, tt := range []struct {
		name   string
		text   func(source string) string // answered with 200 and JSON
		answer func(http.ResponseWriter, *http.Request)
		change func(*bench, *management)
		reason reason
	}{
		{name: "an error", answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, reason: reasonAnswer},
		{name: "a redirect", answer: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, reason: reasonAnswer},
		{name: "a page", answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, reason: reasonAnswer},
		{name: "no answer", answer: func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = conn.Close()
			}
		}, reason: reasonUnreachable},
		{name: "an answer that breaks off", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"source":`))
		}, reason: reasonUnreachable},
		{name: "an endless answer", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for chunk := []byte(strings.Repeat(" ", 1<<20)); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, reason: reasonTooLarge},
		{name: "no set", text: func(string) string { return `{}` }, reason: reasonBody},
		{name: "no bindings", text: func(source string) string { return `{"source":"` + source + `","sequence":9}` }, reason: reasonBody},
		{name: "an unknown field", text: func(source string) string { return set(source, 9, `,"more":true`, "x Viewer") }, reason: reasonBody},
		{name: "a set of another source", text: func(string) string { return set("stranger", 9, "", "x Viewer") }, reason: reasonSource},
		{name: "an old set", text: func(source string) string { return set(source, 0, "", "x Viewer") }, reason: reasonOutdated},
		{name: "an empty set", text: func(source string) string { return set(source, 9, "") }, reason: reasonUnconfirmed},
		{name: "another set", text: func(source string) string { return set(source, 9, "", "x Viewer", "a Viewer") }, reason: reasonUnconfirmed},
		{name: "no secret", change: func(b *bench, _ *management) { b.secrets.set(errors.New("gone")) }, reason: reasonNoSecret},
		{name: "another authority", change: func(_ *bench, m *management) { _ = os.WriteFile(m.ca, []byte("none"), 0o600) }, reason: reasonUnreachable},
		{name: "nobody there", change: func(_ *bench, m *management) { m.Close() }, reason: reasonUnreachable},
		{name: "the database away", change: func(b *bench, _ *management) { b.journal.failing("begin") }, reason: reasonJournal},
		{name: "the host cluster away", change: func(b *bench, _ *management) { b.start(t, broken) }, reason: reasonHost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			m := newManagement(t)
			b.taken(t, b.event("e1", event.BindingUpserted, 1, several...))
			before := b.said(t)
			switch {
			case tt.answer != nil:
				m.answers(tt.answer)
			case tt.text != nil:
				m.writes(tt.text(b.source))
			default:
				m.says(b.source, 9, "x Viewer")
			}
			if tt.change != nil {
				tt.change(b, m)
			}
			// The file is wrong later, not from the beginning: that would be said at once.
			r, err := NewResyncer(b.Hook, ResyncOptions{Source: b.source, URL: m.URL, Clock: b.clock})
			if err != nil {
				t.Fatal(err)
			}
			r.client.caFile = m.ca
			r.spread = func(d time.Duration) time.Duration { return d }
			runs(t, r)
			testenv.Eventually(t, func() string {
				if b.metric(t, "pulls_total", "source="+b.source, "outcome="+string(tt.reason)) == 0 {
					return "not counted: " + b.log.String()
				}
				return ""
			})
			b.rests(t)
			if !strings.Contains(b.log.String(), string(tt.reason)) || strings.Contains(b.log.String(), secret) {
				t.Errorf("log: %s", b.log)
			}
			if diff := cmp.Diff(before, b.said(t)); diff != "" {
				t.Errorf("bindings (-want +got):\n%s", diff)
			}
			if got := b.journal.state.positions[b.source]; got != (Position{Sequence: 1}) {
				t.Errorf("position: %+v", got)
			}
			// What was wrong is looked at again soon.
			asked := b.metric(t, "pulls_total", "source="+b.source, "outcome="+string(tt.reason))
			b.clock.Step(retryFirst)
			testenv.Eventually(t, func() string {
				if b.metric(t, "pulls_total", "source="+b.source, "outcome="+string(tt.reason)) == asked {
					return "not tried again"
				}
				return ""
			})
		})
	}
}

// broken is a host cluster that does not answer.
var broken transport.WrapperFunc = func(http.RoundTripper) http.RoundTripper {
	return away{}
}

type away struct{}

func (away) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("the host cluster does not answer")
}

func TestARemovalOfMostIsPulledWhenItIsConfirmed(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "a Viewer", "b Viewer", "c Viewer", "d Viewer", "e Viewer", "f Viewer"))
	m.writes(set(b.source, 1, `,"confirmRemovals":true`, "a Viewer"))
	if _, err := b.resyncer(t, m).attempt(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	b.reach(t, "a Viewer")
}

// TestASetThatAnEventOvertookIsFetchedAgain: it would take back what the event said.
func TestASetThatAnEventOvertookIsFetchedAgain(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer"))
	m.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if m.times() == 1 {
			b.taken(t, b.event("e2", event.BindingUpserted, 2, "bob Viewer"))
			_, _ = w.Write([]byte(set(b.source, 1, "", "alice Viewer")))
			return
		}
		_, _ = w.Write([]byte(set(b.source, 2, "", "alice Viewer", "bob Viewer")))
	})
	if _, err := b.resyncer(t, m).attempt(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	b.reach(t, "alice Viewer", "bob Viewer")
	if m.times() != 2 {
		t.Errorf("asked %d times", m.times())
	}
	for _, r := range b.records {
		if r.Action == ActionRemove {
			t.Errorf("something was taken away: %+v", r)
		}
	}
}

func TestWhatAnotherReplicaHasJustFetchedIsNotFetchedAgain(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	m.says(b.source, 1, "alice Viewer")
	r := b.resyncer(t, m)
	for _, tt := range []struct {
		name   string
		after  time.Duration
		behind bool
		asks   bool
	}{
		{"just now", time.Second, false, false},
		{"just now, but something is missing", time.Second, true, true},
		{"a while ago", resyncInterval, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.journal.mu.Lock()
			b.journal.state.positions[b.source] = Position{Sequence: 1, FullSync: b.clock.Now(), Behind: tt.behind}
			b.journal.mu.Unlock()
			b.clock.Step(tt.after)
			before := m.times()
			if _, err := r.attempt(t.Context(), false); err != nil {
				t.Fatal(err)
			}
			if asked := m.times() > before; asked != tt.asks {
				t.Errorf("asked: %v", asked)
			}
		})
	}
}

func TestOnlyAnAddressThatCanBeTrustedIsAsked(t *testing.T) {
	b := newBench(t)
	bad := filepath.Join(t.TempDir(), "bad.pem")
	if err := os.WriteFile(bad, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		options ResyncOptions
		works   bool
	}{
		{"https", ResyncOptions{URL: "https://management.example.com/bindings"}, true},
		{"http on this machine", ResyncOptions{URL: "http://127.0.0.1:8080/bindings"}, true},
		{"http by name on this machine", ResyncOptions{URL: "http://localhost/bindings"}, true},
		{"http elsewhere", ResyncOptions{URL: "http://management.example.com/bindings"}, false},
		{"a name that begins as this machine's", ResyncOptions{URL: "http://localhost.example.com/bindings"}, false},
		{"a file", ResyncOptions{URL: "file:///etc/passwd"}, false},
		{"nothing", ResyncOptions{}, false},
		{"a path", ResyncOptions{URL: "/bindings"}, false},
		{"with a password", ResyncOptions{URL: "https://a:b@management.example.com/"}, false},
		{"another source", ResyncOptions{Source: "stranger", URL: "https://management.example.com/"}, false},
		{"a file without certificates", ResyncOptions{URL: "https://management.example.com/", CAFile: bad}, false},
		{"a file that is not there", ResyncOptions{URL: "https://management.example.com/", CAFile: bad + "-gone"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.options.Source == "" {
				tt.options.Source = b.source
			}
			if _, err := NewResyncer(b.Hook, tt.options); (err == nil) != tt.works {
				t.Errorf("works: %v: %v", err == nil, err)
			}
		})
	}
}

func TestPausesAreSpread(t *testing.T) {
	for range 1000 {
		if d := spread(resyncInterval); d < 9*time.Minute || d >= 11*time.Minute {
			t.Fatalf("a pause of %s", d)
		}
	}
}

func TestAPullThatFailsIsTriedAgainMoreAndMoreSlowly(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	m.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	runs(t, b.resyncer(t, m))
	for i, seconds := range []int{5, 10, 20, 40, 60, 60} {
		pause := time.Duration(seconds) * time.Second
		testenv.Eventually(t, func() string {
			if b.metric(t, "pulls_total", "source="+b.source, "outcome=ANSWER_REFUSED") < float64(i+1) {
				return "not asked again"
			}
			return ""
		})
		b.rests(t)
		// That an event is missing is known: it wakes nobody.
		if i == 0 {
			b.sources[b.source].signal()
		}
		b.clock.Step(pause - time.Second)
		b.rests(t)
		if got := m.times(); got != i+1 {
			t.Fatalf("asked %d times before %s are over", got, pause)
		}
		if len(b.sources[b.source].behind) == 0 && i > 0 {
			t.Fatal("a gap made it ask")
		}
		b.clock.Step(time.Second)
	}
}

func TestABindingThatWaitsForItsFormerSelfIsMadeSoonAfter(t *testing.T) {
	b := newBench(t)
	m := newManagement(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer"))
	name := b.name("alice Viewer")
	b.edit(t, name, func(o *v1alpha1.AccessBinding) { o.Finalizers = []string{"kairship.io/access"} })
	b.taken(t, b.event("e2", event.BindingRemoved, 2, "alice Viewer"))
	m.says(b.source, 3, "alice Viewer")
	runs(t, b.resyncer(t, m))
	b.rests(t)
	if got := b.metric(t, "behind", "source="+b.source); got != 1 {
		t.Errorf("behind: %v", got)
	}
	b.edit(t, name, func(o *v1alpha1.AccessBinding) { o.Finalizers = nil })
	b.clock.Step(retryFirst)
	b.reach(t, "alice Viewer")
}
