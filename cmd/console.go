package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/console"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Console configures the terminals that people open in a browser.
type Console struct {
	Runner    string `help:"Address of the console runner (kairship console-runner), which runs the shells of consoles: unix:///PATH or https://HOST:PORT. Empty: there are no consoles." placeholder:"ADDRESS"`
	TokenFile string `help:"File with the token that the runner knows this server by." type:"existingfile" placeholder:"FILE"`
	CAFile    string `name:"ca-file" help:"Certificates that the runner's certificate comes from, PEM. Empty: those of the system." type:"existingfile" placeholder:"FILE"`
}

func (c *Console) validate(database *OwnDatabase, people *People) error {
	switch {
	case c.Runner == "" && (c.TokenFile != "" || c.CAFile != ""):
		return errors.New("--console-token-file and --console-ca-file need --console-runner")
	case c.Runner == "":
		return nil
	case c.TokenFile == "":
		return errors.New("--console-runner needs --console-token-file")
	case database.DSN == "" || people.kubeconfigURL() == "":
		return errors.New("--console-runner needs --database-dsn and --kubeconfig-url: a console is given a kubeconfig, which is taken back")
	}
	return nil
}

// consoles makes what opens consoles; nil for none.
func (c *Console) consoles(fleet *instance.Fleet, people *entrance) (*console.Consoles, error) {
	if c.Runner == "" {
		return nil, nil //nolint:nilnil // there are none
	}
	var ca []byte
	if c.CAFile != "" {
		var err error
		if ca, err = os.ReadFile(c.CAFile); err != nil {
			return nil, fmt.Errorf("--console-ca-file: %w", err)
		}
	}
	runner, err := console.NewRunner(c.Runner, ca, func() (string, error) { return secretOf(c.TokenFile) })
	if err != nil {
		return nil, fmt.Errorf("--console-runner: %w", err)
	}
	return console.New(console.Config{
		Runner: runner, Fleet: fleet, Kubeconfigs: short{handOut{people.kubeconfigs, people.revoked, people.notes}},
		Audit: people.recorder.Record, Registerer: prometheus.DefaultRegisterer, Logger: slog.Default(),
	}), nil
}

// consoleState says of every instance whether it has a console.
func consoleState(c *console.Consoles) model.Console {
	if c != nil {
		return model.Console{Available: true}
	}
	reason := server.NoConsole
	return model.Console{Reason: &reason}
}

// short issues the kubeconfigs of consoles.
type short struct{ handOut }

// IssueShortest issues one.
func (s short) IssueShortest(ctx context.Context, p auth.Principal, instance string, clusters []string) (string, token.Token, error) {
	s.note(ctx, instance)
	return s.Kubeconfigs.IssueShortest(ctx, p, instance, clusters)
}

// RevokeToken takes one back.
func (s short) RevokeToken(ctx context.Context, t token.Token) error {
	return s.revoked.RevokeToken(ctx, t.ID, t.Expires, t.Principal.Name)
}

// note has the members know in time who uses a kubeconfig. It does not wait for a host cluster that hangs.
func (h handOut) note(ctx context.Context, instance string) {
	noting, cancel := context.WithTimeout(ctx, upstream.Silence)
	defer cancel()
	h.notes.Note(noting, rbac.ActingFrom(ctx, instance))
}
