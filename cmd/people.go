package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"

	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/actions/idempotency"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/revocation"
	"github.com/kairship-io/kairship/internal/auth/session"
	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/auth/token/keyring"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
	"github.com/kairship-io/kairship/internal/server"
	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

// OwnDatabase configures Kairship's own database: the audit log and revocations.
type OwnDatabase struct {
	DSN          string        `name:"dsn" help:"PostgreSQL in which the audit log is kept, and which sessions and kubeconfigs have been ended: postgres://USER@HOST/DATABASE; not the read store's own database where USER is kairship. Empty: the audit is in the log alone, and there are no sessions, no kubeconfigs and no webhook." placeholder:"DSN"`
	PasswordFile string        `help:"File with the password, where the connection string has none." type:"existingfile" placeholder:"FILE"`
	AuditAge     time.Duration `help:"How long audit events are kept." default:"2160h"`
	AuditCount   int64         `help:"How many of them are kept at most." default:"10000000"`
}

var errPasswordAlone = errors.New("--database-password-file needs --database-dsn")

func (l *OwnDatabase) validate() error {
	switch {
	case l.DSN == "" && l.PasswordFile != "":
		return errPasswordAlone
	case l.AuditAge < time.Hour:
		return fmt.Errorf("--database-audit-age is %s; it must be at least 1h", l.AuditAge)
	case l.AuditCount < 1:
		return fmt.Errorf("--database-audit-count is %d; it must be at least 1", l.AuditCount)
	}
	return nil
}

// open opens the database; nil when there is none.
func (l *OwnDatabase) open() (*database.DB, error) {
	if l.DSN == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	return openOwnDatabase(l.DSN, l.PasswordFile)
}

func openOwnDatabase(dsn, passwordFile string) (*database.DB, error) {
	password, err := secretOf(passwordFile)
	if err != nil {
		return nil, fmt.Errorf("--database-password-file: %w", err)
	}
	opened, err := database.Open(database.Options{DSN: dsn, Password: password})
	if err != nil {
		return nil, fmt.Errorf("--database-dsn: %w", err)
	}
	return opened, nil
}

// People configures how people sign in, and the sessions and kubeconfigs that they get.
type People struct {
	PublicURL             string         `name:"public-url" help:"Address that browsers open: https, or http on loopback. With --oidc-issuer and --database-dsn people sign in there. Empty: they bring tokens." placeholder:"URL"`
	SessionIdle           time.Duration  `help:"How long a browser's session lasts without a request." default:"1h"`
	SessionAbsolute       time.Duration  `help:"How long it lasts with them." default:"12h"`
	KubeconfigURL         string         `name:"kubeconfig-url" help:"Address that kubeconfigs lead to: https. Empty: that of --public-url, if it is https." placeholder:"URL"`
	KubeconfigCAFile      string         `name:"kubeconfig-ca-file" help:"Certificates that the certificate of that address comes from, PEM, for kubeconfigs. Empty: those that clients trust anyway." type:"existingfile" placeholder:"FILE"`
	KubeconfigMaxLifetime time.Duration  `help:"Longest lifetime of a kubeconfig, at most 720h." default:"720h"`
	Introspection         string         `help:"Who may read the schema, and so use GraphiQL: ${enum}." enum:"everybody,owners,nobody" default:"everybody"`
	TrustedDocuments      bool           `help:"Run only the documents of the UI and of --documents, as is good in production: no other query of anybody's."`
	Documents             []string       `help:"Files of documents that may be asked for by their hash alone: JSON objects of documents by SHA-256, or lists of documents." type:"existingfile" placeholder:"FILE"`
	TrustedProxies        []netip.Prefix `help:"Networks of the proxies in front of Kairship: their X-Forwarded-For is believed." placeholder:"CIDR"`
}

