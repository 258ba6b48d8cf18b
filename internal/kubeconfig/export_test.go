package kubeconfig

import "testing"

// ReadLess bounds what is read to a hundredth for a test, and tells how much of an answer and of an event that is.
func ReadLess(t *testing.T) (answer, event int64) {
	t.Helper()
	before := most
	most.answer, most.event = MaxAnswer/100, MaxEvent/100
	t.Cleanup(func() { most = before })
	return most.answer, most.event
}
