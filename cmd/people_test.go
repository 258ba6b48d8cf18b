package cmd

import (
	"errors"
	"log/slog"
	"net/http"
	"testing"

	"github.com/kairship-io/kairship/internal/auth/revocation"
	"github.com/kairship-io/kairship/internal/auth/session"
	"github.com/kairship-io/kairship/internal/model"
)

func TestNobodyComesInUntilItIsKnownWhatHasEnded(t *testing.T) {
	unread := revocation.New(nil, func() {}, slog.New(slog.DiscardHandler))
	_, token := checked{revoked: unread}.Authenticate(t.Context(), "x")
	_, _, cookie := (&entrance{revoked: unread, sessions: &session.Sessions{}}).session()(&http.Request{})
	for by, err := range map[string]error{"a kubeconfig": token, "a session": cookie} {
		if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeUnavailable {
			t.Errorf("by %s: %v", by, err)
		}
	}
}
