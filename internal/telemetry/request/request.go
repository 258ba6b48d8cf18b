// Package request is what is known of the request that a context belongs to: for logs, traces and the audit.
package request

import "context"

// Info is what is known of a request. For a WebSocket it is the one that opened it.
type Info struct {
	// ID is that of logs and answers; one request has one.
	ID string
	// Remote is the address that it came from, without a port.
	Remote string
	// UserAgent is what the client called itself.
	UserAgent string
	// IdempotencyKey names what is asked for, so that it is done once; empty for none.
	IdempotencyKey string
}

type key struct{}

// NewContext returns a context that carries it.
func NewContext(ctx context.Context, info Info) context.Context {
	return context.WithValue(ctx, key{}, info)
}

// From is what a context carries; the zero Info when nothing.
func From(ctx context.Context) Info {
	info, _ := ctx.Value(key{}).(Info)
	return info
}
