package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// exchange is one request, and its response.
type exchange struct {
	h     *Handler
	in    *http.Request
	out   *answer
	began time.Time
	who   auth.Principal
	scope rbac.Scope

	// read says that the next four fields are set.
	read  bool
	to    target
	query url.Values
	// about is what is finally requested, and cluster the member where that is: to.cluster, or another one when the
	// request goes there by Karmada's own path.
	about   info
	cluster string
	// there says that the principal may see the instance.
	there bool
	// protocol is what the connection is to be switched to; empty for none.
	protocol string
	// follows says that it follows the log of a pod: it may be silent before it begins.
	follows bool

	config *rest.Config
	root   *url.URL
	cancel context.CancelCauseFunc
	// answerTimer runs out when the upstream takes too long to begin its response.
	answerTimer *time.Timer
	answered    atomic.Bool
	// body is the request's, nil when it has none.
	body *boundedBody
	// ended ends the count of a stream; nil when it is none.
	ended func()
	// end is how an upgraded connection ended.
	end End
}

const (
	// answerTimeout is how long a response may take to begin where the upstream's configuration has no timeout.
	answerTimeout = 10 * time.Second
	// clientTimeout is how long a client may take beyond the request's time to send and read everything.
	clientTimeout = 5 * time.Second
	// statusLeft is the status in metrics and audit of a request whose client left before the response.
	statusLeft = 499
)

var (
	errNoAnswer = errors.New("no answer in time")
	errTooLong  = errors.New("the request took too long")
)

// prepare determines what is requested and where that is, and refuses what it can before anything is sent.
func (x *exchange) prepare() (err error) {
	r := x.in
	if x.who.Name == "" {
		return &model.Error{Code: model.CodeUnauthenticated, Message: "sign in first: send a token as `Authorization: Bearer …`"}
	}
	if x.scope.Empty() {
		return rbac.ErrForbidden
	}
	if x.to, err = parseTarget(r.URL.EscapedPath()); err != nil {
		return err
	}
	x.query = r.URL.Query()
	x.about, x.cluster, x.read = parseInfo(r.Method, x.to.path, x.query), x.to.cluster, true
	if x.cluster == "" {
		if cluster, inner, ok := x.about.behind(r.Method, x.to.path, x.query); ok {
			x.about, x.cluster = inner, cluster
		}
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		return &refusal{status: http.StatusMethodNotAllowed, reason: metav1.StatusReasonMethodNotAllowed,
			cause: &model.Error{Code: model.CodeBadUserInput, Message: "the method of the request is none that Kubernetes has"}}
	}
	if err := checkImpersonation(r.Header); err != nil {
		return err
	}
	if x.protocol, err = upgrade(r); err != nil {
		return err
	}
	if r.ContentLength > x.h.limits.Body {
		return x.bodyTooLarge()
	}
	if x.to.instance == "" {
		if err := x.findInstance(); err != nil {
			return err
		}
	}
	return x.findUpstream()
}

// findInstance finds the only instance with a member that was named without its instance.
func (x *exchange) findInstance() error {
	names, err := x.h.cfg.Upstreams.Holders(x.in.Context(), x.scope, x.to.cluster)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return notFound("no instance has a cluster %q", x.to.cluster)
	case len(names) > 1:
		e := &refusal{status: http.StatusConflict, reason: metav1.StatusReasonConflict, cause: &model.Error{Code: model.CodeConflict, Cluster: x.to.cluster}}
		written := make([]string, 0, len(names))
		for _, name := range names {
			one := name + "." + x.to.cluster
			written = append(written, one)
			e.causes = append(e.causes, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: "cluster", Message: one})
		}
		e.cause.Message = fmt.Sprintf("cluster %q is a member of %d instances; write which one: %s", x.to.cluster, len(names), strings.Join(written, ", "))
		return e
	}
	x.to.instance = names[0]
	return nil
}

