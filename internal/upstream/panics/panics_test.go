package panics_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

func TestAPanicIsAnErrorWithTheStackOfWhatPanicked(t *testing.T) {
	n, err := panics.Catch(func() (int, error) { return 7, explode() })
	var caught *panics.Error
	if n != 0 || !errors.As(err, &caught) || err.Error() != "panic: too bad" || !strings.Contains(string(caught.Stack), "explode") {
		t.Errorf("caught %d, %v", n, err)
	}
	if err := panics.Guard(explode)(); !errors.As(err, &caught) {
		t.Errorf("guarded: %v", err)
	}
}

func explode() error {
	panic("too bad") //nolint:forbidigo // what is tested
}

func TestWhatDoesNotPanicIsLeftAsItIs(t *testing.T) {
	broken := errors.New("broken")
	if n, err := panics.Guarded(func() (int, error) { return 7, broken })(); n != 7 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	if err := panics.Guard(func() error { return nil })(); err != nil {
		t.Error(err)
	}
}

func TestAPanicIsNotedOnceAndOnceForEachWhoWaited(t *testing.T) {
	e := panics.New("too bad")
	for _, c := range []struct {
		by           string
		first, fresh bool
	}{{"a", true, true}, {"a", false, false}, {"b", false, true}, {"b", false, false}} {
		if first, fresh := e.Note(c.by); first != c.first || fresh != c.fresh {
			t.Errorf("noted by %s: first %t, fresh %t", c.by, first, fresh)
		}
	}
}
