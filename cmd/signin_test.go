package cmd

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/session"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// kept is what a recorder has stored.
type kept struct {
	mu     sync.Mutex
	events []audit.Event
}

func (k *kept) AppendAudit(_ context.Context, events []audit.Event) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.events = append(k.events, events...)
	return nil
}

func TestTheAuditLogTellsWhoSignedIn(t *testing.T) {
	began := time.Now().Add(-time.Second).UTC().Truncate(time.Microsecond)
	ann := auth.NewPrincipal(auth.OriginOIDC, "ann", []string{"ops"})
	for name, tt := range map[string]struct {
		tried session.SignIn
		want  audit.Event
	}{
		"somebody": {session.SignIn{Principal: ann}, audit.Event{Principal: "kairship:oidc:ann", Groups: []string{"kairship:oidc:ops"}, Outcome: audit.Succeeded}},
		"whom the provider did not let in": {session.SignIn{Err: &model.Error{Code: model.CodeForbidden, Message: "the identity provider did not let you in"}},
			audit.Event{Groups: []string{}, Outcome: audit.Refused, Code: "FORBIDDEN", Message: "the identity provider did not let you in"}},
		"nobody, once more": {session.SignIn{Err: &model.Error{Code: model.CodeBadUserInput, Message: "this sign-in is over"}, Unrecorded: 37},
			audit.Event{Groups: []string{}, Outcome: audit.Failed, Code: "BAD_USER_INPUT",
				Message: "this sign-in is over (37 more did not succeed since the last one that is told here; the log has them)"}},
	} {
		t.Run(name, func(t *testing.T) {
			store := &kept{}
			e := &entrance{recorder: audit.NewRecorder(store, audit.RecorderOptions{})}
			tt.tried.Began = began
			e.auditSignIn(request.NewContext(t.Context(), request.Info{ID: "r-1", Remote: "192.0.2.7", UserAgent: "browser"}), tt.tried)
			if err := e.recorder.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			tt.want.At, tt.want.Via, tt.want.Action = began, audit.ViaSignIn, "signIn"
			tt.want.RequestID, tt.want.Remote, tt.want.UserAgent = "r-1", "192.0.2.7", "browser"
			if diff := cmp.Diff([]audit.Event{tt.want}, store.events, cmpopts.IgnoreFields(audit.Event{}, "ID", "Duration")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