func (x *exchange) findUpstream() error {
	cfg, err := x.h.cfg.Upstreams.Upstream(x.in.Context(), x.scope, x.who, x.to.instance, x.to.cluster)
	if err != nil {
		known := (*model.Error)(nil)
		x.there = errors.As(err, &known) && known.Code == model.CodeUnavailable
		return err
	}
	x.there = true
	// Last check: nobody is ever served with Kairship's own rights.
	if cfg.Impersonate.UserName != x.who.Name {
		return &model.Error{Code: model.CodeInternal, Err: fmt.Errorf("the upstream is not asked as %q but as %q", x.who.Name, cfg.Impersonate.UserName)}
	}
	for _, group := range cfg.Impersonate.Groups {
		if strings.HasPrefix(group, "system:") {
			return &model.Error{Code: model.CodeInternal, Err: fmt.Errorf("refusing to impersonate the group %q", group)}
		}
	}
	root, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return fmt.Errorf("reading the address: %w", err)
	}
	x.config, x.root = rest.CopyConfig(cfg), root
	return nil
}

// serve forwards the request and the response.
func (x *exchange) serve() {
	transport, err := rest.TransportFor(x.config)
	if err != nil {
		x.refuse(fmt.Errorf("making a transport: %w", err))
		return
	}
	ctx, cancel := context.WithCancelCause(x.in.Context())
	x.cancel = cancel
	var owned sync.WaitGroup
	defer owned.Wait()
	defer cancel(nil)
	// Before the end of ctx, which would cut a connection that can serve the next request.
	defer func() { x.out.release() }()

	if revoked := x.revoked(); revoked != nil {
		owned.Go(func() {
			select {
			case <-revoked:
				cancel(errRevoked)
			case <-ctx.Done():
			}
		})
	}
	deadlines := http.NewResponseController(x.out.under)
	if x.lasting() {
		end, err := x.h.beginStream(x.who)
		if err != nil {
			x.refuse(err)
			return
		}
		x.ended = end
		defer context.AfterFunc(x.h.drain, func() { cancel(errDraining) })()
		_ = deadlines.SetWriteDeadline(time.Time{})
		_ = deadlines.SetReadDeadline(time.Time{})
	} else {
		limit := time.AfterFunc(x.h.limits.Time, func() { cancel(errTooLong) })
		defer limit.Stop()
		last := x.began.Add(x.h.limits.Time + clientTimeout)
		_ = deadlines.SetWriteDeadline(last)
		if x.in.ContentLength != 0 {
			_ = deadlines.SetReadDeadline(last)
		}
	}
	answerTimer := x.config.Timeout
	if answerTimer <= 0 {
		answerTimer = answerTimeout
	}
	x.answerTimer = time.AfterFunc(answerTimer, func() {
		if !x.answered.Load() {
			cancel(errNoAnswer)
		}
	})
	defer x.answerTimer.Stop()
	traced := ctx
	switch {
	case x.follows:
		traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { x.answerTimer.Stop() }})
	case x.in.ContentLength != 0:
		// Do not count the time that the client takes to send the body.
		traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GotConn:      func(httptrace.GotConnInfo) { x.answerTimer.Stop() },
			WroteRequest: func(httptrace.WroteRequestInfo) { x.answerTimer.Reset(answerTimer) },
		})
	}
	x.out.giveUp = func() { cancel(context.Canceled) }
	x.out.upgraded = func() { x.audit(StageStarted) }

	in := x.in.WithContext(link.PassOn(traced))
	if in.Body != nil && in.Body != http.NoBody {
		x.body = &boundedBody{ReadCloser: http.MaxBytesReader(x.out.under, in.Body, x.h.limits.Body)}
		in.Body = x.body
		x.out.unread = func() bool { return x.in.ProtoMajor == 1 && (!x.body.ended.Load() || x.body.stalled.Load()) }
		defer x.dropBody()
	}
	forward := x.h.forward
	forward.Transport = transport
	forward.Rewrite = x.rewrite
	forward.ModifyResponse = func(res *http.Response) error { return x.receive(ctx, res) }
	forward.ErrorHandler = func(_ http.ResponseWriter, _ *http.Request, err error) { x.fail(ctx, err) }
	forward.ServeHTTP(x.out, in)
	if x.out.status == http.StatusSwitchingProtocols {
		x.end = endOf(context.Cause(ctx))
	}
}

// endOf is how an upgraded connection ended, by what ended its context.
func endOf(cause error) End {
	switch {
	case errors.Is(cause, errRevoked):
		return EndedRight
	case errors.Is(cause, errDraining):
		return EndedServer
	}
	return EndedItself
}