func (p *People) kubeconfigURL() string {
	if p.KubeconfigURL == "" && strings.HasPrefix(p.PublicURL, "https://") {
		return p.PublicURL
	}
	return p.KubeconfigURL
}

func (p *People) validate() error {
	if p.KubeconfigCAFile != "" && p.kubeconfigURL() == "" {
		return errors.New("--kubeconfig-ca-file needs --kubeconfig-url")
	}
	return nil
}

// introspect returns the check of who may read the schema; nil for everybody.
func (p *People) introspect() func(context.Context) bool {
	switch p.Introspection {
	case "owners":
		return func(ctx context.Context) bool { return rbac.ScopeFrom(ctx).All() }
	case "nobody":
		return func(context.Context) bool { return false }
	}
	return nil
}

// documentsFile is where the UI's build lists its documents.
const documentsFile = "documents.json"

// documents returns the documents of the UI and of --documents.
func (p *People) documents(ui fs.FS) (*server.Documents, error) {
	if ui == nil {
		return server.ReadDocuments(nil, p.Documents...)
	}
	file, err := ui.Open(documentsFile)
	if errors.Is(err, fs.ErrNotExist) && !p.TrustedDocuments {
		return server.ReadDocuments(nil, p.Documents...)
	}
	if err != nil {
		return nil, fmt.Errorf("the UI was built without its documents: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	return server.ReadDocuments(file, p.Documents...)
}

// The Secrets of the host cluster that hold keys, in --namespace.
const (
	secretSessionKeys = "kairship-session-keys"
	secretTokenKeys   = "kairship-kubeconfig-keys"
)

// entrance holds authentication, revocation and the audit log.
type entrance struct {
	db            *database.DB // nil for none
	recorder      *audit.Recorder
	reader        *audit.Reader
	authenticator auth.Authenticator
	sessions      *session.Sessions  // nil where nobody can sign in
	kubeconfigs   *token.Kubeconfigs // nil where none are issued
	revoked       *revocation.List   // nil without a database
	notes         *subjects.Recorder
	keeper        *audit.Keeper
}

// entrance makes the entrance from the options.
func (a *Apiserver) entrance(client kubernetes.Interface, authorizer *rbac.Authorizer, notes *subjects.Recorder) (*entrance, error) {
	provider, err := a.OIDC.provider()
	if err != nil {
		return nil, err
	}
	byIssuer := map[string]auth.Authenticator{}
	if provider != nil {
		byIssuer[a.OIDC.Issuer] = provider
	}
	authenticators := auth.NewAuthenticators(auth.NewHostAuthenticator(client.AuthenticationV1().TokenReviews(), a.TokenAudience), byIssuer)
	e := &entrance{authenticator: authenticators, notes: notes}
	options := audit.RecorderOptions{Metrics: prometheus.DefaultRegisterer}
	if e.db, err = a.Database.open(); err != nil {
		return nil, err
	}
	if e.db == nil {
		e.recorder, e.reader = audit.NewRecorder(nil, options), audit.NewReader(nil)
		return e, nil
	}
	e.recorder, e.reader = audit.NewRecorder(e.db, options), audit.NewReader(e.db)
	e.keeper = audit.NewKeeper(e.db, audit.Retention{Age: a.Database.AuditAge, Count: a.Database.AuditCount}, slog.Default())
	e.revoked = revocation.New(e.db, authorizer.Recheck, slog.Default())
	secrets := client.CoreV1().Secrets(a.Namespace)
	if provider != nil && a.PublicURL != "" {
		if e.sessions, err = a.signIn(provider, keyring.NewSecret(secrets, secretSessionKeys), e.revoked, e.auditSignIn); err != nil {
			return nil, err
		}
	}
	issuer, err := token.New(token.Config{Keys: keyring.NewSecret(secrets, secretTokenKeys), Revocations: e.revoked, MaxLifetime: a.KubeconfigMaxLifetime})
	if err != nil {
		return nil, fmt.Errorf("--kubeconfig-max-lifetime: %w", err)
	}
	e.authenticator = authenticators.With(token.IssuerName, checked{issuer, e.revoked})
	if url := a.kubeconfigURL(); url != "" {
		e.kubeconfigs, err = a.kubeconfigs(issuer, url)
	}
	return e, err
}

// signIn makes the sessions of people who sign in with a browser.
func (a *Apiserver) signIn(provider *auth.OIDCAuthenticator, keys keyring.Store, ended session.Revocations, tell func(context.Context, session.SignIn)) (*session.Sessions, error) {
	cfg := session.Config{
		PublicURL: a.PublicURL, Provider: provider, ProviderName: a.OIDC.Name, ClientID: a.OIDC.clientID(), Scopes: a.OIDC.Scopes,
		Idle: a.SessionIdle, Absolute: a.SessionAbsolute, Keys: keys, Revocations: ended, Audit: tell, Logger: slog.Default(),
	}
	var err error
	if cfg.ClientSecret, err = secretOf(a.OIDC.ClientSecretFile); err != nil {
		return nil, fmt.Errorf("--oidc-client-secret-file: %w", err)
	}
	sessions, err := session.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("signing in: %w", err)
	}
	return sessions, nil
}

func (a *Apiserver) kubeconfigs(issuer *token.Issuer, url string) (*token.Kubeconfigs, error) {
	var ca []byte
	if a.KubeconfigCAFile != "" {
		var err error
		if ca, err = os.ReadFile(a.KubeconfigCAFile); err != nil {
			return nil, fmt.Errorf("--kubeconfig-ca-file: %w", err)
		}
	}
	out, err := token.NewKubeconfigs(issuer, url, ca)
	if err != nil {
		return nil, fmt.Errorf("--kubeconfig-url: %w", err)
	}
	return out, nil
}

// run does the background work (cleaning, revocation, audit retention) until the context ends.
func (e *entrance) run(ctx context.Context) error {
	if e.db == nil {
		return nil
	}
	if err := e.db.Prepare(ctx); err != nil {
		return err
	}
	var owned sync.WaitGroup
	for _, run := range []func(context.Context){e.db.Clean, e.revoked.Run, e.keeper.Run} {
		owned.Go(func() { run(ctx) })
	}
	owned.Wait()
	return nil
}

// closeTimeout is how long the last events of the audit may take to be stored.
const closeTimeout = 5 * time.Second

// close stores the last events of the audit.
func (e *entrance) close() {
	closeAudit(e.recorder, e.db)
}

// closeAudit stores the last events, and closes the database; nil for none.
func closeAudit(recorder *audit.Recorder, db *database.DB) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := recorder.Close(ctx); err != nil {
		slog.Warn("the last events of the audit are in the log alone", "error", err)
	}
	if db != nil {
		db.Close()
	}
}

