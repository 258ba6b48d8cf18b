package actions

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// fleet is one instance, "asia", with one member.
type fleet struct{}

func (fleet) Instance(scope rbac.Scope, name string) (*model.Instance, error) {
	if name != "asia" || !scope.Instance(name) {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no such instance"}
	}
	return &model.Instance{Name: name}, nil
}

func (fleet) Clusters(rbac.Scope, string) ([]*model.Cluster, error) {
	return []*model.Cluster{{Name: "tokyo"}}, nil
}

func (fleet) Unjoinable(rbac.Scope, string, string, string) (string, error) { return "", nil }

func (fleet) DecodeCluster(string, []byte) (*model.Cluster, error) { return &model.Cluster{}, nil }

// kept is what the audit log was given.
type kept struct{ events []audit.Event }

func (k *kept) AppendAudit(_ context.Context, events []audit.Event) error {
	k.events = append(k.events, events...)
	return nil
}

// tried is an action that tells which of its steps were run.
type tried struct {
	instance string
	refused  error
	do       func() (string, []model.UserError, error)
	// meant says that it is not only tried.
	meant bool
	steps []string
}

func (a *tried) Verb() string { return "try" }

func (a *tried) Target(auth.Principal) (Target, error) {
	a.steps = append(a.steps, "target")
	if a.instance == "" {
		return Target{}, model.BadInput("id", "is not the id of anything")
	}
	return Target{Ref: model.Ref{Instance: a.instance, Name: "cart"}, Field: "id", DryRun: !a.meant}, nil
}

func (a *tried) Allowed(*Call) error {
	a.steps = append(a.steps, "allowed")
	return a.refused
}

func (a *tried) Do(_ context.Context, call *Call) (string, []model.UserError, error) {
	a.steps = append(a.steps, "do as "+call.Acting().Name)
	return a.do()
}

func TestAnActionIsRunStepByStepAndRecorded(t *testing.T) {
	well := func() (string, []model.UserError, error) { return "done", nil, nil }
	outage := &model.Error{Code: model.CodeUnavailable, Message: "asia is away"}
	const target, allowed, do = "target", "allowed", "do as kairship:host:ann"
	for _, tc := range []struct {
		name   string
		action tried
		steps  []string
		out    string
		// fields are those of the user errors; code is the error's.
		fields  string
		code    model.Code
		outcome audit.Outcome
	}{
		{"that works", tried{instance: "asia", do: well}, []string{target, allowed, do}, "done", "", "", audit.Succeeded},
		{"without a target", tried{do: well}, []string{target}, "", "input.id", "", audit.Failed},
		{"of what the viewer does not see", tried{instance: "europe", do: well}, []string{target}, "", "input.id", "", audit.Failed},
		{"that the viewer may not do", tried{instance: "asia", refused: &model.Error{Code: model.CodeForbidden}, do: well}, []string{target, allowed}, "", "", model.CodeForbidden, audit.Refused},
		{"that finds the input wrong", tried{instance: "asia", do: func() (string, []model.UserError, error) { return "", nil, model.BadInput("replicas", "too many") }},
			[]string{target, allowed, do}, "", "input.replicas", "", audit.Failed},
		{"that Karmada refuses", tried{instance: "asia", do: func() (string, []model.UserError, error) {
			return "", []model.UserError{{Code: string(model.CodeForbidden), Message: "no", Field: []string{"spec"}}}, nil
		}}, []string{target, allowed, do}, "", "spec", "", audit.Refused},
		{"while the instance is away", tried{instance: "asia", do: func() (string, []model.UserError, error) { return "", nil, outage }},
			[]string{target, allowed, do}, "", "", model.CodeUnavailable, audit.Failed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			log, r := start(t)
			out, problems, err := Run(ann(t), r, &tc.action, nil)
			if diff := cmp.Diff(tc.steps, tc.action.steps); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			var fields []string
			for _, p := range problems {
				fields = append(fields, strings.Join(p.Field, "."))
			}
			e := (*model.Error)(nil)
			if code := errors.As(err, &e); out != tc.out || strings.Join(fields, " ") != tc.fields || code != (tc.code != "") || code && e.Code != tc.code || problems == nil {
				t.Errorf("got %q, user errors of %q, %v", out, fields, err)
			}
			events := log(t)
			if len(events) != 1 {
				t.Fatalf("%d events", len(events))
			}
			got := events[0]
			want := audit.Event{Principal: "kairship:host:ann", Action: "try", Via: audit.ViaGraphQL, RequestID: "r-1", Remote: "192.0.2.7", Outcome: tc.outcome, DryRun: tc.action.instance != ""}
			if got.Principal != want.Principal || got.Action != want.Action || got.Via != want.Via || got.RequestID != want.RequestID || got.Remote != want.Remote ||
				got.Outcome != want.Outcome || got.DryRun != want.DryRun || got.Object.Instance != tc.action.instance {
				t.Errorf("recorded as %+v", got)
			}
		})
	}
}

