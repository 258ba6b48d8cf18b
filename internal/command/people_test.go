package command

import (
	"errors"
	"log/slog"
	"net/http"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/session"
	"github.com/kairship-io/kairship/internal/store/endings"
)

func TestNobodyComesInUntilItIsKnownWhatHasEnded(t *testing.T) {
	unread := endings.New(nil, func() {}, slog.New(slog.DiscardHandler))
	_, token := checked{endings: unread}.Authenticate(t.Context(), "x")
	_, _, cookie := (&entrance{endings: unread, sessions: &session.Sessions{}}).session()(&http.Request{})
	for by, err := range map[string]error{"a kubeconfig": token, "a session": cookie} {
		if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeUnavailable {
			t.Errorf("by %s: %v", by, err)
		}
	}
}
