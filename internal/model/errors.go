package model

import "fmt"

// Code is the machine-readable kind of an error: the contract with clients.
type Code string

// The error codes.
const (
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	CodeForbidden       Code = "FORBIDDEN"
	CodeNotFound        Code = "NOT_FOUND"
	CodeBadUserInput    Code = "BAD_USER_INPUT"
	CodeConflict        Code = "CONFLICT"
	CodeUnavailable     Code = "UNAVAILABLE"
	CodeStale           Code = "STALE"
	CodeTimeout         Code = "TIMEOUT"
	CodeLimitExceeded   Code = "LIMIT_EXCEEDED"
	CodeNotSynced       Code = "NOT_SYNCED"
	CodeInternal        Code = "INTERNAL"
)

// Error is an error that a client may see: a code, a sentence, and what it is about. The server masks any other error
// as INTERNAL.
type Error struct {
	Code    Code
	Message string
	// Instance and Cluster name what failed; empty when it is neither.
	Instance string
	Cluster  string
	// Retryable says that the same request may succeed later without a change.
	Retryable bool
	// Field is the path of the input field that is wrong; nil when it is none.
	Field []string
	// Unknown says that a write had no answer: it may have been made.
	Unknown bool
	// Limit is the limit that refused the request; nil when none did.
	Limit *ErrorLimit
	// Err is the cause, for logs only: it may name hosts or hold what the client must not see.
	Err error
}

// ErrorLimit is a limit that refused a request.
type ErrorLimit struct {
	Name string
	// Allowed is what it allows.
	Allowed int
	// RetryAfter is the number of seconds after which it may allow more; 0 when unknown.
	RetryAfter int
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// BadInput makes a BAD_USER_INPUT error about one argument or input field.
func BadInput(field, format string, args ...any) *Error {
	return &Error{Code: CodeBadUserInput, Message: field + ": " + fmt.Sprintf(format, args...), Field: []string{field}}
}

// InstanceUnavailable makes the error for an instance whose API server does not answer.
func InstanceUnavailable(instance, why string, err error) *Error {
	return &Error{Code: CodeUnavailable, Instance: instance, Retryable: true, Err: err,
		Message: fmt.Sprintf("instance %q: %s", instance, why)}
}
