//go:build !linux

package runner

import (
	"context"
	"errors"
	"net/http"
)

// Main is for Linux.
func Main() {}

// Runner runs on Linux alone: what ends a session for good is the kernel's.
type Runner struct{}

// New fails.
func New(Config) (*Runner, error) {
	return nil, errors.New("the console runner runs on Linux alone")
}

// ServeHTTP refuses.
func (*Runner) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusServiceUnavailable)
}

// Drain does nothing.
func (*Runner) Drain(context.Context) {}
