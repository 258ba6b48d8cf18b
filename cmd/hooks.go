package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/database"
	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/model"
)

// Hooks configures the webhook by which global management reports who has which role.
type Hooks struct {
	Secret         string            `help:"Secret of the host cluster, in --namespace, with what events are signed with: one value, or two while one takes the place of the other. Empty: no webhook." placeholder:"NAME" xor:"global-management"`
	SecretFile     string            `help:"File instead of it, one secret on each line." type:"existingfile" placeholder:"FILE" xor:"global-management"`
	Sources        []string          `help:"Who may send events, by the name in them." default:"global-management" placeholder:"SOURCE"`
	ResyncURLs     map[string]string `name:"resync-urls" help:"Where all bindings of a source are asked for: https, or http on this machine. None: what was missed waits for a sync.full." placeholder:"SOURCE=URL;..."`
	CAFile         string            `name:"ca-file" help:"Certificates that those of the addresses have to come from, PEM. Empty: those of the system." type:"existingfile" placeholder:"FILE"`
	ResyncInterval time.Duration     `help:"How often they are asked when nothing is known to be missing." default:"10m"`
}

func (h *Hooks) enabled() bool { return h.Secret != "" || h.SecretFile != "" }

func (h *Hooks) validate() error {
	switch {
	case !h.enabled() && len(h.ResyncURLs) > 0:
		return errors.New("--global-management-resync-urls needs --global-management-secret or --global-management-secret-file")
	case len(h.ResyncURLs) == 0 && h.CAFile != "":
		return errors.New("--global-management-ca-file needs --global-management-resync-urls")
	case h.enabled() && h.ResyncInterval < time.Second:
		return fmt.Errorf("--global-management-resync-interval is %s; it must be at least 1s", h.ResyncInterval)
	}
	for _, source := range slices.Sorted(maps.Keys(h.ResyncURLs)) {
		if !slices.Contains(h.Sources, source) {
			return fmt.Errorf("--global-management-resync-urls has %q, which is not among --global-management-sources", source)
		}
	}
	return nil
}

// hooksConfig is what the webhook needs of the server that it is part of.
type hooksConfig struct {
	// Host is the host cluster, Namespace that of the Secret.
	Host      *rest.Config
	Namespace string
	// Database stores events; Audit records changes.
	Database   *database.DB
	Audit      *audit.Recorder
	Registerer prometheus.Registerer
	// Address returns whom the failures of a request count against.
	Address func(*http.Request) string
}

// handler returns the handler of globalmanagement.Path, and run, which has to run while it is served; both nil where
// there is no webhook.
func (h *Hooks) handler(c hooksConfig) (handler http.Handler, run func(context.Context) error, err error) {
	if !h.enabled() {
		return nil, nil, nil
	}
	if c.Database == nil {
		return nil, nil, errors.New("the webhook of global management needs --database-dsn: it has to remember which events there were")
	}
	types := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(types), v1alpha1.AddToScheme(types)); err != nil {
		return nil, nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	host, err := client.New(c.Host, client.Options{Scheme: types})
	if err != nil {
		return nil, nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	var secrets globalmanagement.Secrets = globalmanagement.FileSecrets(h.SecretFile)
	if h.Secret != "" {
		secrets = globalmanagement.NewObjectSecrets(host, client.ObjectKey{Namespace: c.Namespace, Name: h.Secret}, clock.RealClock{})
	}
	hook, err := globalmanagement.New(globalmanagement.Options{
		Client: host, Journal: journal{c.Database}, Secrets: secrets, Sources: h.Sources,
		Audit:   func(ctx context.Context, r globalmanagement.Record) { c.Audit.Record(ctx, auditOf(r)) },
		Address: c.Address, Registerer: c.Registerer, Logger: slog.Default(),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("--global-management-sources: %w", err)
	}
	var resyncers []*globalmanagement.Resyncer
	for _, source := range slices.Sorted(maps.Keys(h.ResyncURLs)) {
		r, err := globalmanagement.NewResyncer(hook, globalmanagement.ResyncOptions{
			Source: source, URL: h.ResyncURLs[source], CAFile: h.CAFile, Interval: h.ResyncInterval,
		})
		if err != nil {
			return nil, nil, fmt.Errorf("--global-management-resync-urls: %w", err)
		}
		resyncers = append(resyncers, r)
	}
	return hook, func(ctx context.Context) error {
		g, ctx := errgroup.WithContext(ctx)
		for _, r := range resyncers {
			g.Go(func() error { return r.Run(ctx) })
		}
		return g.Wait()
	}, nil
}

// journal keeps the events of the webhook in the database.
type journal struct{ db *database.DB }

func (j journal) Update(ctx context.Context, source string, do func(context.Context, globalmanagement.Entry) error) error {
	return j.db.UpdateSource(ctx, source, func(ctx context.Context, s *database.Source) error { return do(ctx, entry{s}) })
}

func (j journal) Position(ctx context.Context, source string) (globalmanagement.Position, error) {
	p, err := j.db.SourcePosition(ctx, source)
	return globalmanagement.Position(p), err
}

// entry is a source that nobody else can change meanwhile.
type entry struct{ *database.Source }

func (e entry) Position(context.Context) (globalmanagement.Position, error) {
	return globalmanagement.Position(e.Source.Position()), nil
}

func (e entry) SetPosition(ctx context.Context, p globalmanagement.Position) error {
	return e.Source.SetPosition(ctx, database.Position(p))
}

// sourceOrigin is the prefix of webhook sources among the principals of the audit log: no person has it.
const sourceOrigin = "kairship:webhook:"

// auditOf converts a change by the webhook to an audit event. Its request id is the id of the event, or names the
// resync. Its message says who has which role: the binding's name does not, and the binding may be gone.
func auditOf(r globalmanagement.Record) audit.Event {
	e := audit.Event{
		At: r.Time, Principal: sourceOrigin + r.Source, Remote: r.Address, Action: string(r.Action), Via: audit.ViaWebhook,
		Object:    model.Ref{GVK: v1alpha1.AccessBindingKind, Name: r.Binding},
		RequestID: cmp.Or(r.EventID, fmt.Sprintf("resync-%d", r.Sequence)),
		Message:   says(r.After),
	}
	switch {
	case r.Before != nil && r.After != nil:
		e.Message = "from " + says(r.Before) + " to " + says(r.After)
	case r.Before != nil:
		e.Message = says(r.Before)
	}
	if r.Message != "" {
		e.Message = r.Message + ": " + e.Message
	}
	switch r.Outcome {
	case globalmanagement.OutcomeCreated, globalmanagement.OutcomeUpdated, globalmanagement.OutcomeRemoved:
		e.Outcome = audit.Succeeded
	case globalmanagement.OutcomeConflict:
		e.Outcome, e.Code = audit.Refused, string(model.CodeConflict)
	case globalmanagement.OutcomeRefused:
		e.Outcome, e.Code = audit.Refused, string(model.CodeBadUserInput)
	default:
		e.Outcome, e.Code = audit.Failed, string(model.CodeUnavailable)
	}
	return e
}

// says describes a binding in a few words.
func says(s *v1alpha1.AccessBindingSpec) string {
	if s == nil {
		return "nothing"
	}
	where := "all instances"
	if s.Scope.Instance != "" {
		where = "instance " + s.Scope.Instance
	}
	if len(s.Scope.Namespaces) > 0 {
		where += ", namespaces " + strings.Join(s.Scope.Namespaces, ", ")
	}
	return fmt.Sprintf("%s of %s %s on %s", s.Role, s.Subject.Kind, s.Subject.Name, where)
}
