package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// record is what the log contains of a request.
type record struct {
	id string
	// address is the client's address, as limits count it.
	address string

	mu        sync.Mutex
	principal string
	// socket says that it has become a WebSocket.
	socket    bool
	operation string
	outcome   string
}

type recordKey struct{}

func recordOf(ctx context.Context) *record {
	r, _ := ctx.Value(recordKey{}).(*record)
	return r
}

func (r *record) note(change func(*record)) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

func (r *record) isSocket() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.socket
}

func requestID(ctx context.Context) string {
	if r := recordOf(ctx); r != nil {
		return r.id
	}
	return ""
}

func principalName(ctx context.Context) string { return rbac.PrincipalFrom(ctx).Name }

// requestIDOf uses the caller's request id if it is fit for logs, else makes one.
func requestIDOf(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id == "" || len(id) > 64 || strings.ContainsFunc(id, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	}) {
		return newRequestID()
	}
	return id
}

// around gives every request an id, the common headers, a line in the log, and recovers from panics.
func (d *Server) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &record{id: requestIDOf(r), address: d.gate.AddressOf(r)}
		client, known := d.gate.ClientOf(r)
		if known && len(d.cfg.TrustedProxies) > 0 {
			r.RemoteAddr = netip.AddrPortFrom(client, 0).String() // for logs and audit; the port would be the proxy's
		}
		ctx, span := beginSpan(r, rec.id)
		defer span.End() // also for a request that was cut off
		info := request.Info{ID: rec.id, UserAgent: r.UserAgent()}
		if r.Method == http.MethodPost { // the request that opens a WebSocket is for none of its operations
			info.IdempotencyKey = r.Header.Get(headerIdempotencyKey)
		}
		if known {
			info.Remote = client.String()
		}
		ctx = request.NewContext(ctx, info)
		r = r.WithContext(context.WithValue(ctx, recordKey{}, rec))
		out := &response{ResponseWriter: w, body: d.boundBody(w, r)}
		// The deadline stays with the connection, so every request has to set it. Streams set their own.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d.limits.Time + answerTimeout))
		h := w.Header()
		h.Set("X-Request-Id", rec.id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Permitted-Cross-Domain-Policies", "none")
		h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), serial=(), usb=()")
		h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store") // cacheable responses override it
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p) //nolint:forbidigo // how a handler tells net/http to cut the connection
				}
				d.cfg.Logger.ErrorContext(r.Context(), "a request panicked", "requestId", rec.id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				if out.status == 0 {
					d.refuse(out, r, http.StatusInternalServerError, internal(r.Context()))
				}
			}
			level := slog.LevelInfo
			if slices.Contains(probes, r.URL.Path) {
				level = slog.LevelDebug
			}
			rec.mu.Lock()
			defer rec.mu.Unlock()
			d.metrics.requests.WithLabelValues(routeOf(r), methodOf(r), strconv.Itoa(out.status)).Inc()
			endSpan(span, r, out.status, rec.outcome)
			d.cfg.Logger.Log(r.Context(), level, "request", "requestId", rec.id, "method", r.Method, "path", clip(r.URL.Path, 200),
				"status", out.status, "bytes", out.bytes, "took", time.Since(began), "remote", r.RemoteAddr,
				"principal", rec.principal, "operation", rec.operation, "outcome", rec.outcome)
		}()
		next.ServeHTTP(out, r)
	})
}

// response remembers the status and size of the response.
type response struct {
	http.ResponseWriter
	// body is the request's, nil when it has none.
	body   *body
	status int
	bytes  int64
}

func (r *response) WriteHeader(status int) {
	r.begin(status)
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(b []byte) (int, error) {
	r.begin(http.StatusOK)
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// begin is called when a response begins.
func (r *response) begin(status int) {
	if r.status != 0 {
		return
	}
	r.status = status
	if r.body != nil && r.body.drained {
		_ = r.body.wait(drainTime)
	}
}

// SetReadDeadline sets the deadline for all of the request's body.
func (r *response) SetReadDeadline(last time.Time) error {
	if r.body != nil {
		return r.body.until(last)
	}
	return http.NewResponseController(r.ResponseWriter).SetReadDeadline(last)
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Hijack is for WebSockets.
func (r *response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	r.status = http.StatusSwitchingProtocols
	return http.NewResponseController(r.ResponseWriter).Hijack()
}
