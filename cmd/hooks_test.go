package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/database/databasetest"
	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/globalmanagement/journaltest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// openDatabase opens a database as a replica does.
func openDatabase(t *testing.T, dsn string) *database.DB {
	t.Helper()
	l, err := database.Open(database.Options{DSN: dsn, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if _, err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTheDatabaseIsAJournal(t *testing.T) {
	dsn := databasetest.Start(t).Database(t)
	journaltest.Run(t, func(t *testing.T) globalmanagement.Journal { return journal{openDatabase(t, dsn)} })
}

// parseHooks reads flags as the command line does.
func parseHooks(t *testing.T, args ...string) (*Hooks, error) {
	t.Helper()
	var options struct {
		Hooks Hooks `embed:"" prefix:"global-management-"`
	}
	parser, err := kong.New(&options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = parser.Parse(args); err != nil {
		return nil, err
	}
	return &options.Hooks, options.Hooks.validate()
}

func TestTheWebhookNamesTheFlagThatItRefuses(t *testing.T) {
	const secret = "--global-management-secret=x"
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"nothing":                      {nil, ""},
		"a Secret":                     {[]string{secret}, ""},
		"an address":                   {[]string{secret, "--global-management-resync-urls=global-management=https://a/?b=c"}, ""},
		"a Secret and a file":          {[]string{secret, "--global-management-secret-file=/dev/null"}, "--global-management-secret"},
		"an address without a secret":  {[]string{"--global-management-resync-urls=global-management=https://a"}, "--global-management-secret"},
		"an address of nobody":         {[]string{secret, "--global-management-resync-urls=other=https://a"}, `"other"`},
		"authorities without address":  {[]string{secret, "--global-management-ca-file=/dev/null"}, "--global-management-resync-urls"},
		"an interval that is too much": {[]string{secret, "--global-management-resync-interval=1ms"}, "--global-management-resync-interval"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseHooks(t, tt.args...)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}

func TestThereIsNoWebhookWithoutASecretAndNoneWithoutADatabase(t *testing.T) {
	off, err := parseHooks(t)
	if err != nil {
		t.Fatal(err)
	}
	if handler, run, err := off.handler(hooksConfig{}); handler != nil || run != nil || err != nil {
		t.Errorf("without a secret: %v, %v", handler, err)
	}
	on, err := parseHooks(t, "--global-management-secret=x")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := on.handler(hooksConfig{}); err == nil || !strings.Contains(err.Error(), "--database-dsn") {
		t.Errorf("without a database: %v", err)
	}
}

// sourceOfTruth answers with all bindings that a source knows.
type sourceOfTruth struct {
	*httptest.Server
	mu  sync.Mutex
	set string
}

func newSourceOfTruth(t *testing.T) *sourceOfTruth {
	t.Helper()
	s := &sourceOfTruth{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(s.set))
	}))
	t.Cleanup(s.Close)
	return s
}

// says makes people viewers.
func (s *sourceOfTruth) says(sequence int, people ...string) {
	bindings := make([]string, len(people))
	for i, p := range people {
		bindings[i] = viewerOf(p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set = fmt.Sprintf(`{"source":"global-management","sequence":%d,"bindings":[%s]}`, sequence, strings.Join(bindings, ","))
}

func viewerOf(person string) string {
	return fmt.Sprintf(`{"subject":{"kind":"User","name":"kairship:oidc:%s"},"role":"Viewer","scope":{"instance":"asia"}}`, person)
}

// grant is a signed event that makes a person a viewer.
func grant(secret string, sequence int, person string) *http.Request {
	body := fmt.Appendf(nil, `{"id":"e-%d","type":%q,"source":"global-management","sequence":%d,"bindings":[%s]}`,
		sequence, event.BindingUpserted, sequence, viewerOf(person))
	r := httptest.NewRequest(http.MethodPost, globalmanagement.Path, bytes.NewReader(body))
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(globalmanagement.HeaderTimestamp, stamp)
	r.Header.Set(globalmanagement.HeaderSignature, globalmanagement.Sign([]byte(secret), stamp, body))
	return r
}

// TestReplicasOfTheWebhookActAsOne has two of them with one database and one host cluster, as they are wired.
func TestReplicasOfTheWebhookActAsOne(t *testing.T) {
	const namespace, secret = "kairship-system", "0123456789abcdef0123456789abcdef"
	host := testenv.Start(t, testenv.KairshipDefinitions)
	if err := host.EnsureNamespace(namespace); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "global-management"}, Data: map[string][]byte{"hmac": []byte(secret)},
	}); err != nil {
		t.Fatal(err)
	}
	dsn, truth := databasetest.Start(t).Database(t), newSourceOfTruth(t)
	truth.says(0)
	options, err := parseHooks(t, "--global-management-secret=global-management", "--global-management-resync-urls=global-management="+truth.URL,
		"--global-management-resync-interval=1s")
	if err != nil {
		t.Fatal(err)
	}
	l := openDatabase(t, dsn)
	recorder := audit.NewRecorder(l, audit.RecorderOptions{Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = recorder.Close(context.Background()) })
	var replicas []http.Handler
	for _, its := range []*database.DB{l, openDatabase(t, dsn)} {
		handler, run, err := options.handler(hooksConfig{
			Host: host.Config, Namespace: namespace, Database: its, Audit: recorder, Registerer: prometheus.NewRegistry(),
			Address: func(*http.Request) string { return "192.0.2.7" },
		})
		if err != nil {
			t.Fatal(err)
		}
		replicas = append(replicas, handler)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
	send := func(replica int, r *http.Request) (status int, answer globalmanagement.Answer) {
		w := httptest.NewRecorder()
		replicas[replica].ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Errorf("the answer is no JSON: %s", w.Body)
		}
		return w.Code, answer
	}
	reach := func(want ...string) {
		t.Helper()
		testenv.Eventually(t, func() string {
			var list v1alpha1.AccessBindingList
			if err := host.Client.List(t.Context(), &list); err != nil {
				return err.Error()
			}
			var have []string
			for _, b := range list.Items {
				have = append(have, strings.TrimPrefix(b.Spec.Subject.Name, "kairship:oidc:"))
			}
			slices.Sort(have)
			return cmp.Diff(want, have)
		})
	}

	truth.says(1, "alice")
	first := grant(secret, 1, "alice")
	again := first.Clone(t.Context())
	again.Body = grant(secret, 1, "alice").Body
	if status, answer := send(0, first); status != http.StatusOK || answer.Outcome != "applied" && answer.Outcome != "ignored" {
		t.Fatalf("status %d, %+v", status, answer)
	}
	reach("alice")
	if status, _ := send(1, again); status != http.StatusConflict {
		t.Errorf("the same request to another replica: status %d", status)
	}
	if status, _ := send(1, grant("another-secret-of-thirty-two-bytes", 2, "eve")); status != http.StatusUnauthorized {
		t.Errorf("a forged one: status %d", status)
	}

	// Events 2 and 3 never come: bob is to be there, alice is not.
	truth.says(3, "bob")
	reach("bob")

	visible := audit.Visible{All: true}
	testenv.Eventually(t, func() string {
		page, err := audit.NewReader(l).Page(t.Context(), visible, audit.Filter{}, model.Page{First: 50})
		if err != nil {
			return err.Error()
		}
		// Who was quicker, the event or the question, is not said.
		have := map[string]bool{}
		for _, e := range page.Nodes() {
			have[fmt.Sprintf("%s %s %s %s %s %s", e.Via, e.Principal, e.Action, e.Object.GVK.Kind, e.Outcome, e.Message)] = true
		}
		return cmp.Diff(map[string]bool{
			"WEBHOOK kairship:webhook:global-management apply AccessBinding SUCCEEDED Viewer of User kairship:oidc:alice on instance asia":  true,
			"WEBHOOK kairship:webhook:global-management apply AccessBinding SUCCEEDED Viewer of User kairship:oidc:bob on instance asia":    true,
			"WEBHOOK kairship:webhook:global-management remove AccessBinding SUCCEEDED Viewer of User kairship:oidc:alice on instance asia": true,
		}, have)
	})
}

func TestTheAuditLogTellsWhatTheWebhookDid(t *testing.T) {
	viewer := &v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: "Group", Name: "kairship:oidc:ops"}, Role: "Viewer"}
	in := viewer.DeepCopy()
	in.Scope = v1alpha1.AccessScope{Instance: "asia", Namespaces: []string{"shop", "web"}}
	at := time.Unix(1_800_000_000, 0)
	record := func(action globalmanagement.Action, before, after *v1alpha1.AccessBindingSpec, outcome globalmanagement.Outcome, message string) globalmanagement.Record {
		return globalmanagement.Record{Time: at, Source: "hr", EventID: "e-1", Sequence: 7, Address: "192.0.2.7", Action: action, Binding: "global-management-1",
			Before: before, After: after, Outcome: outcome, Message: message}
	}
	event := func(action string, outcome audit.Outcome, code, message string) audit.Event {
		return audit.Event{At: at, Principal: "kairship:webhook:hr", Remote: "192.0.2.7", Action: action, Via: audit.ViaWebhook, RequestID: "e-1",
			Object: model.Ref{GVK: v1alpha1.AccessBindingKind, Name: "global-management-1"}, Outcome: outcome, Code: code, Message: message}
	}
	const everywhere, somewhere = "Viewer of Group kairship:oidc:ops on all instances", "Viewer of Group kairship:oidc:ops on instance asia, namespaces shop, web"
	for name, tt := range map[string]struct {
		record globalmanagement.Record
		want   audit.Event
	}{
		"created":  {record(globalmanagement.ActionApply, nil, viewer, globalmanagement.OutcomeCreated, ""), event("apply", audit.Succeeded, "", everywhere)},
		"updated":  {record(globalmanagement.ActionApply, viewer, in, globalmanagement.OutcomeUpdated, ""), event("apply", audit.Succeeded, "", "from "+everywhere+" to "+somewhere)},
		"removed":  {record(globalmanagement.ActionRemove, in, nil, globalmanagement.OutcomeRemoved, ""), event("remove", audit.Succeeded, "", somewhere)},
		"refused":  {record(globalmanagement.ActionApply, nil, in, globalmanagement.OutcomeRefused, "not allowed"), event("apply", audit.Refused, "BAD_USER_INPUT", "not allowed: "+somewhere)},
		"conflict": {record(globalmanagement.ActionRemove, in, nil, globalmanagement.OutcomeConflict, "taken"), event("remove", audit.Refused, "CONFLICT", "taken: "+somewhere)},
		"failed":   {record(globalmanagement.ActionApply, nil, in, globalmanagement.OutcomeFailed, "away"), event("apply", audit.Failed, "UNAVAILABLE", "away: "+somewhere)},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, auditOf(tt.record)); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
		})
	}
	asked := record(globalmanagement.ActionApply, nil, viewer, globalmanagement.OutcomeCreated, "")
	asked.EventID = ""
	if got := auditOf(asked).RequestID; got != "resync-7" {
		t.Errorf("a change that no event told of has the request id %q", got)
	}
}
