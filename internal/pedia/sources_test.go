package pedia

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
)

// failing is an executor that fails each time, or answers with nothing.
type failing struct {
	name string
	err  error
	runs int
}

func (f *failing) Name() string { return f.name }
func (f *failing) Run(context.Context, *sql.Statement) (*Answer, error) {
	f.runs++
	if f.err != nil {
		return nil, f.err
	}
	return &Answer{}, nil
}
func (f *failing) Holds(context.Context, string, ...any) (bool, error) { return true, nil }
func (f *failing) Check(context.Context) error                         { return nil }
func (f *failing) Timeout() time.Duration                              { return time.Second }
func (f *failing) Exact() bool                                         { return true }

// The other way is asked where the first one cannot be read now, and only then: what is refused for what was asked is refused by both,
// and what is too much for the database is not asked of it twice without end.
func TestTheOtherWayIsAskedOnlyWhereItCanHelp(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		// spent says that nothing more may be asked twice because it is late.
		spent bool
		other int
		code  model.Code
	}{
		{"it answers", nil, false, 0, ""},
		{"it does not answer", errors.New("connection refused"), false, 1, ""},
		{"it fails", &statusError{code: http.StatusInternalServerError}, false, 1, ""},
		{"it was not asked, as it has not answered lately", upstream.ErrOpen, true, 1, ""},
		{"it is late", context.DeadlineExceeded, false, 1, ""},
		{"it is late, as others were", context.DeadlineExceeded, true, 0, model.CodeTimeout},
		{"it has too much to do", errBusy, false, 1, ""},
		{"it has too much to do, and had before", errBusy, true, 0, model.CodeUnavailable},
		{"the answer is too large", errTooLarge, false, 0, model.CodeLimitExceeded},
		{"the kind is not held", &statusError{code: http.StatusNotFound}, false, 0, model.CodeNotSynced},
		{"the cluster is not known", &statusError{code: http.StatusBadRequest}, false, 0, model.CodeNotSynced},
		{"the input is wrong", model.BadInput("filter", "is wrong"), false, 0, model.CodeBadUserInput},
		{"the person may not", &model.Error{Code: model.CodeForbidden}, false, 0, model.CodeForbidden},
		{"the client has gone", context.Canceled, false, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			first, other := &failing{name: "first", err: tc.err}, &failing{name: "other"}
			c := NewClient(first, other)
			c.Assume(Features{Gate: GateOpen, ByBytes: Yes, Pack: Yes, CheckedAt: time.Now()})
			if tc.spent {
				c.hedges = rate.NewLimiter(0, 0)
			}
			_, err := Fetch(t.Context(), c, onePage(), decodeKey)
			var told *model.Error
			if errors.As(err, &told); other.runs != tc.other || first.runs != 1 || (told != nil) != (tc.code != "") || told != nil && told.Code != tc.code {
				t.Errorf("asked %d times and the other one %d times, want once and %d; %v, want %q", first.runs, other.runs, tc.other, err, tc.code)
			}
		})
	}
}

// Queries that run at the same time for the same person share one answer: those that differ in anything must not.
func TestQueriesThatDifferInAnythingHaveKeysOfTheirOwn(t *testing.T) {
	keys := map[string]string{}
	for name, q := range map[string]*query{
		"rows": {text: "a"}, "a count": {count: "a"}, "a plan": {explain: "a"}, "both": {text: "a", count: "b"},
		"rows of x": {text: "a", params: []any{"x"}}, "rows of y": {text: "a", params: []any{"y"}},
		"a count of x": {count: "a", countParams: []any{"x"}}, "a count of y": {count: "a", countParams: []any{"y"}},
		"both of x": {text: "a", count: "b", params: []any{"x"}, countParams: []any{"x"}}, "rows of x, a count of y": {text: "a", count: "b", params: []any{"x"}, countParams: []any{"y"}},
		"one that looks like two": {text: "a", params: []any{"x\"\n\"y"}}, "two": {text: "a", params: []any{"x", "y"}},
	} {
		if before, there := keys[q.key()]; there {
			t.Errorf("%s and %s have the same key", before, name)
		}
		keys[q.key()] = name
	}
}