func (x *exchange) revoked() <-chan struct{} {
	if x.h.cfg.Revoked == nil {
		return nil
	}
	return x.h.cfg.Revoked(x.in.Context())
}

// lasting reports whether the exchange may last without limit.
func (x *exchange) lasting() bool {
	x.follows = x.about.follows(x.query) && x.protocol == ""
	return x.protocol != "" || x.follows || x.about.verb == "watch"
}

// rewrite makes the request to the upstream.
func (x *exchange) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL = below(x.root, x.to.path, r.Out.URL.RawQuery)
	r.Out.Host = ""
	cleanRequest(r.Out.Header)
}

// receive processes a response as it begins. The client gets its error instead.
func (x *exchange) receive(ctx context.Context, res *http.Response) error {
	x.answered.Store(true)
	x.answerTimer.Stop()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if res.StatusCode == http.StatusSwitchingProtocols && x.protocol == "" {
		return errors.New("the upstream switches protocols unasked")
	}
	if x.about.subresource != "proxy" {
		if err := x.outage(res); err != nil {
			return err
		}
	}
	if location := res.Header.Get("Location"); location != "" {
		to, ok := relocate(location, res.Request.URL, x.root, x.to.prefix())
		redirects := res.StatusCode >= 300 && res.StatusCode < 400
		switch {
		case ok:
			res.Header.Set("Location", to)
		case redirects:
			return &refusal{status: http.StatusBadGateway, reason: metav1.StatusReasonServiceUnavailable,
				cause: &model.Error{Code: model.CodeUnavailable, Message: x.place(x.to.cluster) + " redirects to somewhere else, which is not followed"}}
		default:
			res.Header.Del("Location")
		}
	}
	cleanAnswer(res.Header)
	if res.StatusCode == http.StatusCreated && x.about.resource != "" && x.about.name == "" && res.Header.Get("Content-Encoding") == "" {
		x.out.note = &note{}
	}
	if x.body != nil && res.StatusCode != http.StatusSwitchingProtocols {
		res.Body = &answerBody{ReadCloser: res.Body, done: x.dropBody}
	}
	x.out.bound = ctx
	return nil
}

// answerBody is the body of a response to a request that has a body, too.
type answerBody struct {
	io.ReadCloser
	// done is called when the response has been passed on. HTTP/2 closes it only after the end of the request's body,
	// which an API server that refuses a write does not read.
	done func()
}

// Close closes it.
func (b *answerBody) Close() error {
	b.done()
	return b.ReadCloser.Close()
}

// fail reports to the client why there is no response from the upstream.
func (x *exchange) fail(ctx context.Context, err error) {
	if x.out.status != 0 {
		return // the response has begun: it can only be ended
	}
	cause := context.Cause(ctx)
	known, special := (*model.Error)(nil), (*refusal)(nil)
	switch {
	case x.body != nil && x.body.hasStalled(x.in.Context()):
		x.refuse(errStalled)
	case x.in.Context().Err() != nil:
		x.refuse(&model.Error{Code: model.CodeUnavailable, Retryable: true, Message: "the request was given up"})
		x.out.status = statusLeft
	case x.body != nil && x.body.tooLarge.Load():
		x.refuse(x.bodyTooLarge())
	case errors.As(cause, &known):
		x.refuse(known)
	case errors.Is(cause, errTooLong):
		x.refuse(&model.Error{Code: model.CodeTimeout, Retryable: true, Message: fmt.Sprintf("this took longer than the %s a request may take (limit time)", x.h.limits.Time)})
	case errors.Is(cause, errNoAnswer):
		x.refuse(x.unavailable(x.to.cluster, "does not answer in time", errNoAnswer))
	case errors.As(err, &special):
		x.refuse(special)
	case errors.As(err, &known):
		x.refuse(known)
	default:
		x.refuse(x.unavailable(x.to.cluster, "cannot be reached", err))
	}
}

func (x *exchange) bodyTooLarge() error {
	return limitExceeded(http.StatusRequestEntityTooLarge, "body", "the body is larger than %d bytes", x.h.limits.Body)
}

// place names the upstream for people, without its address.
func (x *exchange) place(cluster string) string {
	if cluster == "" {
		return fmt.Sprintf("the API server of instance %q", x.to.instance)
	}
	return fmt.Sprintf("cluster %q of instance %q", cluster, x.to.instance)
}

