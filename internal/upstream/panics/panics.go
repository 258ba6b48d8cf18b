// Package panics turns the panic of work that others wait for into an error for them. Otherwise a panic in a separate
// goroutine ends the process, and one in shared work reaches only one of the callers.
package panics

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Error is a panic. Do not show its content to people.
type Error struct {
	Value any
	Stack []byte

	mu    sync.Mutex
	noted map[string]bool
}

func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// New is the error of a recovered value, with the stack of the recovering goroutine.
func New(value any) *Error { return &Error{Value: value, Stack: debug.Stack()} }

// Note reports whether the panic has not been noted before, and whether not by this one: many wait for the same work,
// and its stack belongs in the log once.
func (e *Error) Note(by string) (first, fresh bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.noted == nil {
		e.noted = map[string]bool{}
	}
	first, fresh = len(e.noted) == 0, !e.noted[by]
	e.noted[by] = true
	return first, fresh
}

// Catch calls a function, and returns its panic as an error.
func Catch[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if value := recover(); value != nil {
			var none T
			out, err = none, New(value)
		}
	}()
	return do()
}

// Guard wraps a function to return its panics as errors: for functions in a separate goroutine.
func Guard(do func() error) func() error {
	return func() error {
		_, err := Catch(func() (struct{}, error) { return struct{}{}, do() })
		return err
	}
}

// Guarded is Guard for a function with a result.
func Guarded[T any](do func() (T, error)) func() (T, error) {
	return func() (T, error) { return Catch(do) }
}