func (a *tried) Again(context.Context, *Call, []byte) (string, error) {
	a.steps = append(a.steps, "again")
	return "done before", nil
}

// oneRun is a store that knows one run.
type oneRun struct{ run *idempotency.Run }

func (o *oneRun) BeginRun(_ context.Context, a idempotency.Attempt) (*idempotency.Run, error) {
	if o.run != nil {
		return o.run, nil
	}
	o.run = &idempotency.Run{Input: a.Input}
	return nil, nil //nolint:nilnil // the first
}

func (o *oneRun) EndRun(_ context.Context, _ idempotency.Attempt, done bool) error {
	if o.run.Done = done; !done {
		o.run = nil
	}
	return nil
}

func TestAnActionUnderAKeyIsDoneOnce(t *testing.T) {
	outage := &model.Error{Code: model.CodeUnavailable}
	for _, tc := range []struct {
		name string
		key  string
		do   func() (string, []model.UserError, error)
		dry  bool
		// ran is how often it is done when it is sent twice; code is the second one's.
		ran  int
		code model.Code
	}{
		{"that works", "k", func() (string, []model.UserError, error) { return "", nil, nil }, false, 1, ""},
		{"without a key", "", func() (string, []model.UserError, error) { return "", nil, nil }, false, 2, ""},
		{"that is only tried", "k", func() (string, []model.UserError, error) { return "", nil, nil }, true, 2, ""},
		{"while the instance is away", "k", func() (string, []model.UserError, error) { return "", nil, outage }, false, 2, model.CodeUnavailable},
		{"that Karmada refuses", "k", func() (string, []model.UserError, error) { return "", []model.UserError{{Message: "no"}}, nil }, false, 2, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			log, r := start(t)
			r.Idempotency = &oneRun{}
			info := request.From(ann(t))
			info.IdempotencyKey = tc.key
			ctx := request.NewContext(ann(t), info)
			a := &tried{instance: "asia", meant: !tc.dry, do: tc.do}
			_, _, _ = Run(ctx, r, a, nil)
			_, _, err := Run(ctx, r, a, nil)
			ran := 0
			for _, step := range a.steps {
				if strings.HasPrefix(step, "do as") {
					ran++
				}
			}
			e := (*model.Error)(nil)
			if code := errors.As(err, &e); ran != tc.ran || code != (tc.code != "") || code && e.Code != tc.code {
				t.Errorf("done %d times, %v; want %d, %q", ran, err, tc.ran, tc.code)
			}
			if n := len(log(t)); n != 2 {
				t.Errorf("%d events in the audit log, want both", n)
			}
		})
	}
}

func TestAnActionThatIsSentAgainIsToldAgain(t *testing.T) {
	outage := &model.Error{Code: model.CodeUnavailable}
	well := func() (string, []model.UserError, error) { return "done", nil, nil }
	id, empty, long := "a", "", strings.Repeat("x", 256)
	for _, tc := range []struct {
		name string
		id   *string
		do   func() (string, []model.UserError, error)
		dry  bool
		// ran is how often it is done when it is sent twice, and out what the second one is told.
		ran int
		out string
	}{
		{"that works", &id, well, false, 1, "done before"},
		{"without an id", nil, well, false, 2, "done"},
		{"with an empty id", &empty, well, false, 2, "done"},
		{"that is only tried", &id, well, true, 2, "done"},
		{"while the instance is away", &id, func() (string, []model.UserError, error) { return "", nil, outage }, false, 2, ""},
		{"that Karmada refuses", &id, func() (string, []model.UserError, error) { return "", []model.UserError{{Message: "no"}}, nil }, false, 2, ""},
		{"with an id that is too long", &long, well, false, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			log, r := start(t)
			r.Idempotency = &oneRun{}
			a := &tried{instance: "asia", meant: !tc.dry, do: tc.do}
			_, _, _ = Run(ann(t), r, a, tc.id)
			out, _, _ := Run(ann(t), r, a, tc.id)
			ran := 0
			for _, step := range a.steps {
				if strings.HasPrefix(step, "do as") {
					ran++
				}
			}
			if ran != tc.ran || out != tc.out {
				t.Errorf("done %d times, and answered %q; want %d, %q", ran, out, tc.ran, tc.out)
			}
			if n := len(log(t)); n != 2 {
				t.Errorf("%d events in the audit log, want both", n)
			}
		})
	}
}

// half is an action on several objects of which one is refused.
type half struct{ tried }

func (a *half) Do(ctx context.Context, call *Call) (string, []model.UserError, error) {
	call.Entry.Object(model.Ref{Instance: "asia", Name: "web"}, audit.ResultOfUserErrors([]model.UserError{{Code: string(model.CodeForbidden), Message: "no"}}))
	return a.tried.Do(ctx, call)
}