func (x *exchange) unavailable(cluster, what string, err error) *model.Error {
	return &model.Error{Code: model.CodeUnavailable, Retryable: true, Instance: x.to.instance, Cluster: cluster,
		Message: x.place(cluster) + " " + what, Err: err}
}

// refuse answers instead of the upstream.
func (x *exchange) refuse(err error) {
	if x.out.status != 0 {
		return
	}
	known := (*model.Error)(nil)
	switch errors.As(err, &known); {
	case known == nil || known.Code == model.CodeInternal:
		x.logger().Error("internal error", "error", err)
	case known.Err != nil:
		x.logger().Warn("a request could not be forwarded", "error", err)
	}
	clear(x.out.header)
	Refuse(x.out, err)
}

func (x *exchange) logger() *slog.Logger {
	return x.h.cfg.Logger.With("principal", x.who.Name, "instance", x.to.instance, "cluster", x.to.cluster)
}

// dropBody makes sure that nothing waits for the rest of the body: net/http would, after its response.
func (x *exchange) dropBody() {
	// Dropping the body ends the request's context, which must not end the response.
	x.out.release()
	if x.body.ended.Load() || x.out.status == http.StatusSwitchingProtocols {
		return
	}
	if http.NewResponseController(x.out.under).SetReadDeadline(time.Unix(1, 0)) == nil {
		// A read in progress would reset the deadline when it ends.
		x.body.reading.Lock()
		defer x.body.reading.Unlock()
	}
}

// finish counts the exchange and audits it.
func (x *exchange) finish() {
	instance := ""
	if x.there {
		instance = x.to.instance
	}
	status := x.out.status
	if status == 0 {
		status = statusLeft
	}
	x.h.metrics.ended(instance, x.kind(), status)
	x.audit(StageComplete)
	if x.ended != nil {
		x.ended()
	}
}

// kind is the kind of the exchange, for the metrics.
func (x *exchange) kind() string {
	switch verb := x.about.verb; {
	case !x.read:
		return "none"
	case x.protocol != "":
		return "connect"
	case verb == "watch":
		return "watch"
	case verb == "get" || verb == "list" || verb == "options":
		return "read"
	}
	return "write"
}

func (x *exchange) audit(stage Stage) {
	if x.h.cfg.Audit == nil || !x.read {
		return
	}
	i := x.about
	if !i.audited() {
		return
	}
	if x.out.note != nil {
		i.name = nameIn(x.out.note.kept)
	}
	status := x.out.status
	if status == 0 {
		status = statusLeft
	}
	agent := x.in.UserAgent()
	if len(agent) > maxUserAgent {
		agent = strings.ToValidUTF8(agent[:maxUserAgent], "")
	}
	dry := false
	for _, value := range x.query["dryRun"] {
		dry = dry || value == metav1.DryRunAll
	}
	container, command := i.runs(x.query)
	x.h.cfg.Audit(context.WithoutCancel(x.in.Context()), Record{
		Container: container, Command: command, End: x.end,
		Stage: stage, Verb: i.verb, Instance: x.to.instance, Cluster: x.cluster,
		Group: i.group, Version: i.version, Resource: i.resource, Subresource: i.subresource, Namespace: i.namespace, Name: i.name,
		Proxied: i.proxied, Status: status, Duration: time.Since(x.began), DryRun: dry, UserAgent: agent, Remote: x.in.RemoteAddr,
	})
}

// boundedBody remembers how it ended: the error of a body that is too large, or stalls, is not always returned.
type boundedBody struct {
	io.ReadCloser
	reading                  sync.Mutex
	ended, tooLarge, stalled atomic.Bool
}

// hasStalled reports whether the body missed its read deadline.
func (b *boundedBody) hasStalled(request context.Context) bool {
	if request.Err() != nil {
		// HTTP/1 ends the context of a request because a read of its body fails, before the read returns.
		b.reading.Lock()
		defer b.reading.Unlock()
	}
	return b.stalled.Load()
}

// Read reads from the client.
func (b *boundedBody) Read(p []byte) (int, error) {
	b.reading.Lock()
	defer b.reading.Unlock()
	n, err := b.ReadCloser.Read(p)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		b.tooLarge.Store(true)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		b.stalled.Store(true)
	}
	if err != nil {
		b.ended.Store(true)
	}
	return n, err
}
