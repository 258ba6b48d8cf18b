package link

import "testing"

// ReadLess bounds what is read to a hundredth for a test, and tells how much of an answer and of an event that is;
// of a watch it is a hundredth, too.
func ReadLess(t *testing.T) (answer, event int64) {
	t.Helper()
	before := most
	most.answer, most.event, most.watch = MaxAnswer/100, MaxEvent/100, MaxWatch/100
	t.Cleanup(func() { most = before })
	return most.answer, most.event
}