// What one object of it was refused for may be put right, and the whole be sent again.
func TestAnActionThatIsDoneInPartMayBeDoneAgain(t *testing.T) {
	log, r := start(t)
	r.Idempotency = &oneRun{}
	info := request.From(ann(t))
	info.IdempotencyKey = "k"
	ctx := request.NewContext(ann(t), info)
	for range 2 {
		if _, _, err := Run(ctx, r, &half{tried{instance: "asia", meant: true, do: func() (string, []model.UserError, error) { return "", nil, nil }}}, nil); err != nil {
			t.Error(err)
		}
	}
	for _, e := range log(t) {
		if e.Outcome != audit.Refused {
			t.Errorf("recorded as %+v", e)
		}
	}
}

func TestAnActionThatPanicsIsRecorded(t *testing.T) {
	log, r := start(t)
	func() {
		defer func() { _ = recover() }()
		_, _, _ = Run(ann(t), r, &tried{instance: "asia", do: func() (string, []model.UserError, error) {
			return strings.Split("", " ")[len(r.Via)], nil, nil
		}}, nil)
		t.Error("it did not panic")
	}()
	if events := log(t); len(events) != 1 || events[0].Outcome != audit.Failed || events[0].Code != string(model.CodeInternal) {
		t.Errorf("recorded as %+v", events)
	}
}

// Whose kubeconfigs are revoked is said by name: nobody could be asked later otherwise.
func TestARevocationIsRecordedWithItsPrincipal(t *testing.T) {
	other := "kairship:oidc:bob"
	for _, tc := range []struct {
		name  string
		whose *string
		want  string
	}{{"the viewer's own", nil, "kairship:host:ann"}, {"somebody else's", &other, other}} {
		t.Run(tc.name, func(t *testing.T) {
			log, r := start(t)
			r.Kubeconfigs = issuer{}
			out, _, err := Run(ann(t), r, &RevokeKubeconfigs{Principal: tc.whose}, nil)
			if err != nil || out.Principal != tc.want {
				t.Errorf("revoked those of %+v: %v", out, err)
			}
			if events := log(t); len(events) != 1 || events[0].Object.Name != tc.want || events[0].Object.Instance != "" {
				t.Errorf("recorded as %+v", events)
			}
		})
	}
}

func TestARevocationNamesWhatIsWrongWithAPrincipal(t *testing.T) {
	for whose, says := range map[string]string{
		"kairship:oidc:bob\x00": "control character", " kairship:oidc:bob": "white space", "kairship:oidc:bob ": "white space",
		"kairship:oidc:" + strings.Repeat("x", 2000): "at most 1024", "bob": "does not say its origin",
	} {
		_, r := start(t)
		r.Kubeconfigs = issuer{}
		_, problems, err := Run(ann(t), r, &RevokeKubeconfigs{Principal: &whose}, nil)
		if err != nil || len(problems) != 1 || strings.Join(problems[0].Field, ".") != "input.principal" || !strings.Contains(problems[0].Message, says) {
			t.Errorf("%.30q: %v, %v", whose, problems, err)
		}
	}
}

type issuer struct{ Kubeconfigs }

func (issuer) Revoke(context.Context, string, string) (time.Time, error) {
	return time.Now().Add(-time.Hour), nil
}

// start gives a runner and what the audit log holds at the end.
func start(t *testing.T) (func(t *testing.T) []audit.Event, *Runner) {
	t.Helper()
	store := &kept{}
	recorder := audit.NewRecorder(store, audit.RecorderOptions{Logger: slog.New(slog.DiscardHandler), Linger: time.Millisecond})
	r := &Runner{Fleet: fleet{}, Audit: recorder, Via: audit.ViaGraphQL, Connect: func(rbac.Scope, string) (karmada.Connection, error) {
		return nil, errors.New("nothing is connected to here")
	}}
	return func(t *testing.T) []audit.Event {
		t.Helper()
		if err := recorder.Close(t.Context()); err != nil {
			t.Error(err)
		}
		return store.events
	}, r
}

// ann is an owner's context.
func ann(t *testing.T) context.Context {
	t.Helper()
	ctx := request.NewContext(t.Context(), request.Info{ID: "r-1", Remote: "192.0.2.7"})
	return rbac.NewAuthorizer([]string{"kairship:host:owners"}).NewContext(ctx, auth.NewPrincipal(auth.OriginHost, "ann", []string{"owners"}))
}

// What is kept of an outcome is what is told of it again.
func TestWhatIsKeptIsToldAgain(t *testing.T) {
	kept := func(v any) []byte {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	name := "cart"
	apply, documents := &ApplyManifests{}, []model.DocumentOutcome{{Index: 1, Name: &name, Outcome: model.OutcomeCreated}}
	if got, err := apply.Again(t.Context(), nil, kept(apply.Kept(documents))); err != nil || !cmp.Equal(got, documents) {
		t.Errorf("documents: %+v, %v", got, err)
	}
	revoke, revoked := &RevokeKubeconfigs{}, &RevokedKubeconfigs{"kairship:oidc:bob", time.Unix(1, 0).UTC()}
	if got, err := revoke.Again(t.Context(), nil, kept(revoke.Kept(revoked))); err != nil || !cmp.Equal(got, revoked) {
		t.Errorf("revoked: %+v, %v", got, err)
	}
}
