package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"github.com/kairship-io/kairship/internal/console"
	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/proxy"
)

// consoleRoute is where consoles are opened; it is served before the proxy, which has the other paths of instances.
const consoleRoute = "GET /instances/{instance}/console"

// consolePoints is what opening a console costs: a process is started, and a credential is issued.
const consolePoints = 20_000

// NoConsole says that there are no consoles, and how there would be some.
const NoConsole = "the console is not enabled: run `kairship console-runner`, and start the server with --console-runner and --console-token-file"

var (
	errNoConsole  = &model.Error{Code: model.CodeNotFound, Message: NoConsole}
	errNoTerminal = &model.Error{Code: model.CodeBadUserInput,
		Message: "a console is opened as a WebSocket of the subprotocol " + strings.Join(protocol.Subprotocols, " or ")}
	errForeignPage = &model.Error{Code: model.CodeForbidden, Message: "a console is opened by pages of this host alone (rule csrf)"}
)

// serveConsole opens a console for a person, who may come with a session from a page of this host, or with a bearer
// token: not with that of a kubeconfig, which would live longer by it.
func (d *Server) serveConsole(w http.ResponseWriter, r *http.Request) {
	if !d.beginStream() {
		proxy.Refuse(w, console.ErrDraining)
		return
	}
	defer d.endStream()
	r, in, ok := d.admit(w, r, d.credentialOf(r), d.refuseProxied)
	if !ok {
		return
	}
	refusal := d.mayOpenConsole(r)
	leave := func() {}
	if refusal == nil {
		leave, refusal = d.gate.Socket(in.Principal)
	}
	if refusal == nil {
		defer leave()
		refusal = d.gate.Charge(r.Context(), consolePoints)
	}
	if refusal != nil {
		proxy.Refuse(w, refusal)
		return
	}
	if !asksForConsole(r) {
		proxy.Refuse(w, cmp.Or[error](d.cfg.Console.Check(r.Context(), r.PathValue("instance")), errNoTerminal))
		return
	}
	session, err := d.cfg.Console.Open(r.Context(), r.PathValue("instance"))
	if err != nil {
		d.cfg.Logger.InfoContext(r.Context(), "a console was not opened", "requestId", requestID(r.Context()), "error", err)
		proxy.Refuse(w, err)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: protocol.Subprotocols, OriginPatterns: d.cfg.Origins, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		session.End()
		d.cfg.Logger.DebugContext(r.Context(), "a WebSocket was refused", "requestId", requestID(r.Context()), "error", err)
		return
	}
	defer func() { _ = conn.CloseNow() }()
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(d.drain, func() { cancel(console.ErrDraining) })()
	lost := d.gate.Lost(ctx, in)
	go func() { // ends with ctx
		select {
		case refusal := <-lost:
			cancel(refusal)
		case <-ctx.Done():
		}
	}()
	outcome := session.Serve(ctx, conn)
	recordOf(r.Context()).note(func(rec *record) { rec.socket, rec.outcome = true, outcome })
}

// mayOpenConsole refuses what no console is opened for, before anything is done for it.
func (d *Server) mayOpenConsole(r *http.Request) *model.Error {
	switch {
	case d.cfg.Console == nil:
		return errNoConsole
	case r.Header.Get("Origin") != "" && !d.ownOrigin(r):
		return errForeignPage
	}
	return nil
}

// asksForConsole reports whether a request is to become a WebSocket that a console can use. Who asks for nothing else is told what would stand
// in the way of one first: a browser does not show what a WebSocket was refused with.
func asksForConsole(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && named(r.Header.Values("Connection"), "upgrade") && speaks(r, protocol.Subprotocols)
}

// named reports whether a list in headers names something, in whatever case.
func named(values []string, wanted string) bool {
	for name := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if strings.EqualFold(strings.TrimSpace(name), wanted) {
			return true
		}
	}
	return false
}

// speaks reports whether a client offers one of some subprotocols.
func speaks(r *http.Request, protocols []string) bool {
	for offered := range strings.SplitSeq(strings.Join(r.Header.Values("Sec-WebSocket-Protocol"), ","), ",") {
		if slices.Contains(protocols, strings.TrimSpace(offered)) {
			return true
		}
	}
	return false
}
