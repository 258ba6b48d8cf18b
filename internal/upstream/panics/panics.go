// Package panics turns the panic of work that others wait for into an error of theirs. Without it a panic in a
// goroutine of its own ends the process, and one in work that is shared is seen by one of those who share it.
package panics

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Error is a panic. Whoever shows it to a person shows nothing of it.
type Error struct {
	Value any
	Stack []byte

	mu    sync.Mutex
	noted map[string]bool
}

func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// New is the error of a value that was recovered, with the stack of whoever recovered it.
func New(value any) *Error { return &Error{Value: value, Stack: debug.Stack()} }

// Note says whether nobody has noted the panic before, and whether this one has not: many wait for the same
// work, and its stack belongs into a log once.
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

// Catch does something, and gives its panic as an error.
func Catch[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if value := recover(); value != nil {
			var none T
			out, err = none, New(value)
		}
	}()
	return do()
}

// Guard is a function that gives its panics as errors: for those that run in a goroutine of their own.
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
