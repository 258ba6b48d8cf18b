package server

import (
	"context"
	"testing"
)

// A client that stops an operation may use its id at once: what ends of the first does not end the second.
func TestAnOperationThatWasStoppedFreesNobodysID(t *testing.T) {
	s := &socket{operations: map[string]context.CancelFunc{}}
	begin := func() context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		s.operations["1"] = cancel
		return ctx
	}
	first := begin()
	s.stop("1")
	second := begin()
	if s.finish(first, "1") {
		t.Error("the first frees the id")
	}
	if second.Err() != nil || !s.finish(second, "1") {
		t.Error("the second is not running any more")
	}
	if s.finish(second, "1") {
		t.Error("an id is freed twice")
	}
}
