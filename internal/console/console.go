// Package console opens terminals with kubectl against one instance, for people who may see it: it issues a credential
// of ten minutes, has a runner start a shell with it, carries the terminal between the two, and takes the credential
// back at the end. The shell runs in another process (package runner), which has none of this one's rights.
//
// It knows neither HTTP routes nor who is admitted; the server does.
package console

import (
	"context"
	"log/slog"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// Fleet is what is asked of the fleet, from memory.
type Fleet interface {
	// Instance fails with NOT_FOUND for one that the scope does not hold.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters fails with UNAVAILABLE while they are not known.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
}

// Kubeconfigs issues the credentials of consoles.
type Kubeconfigs interface {
	// IssueShortest issues one of ten minutes for an instance and its members.
	IssueShortest(ctx context.Context, p auth.Principal, instance string, clusters []string) (string, token.Token, error)
	// RevokeToken revokes it. In this process it is revoked even when there is an error.
	RevokeToken(ctx context.Context, t token.Token) error
}

// Config is what Consoles need.
type Config struct {
	Runner      *Runner
	Fleet       Fleet
	Kubeconfigs Kubeconfigs
	// Audit records when a console was opened, and when and how it ended.
	Audit func(context.Context, audit.Event)
	// Registerer registers the metrics; nil for none.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
}

// Consoles opens consoles.
type Consoles struct {
	cfg     Config
	metrics *metrics
}

// New makes Consoles.
func New(cfg Config) *Consoles {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Consoles{cfg: cfg, metrics: newMetrics(cfg.Registerer)}
}

// action is the name of it in the audit log.
const action = "console"

// Open opens a console of an instance, as the principal in the context and with what they may see. Whoever calls it
// calls Serve, or End. NOT_FOUND for an instance that they do not see, LIMIT_EXCEEDED by the runner's limits,
// UNAVAILABLE when it does not answer. The context is for opening alone.
func (c *Consoles) Open(ctx context.Context, instance string) (*Session, error) {
	s := &Session{of: c, instance: instance, who: rbac.PrincipalFrom(ctx), ctx: context.WithoutCancel(ctx), began: time.Now()}
	if err := s.open(ctx); err != nil {
		s.discard()
		s.audit(audit.ResultOf(err))
		c.metrics.ended.WithLabelValues(endRefused).Inc()
		return nil, err
	}
	c.metrics.open.Inc()
	s.audit(audit.Result{Outcome: audit.Started})
	return s, nil
}

// Check says what stands in the way of a console, as Open would, and opens none: a browser does not show what a WebSocket was refused with.
func (c *Consoles) Check(ctx context.Context, instance string) error {
	s := &Session{of: c, instance: instance, who: rbac.PrincipalFrom(ctx), ctx: context.WithoutCancel(ctx)}
	defer s.discard()
	return s.reserve(ctx)
}

// reserve takes a place at the runner, if it is one of an instance that they see.
func (s *Session) reserve(ctx context.Context) (err error) {
	cfg := s.of.cfg
	if len(validation.IsDNS1123Label(s.instance)) > 0 {
		s.instance = ""
		return &model.Error{Code: model.CodeNotFound, Message: "there is no such instance"}
	}
	if _, err := cfg.Fleet.Instance(rbac.ScopeFrom(ctx), s.instance); err != nil {
		return err
	}
	s.runner, err = cfg.Runner.reserve(ctx, s.who.Name)
	return err
}

func (s *Session) open(ctx context.Context) error {
	if err := s.reserve(ctx); err != nil {
		return err
	}
	scope, cfg := rbac.ScopeFrom(ctx), s.of.cfg
	// There is a console for the control plane even while its members are not known.
	members, _ := cfg.Fleet.Clusters(scope, s.instance)
	names := make([]string, 0, len(members))
	for _, m := range members {
		names = append(names, m.Name)
	}
	kubeconfig, credential, err := cfg.Kubeconfigs.IssueShortest(ctx, s.who, s.instance, names)
	if err != nil {
		return err
	}
	s.credential = &credential
	return start(ctx, s.runner, protocol.Start{Instance: s.instance, Kubeconfig: kubeconfig, Expires: credential.Expires})
}

// Session is an open console.
type Session struct {
	of       *Consoles
	instance string
	who      auth.Principal
	// ctx carries who it is and their request, and does not end.
	ctx    context.Context //nolint:containedctx // of the audit, which outlives requests
	began  time.Time
	runner *websocket.Conn
	// credential is nil until it has been issued.
	credential *token.Token
}

// revokeTimeout is how long it may take until all replicas can know that a credential was revoked.
const revokeTimeout = 5 * time.Second

// discard has the runner end everything, and takes the credential back.
func (s *Session) discard() {
	if s.runner != nil {
		_ = s.runner.CloseNow()
	}
	if s.credential == nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, revokeTimeout)
	defer cancel()
	if err := s.of.cfg.Kubeconfigs.RevokeToken(ctx, *s.credential); err != nil {
		s.of.cfg.Logger.Error("the credential of a console could not be revoked in all replicas", "principal", s.who.Name, "instance", s.instance, "until", s.credential.Expires, "error", err)
	}
}

func (s *Session) audit(result audit.Result) {
	of := request.From(s.ctx)
	s.of.cfg.Audit(s.ctx, audit.Event{
		At: s.began, Principal: s.who.Name, Groups: s.who.Groups, Remote: of.Remote, UserAgent: of.UserAgent, RequestID: of.ID,
		Via: audit.ViaProxy, Action: action, Object: model.Ref{Instance: s.instance}, Duration: time.Since(s.began),
		Outcome: result.Outcome, Code: result.Code, Message: result.Message,
	})
}
