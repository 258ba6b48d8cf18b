package operation

import (
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestWhatTryingAgainCannotPutRightEndsAnOperation(t *testing.T) {
	for name, tt := range map[string]struct {
		err  *model.Error
		want result
	}{
		"what is forbidden":                  {&model.Error{Code: model.CodeForbidden, Message: "no"}, failed},
		"what is too large":                  {&model.Error{Code: model.CodeLimitExceeded, Message: "no"}, failed},
		"a limit that may have room later":   {&model.Error{Code: model.CodeLimitExceeded, Message: "no", Retryable: true}, 0},
		"an instance that cannot be reached": {&model.Error{Code: model.CodeUnavailable, Message: "no"}, 0},
	} {
		outcome, err := final(tt.err)
		if outcome.result != tt.want || (err == nil) != (tt.want == failed) {
			t.Errorf("%s: %+v, %v", name, outcome, err)
		}
	}
}