// session returns the function that reads the session of a request.
func (e *entrance) session() func(*http.Request) (auth.Principal, time.Time, error) {
	if e.sessions == nil {
		return nil
	}
	return func(r *http.Request) (auth.Principal, time.Time, error) {
		if err := e.revoked.Check(); err != nil {
			return auth.Principal{}, time.Time{}, err
		}
		return e.sessions.FromRequest(r)
	}
}

// handOut returns what issues kubeconfigs for the GraphQL API; nil where none are issued.
func (e *entrance) handOut() actions.Kubeconfigs {
	if e.kubeconfigs == nil {
		return nil
	}
	return handOut{e.kubeconfigs, e.revoked, e.notes}
}

// idempotency returns the store of idempotency keys; nil without a database.
func (e *entrance) idempotency() idempotency.Store {
	if e.db == nil {
		return nil
	}
	return e.db
}

// handOut issues and revokes kubeconfigs.
type handOut struct {
	*token.Kubeconfigs
	revoked *revocation.List
	notes   *subjects.Recorder
}

func (h handOut) Issue(ctx context.Context, p auth.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (string, time.Time, error) {
	h.note(ctx, instance)
	return h.Kubeconfigs.Issue(ctx, p, instance, clusters, cluster, namespace, lifetime)
}

func (h handOut) Revoke(ctx context.Context, principal, by string) (time.Time, error) {
	return h.revoked.Revoke(ctx, principal, by)
}

// checked rejects Kairship's own tokens until it is known which of them are revoked.
type checked struct {
	*token.Issuer
	revoked *revocation.List
}

func (c checked) Authenticate(ctx context.Context, token string) (auth.Principal, error) {
	if err := c.revoked.Check(); err != nil {
		return auth.Principal{}, err
	}
	return c.Issuer.Authenticate(ctx, token)
}

// addressOf returns the address that a request came from. The server has put in what a trusted proxy reports.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// auditSignIn records who signed in with a browser, and who failed to.
func (e *entrance) auditSignIn(ctx context.Context, s session.SignIn) {
	of := request.From(ctx)
	result := audit.ResultOf(s.Err)
	if s.Unrecorded > 0 {
		result.Message += fmt.Sprintf(" (%d more did not succeed since the last one that is told here; the log has them)", s.Unrecorded)
	}
	e.recorder.Record(ctx, audit.Event{
		At: s.Began, Duration: time.Since(s.Began), Principal: s.Principal.Name, Groups: s.Principal.Groups,
		Remote: of.Remote, UserAgent: of.UserAgent, RequestID: of.ID, Via: audit.ViaSignIn, Action: "signIn",
		Outcome: result.Outcome, Code: result.Code, Message: result.Message,
	})
}

// auditProxied records what went through the proxy.
func (e *entrance) auditProxied(ctx context.Context, r proxy.Record) {
	who, of := rbac.PrincipalFrom(ctx), request.From(ctx)
	event := audit.Event{
		At: time.Now().Add(-r.Duration), Principal: who.Name, Groups: who.Groups, Remote: of.Remote, UserAgent: r.UserAgent, RequestID: of.ID,
		Via: audit.ViaProxy, Action: r.Verb, Resource: r.Resource, Subresource: r.Subresource, DryRun: r.DryRun, Duration: r.Duration,
		Object: model.Ref{Instance: r.Instance, Cluster: r.Cluster, Namespace: r.Namespace, Name: r.Name,
			GVK: schema.GroupVersionKind{Group: r.Group, Version: r.Version}},
	}
	switch r.Subresource {
	case "exec", "attach", "portforward":
		event.Action = r.Subresource // their verbs are get and create, which is not what they do
	}
	result := audit.ResultOfStatus(r.Status, "")
	switch r.End {
	case proxy.EndedRight:
		result.Outcome = audit.Refused // from then on it was not allowed
	case proxy.EndedServer:
		result.Outcome = audit.Failed
	}
	if r.Stage == proxy.StageStarted {
		result.Outcome = audit.Started
	}
	result.Message = describeProxied(r)
	event.Outcome, event.Code, event.Message = result.Outcome, result.Code, result.Message
	e.recorder.Record(ctx, event)
}

// ends says how an upgraded connection ended.
var ends = map[proxy.End]string{
	proxy.EndedItself: "it has ended",
	proxy.EndedRight:  "it was ended: the right to it was lost", proxy.EndedServer: "it was ended: the server shut down",
}

// describeProxied says what an exec or attach runs where, and how a connection ended.
func describeProxied(r proxy.Record) string {
	var parts []string
	if end := ends[r.End]; end != "" {
		parts = append(parts, end)
	}
	if r.Container != "" {
		parts = append(parts, fmt.Sprintf("container %q", r.Container))
	}
	if len(r.Command) > 0 {
		parts = append(parts, fmt.Sprintf("command %q", r.Command))
	}
	return strings.Join(parts, "; ")
}
