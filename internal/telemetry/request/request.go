// Package request carries information about the request that a context belongs to: for logs, traces and the audit.
package request

import "context"

// Info is information about a request. For a WebSocket it is about the request that opened it.
type Info struct {
	// ID is the request id in logs and responses.
	ID string
	// Remote is the client's address, without a port.
	Remote string
	// UserAgent is the client's User-Agent.
	UserAgent string
	// IdempotencyKey identifies a request, so that it is executed only once; empty for none.
	IdempotencyKey string
}

type key struct{}

// NewContext returns a context that carries an Info.
func NewContext(ctx context.Context, info Info) context.Context {
	return context.WithValue(ctx, key{}, info)
}

// From is the context's Info; the zero Info when it has none.
func From(ctx context.Context) Info {
	info, _ := ctx.Value(key{}).(Info)
	return info
}
