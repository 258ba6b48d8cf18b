package operation

import (
	"slices"
	"testing"
)

// Of each instance one operation is worked on at a time, and those that wait have their turn in order.
func TestOperationsOfAnInstanceHaveTheirTurn(t *testing.T) {
	var s slots
	var got []string
	take := func(instance, name string) {
		if s.take(instance, name) {
			got = append(got, name)
		}
	}
	take("asia", "a")
	take("asia", "b")
	take("asia", "c")
	take("europe", "d") // is not held up
	s.give("asia")
	take("asia", "c")
	take("asia", "a")
	take("asia", "b")
	s.give("asia")
	s.leave("c") // was deleted
	take("asia", "a")
	s.give("asia")
	take("asia", "c")
	if want := []string{"a", "d", "b", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("worked on are %q, want %q", got, want)
	}
	s.give("asia")
	s.give("europe")
	if len(s.busy)+len(s.waiting) > 0 {
		t.Errorf("left are %v and %v", s.busy, s.waiting)
	}
}
