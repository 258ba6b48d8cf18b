package cmd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/console/runner"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// ConsoleRunner runs the shells of consoles. It reads no credential but the token.
type ConsoleRunner struct {
	Listen            string        `help:"Where API servers find it: unix:///PATH or https://ADDRESS:PORT." required:"" placeholder:"ADDRESS"`
	TokenFile         string        `help:"File with the token that API servers have to send, of 16 bytes or more; read for each session." required:"" type:"existingfile" placeholder:"FILE"`
	TLSCertFile       string        `name:"tls-cert-file" help:"Certificate for https, PEM." type:"existingfile" placeholder:"FILE"`
	TLSPrivateKeyFile string        `name:"tls-private-key-file" help:"Key of that certificate, PEM." type:"existingfile" placeholder:"FILE"`
	Shell             string        `help:"Program of a session." default:"/bin/bash"`
	Path              string        `help:"PATH of a session: where kubectl and karmadactl are." default:"/usr/local/bin:/usr/bin:/bin"`
	HomeDir           string        `help:"Folder for the folders of sessions, which nobody else uses; in memory, so that no credential is ever on a disk." default:"/run/kairship-console"`
	Users             string        `help:"Numeric users of sessions where this runs as root: nobody else's." default:"200000-200999" placeholder:"FIRST-LAST"`
	MaxSessions       int           `help:"Most sessions." default:"20"`
	MaxUserSessions   int           `name:"max-sessions-per-user" help:"Most sessions of one person." default:"3"`
	IdleTimeout       time.Duration `help:"How long a session lasts in which nothing comes and nothing goes." default:"5m"`
}

// Validate rejects options that cannot work.
func (c *ConsoleRunner) Validate() error {
	network, _, err := c.address()
	switch {
	case err != nil:
		return err
	case (network == "tcp") != (c.TLSCertFile != "" && c.TLSPrivateKeyFile != ""):
		return errors.New("--tls-cert-file and --tls-private-key-file are for --listen=https://…, which needs both")
	case c.MaxSessions < 1 || c.MaxUserSessions < 1:
		return errors.New("--max-sessions and --max-sessions-per-user have to be at least 1")
	case c.IdleTimeout <= 0:
		return fmt.Errorf("--idle-timeout is %s; it must be above 0", c.IdleTimeout)
	}
	_, err = c.users()
	return err
}

// address is where to listen.
func (c *ConsoleRunner) address() (network, address string, err error) {
	u, err := url.Parse(c.Listen)
	switch {
	case err == nil && u.Scheme == "unix" && u.Host == "" && len(u.Path) > 1:
		return "unix", u.Path, nil
	case err == nil && u.Scheme == "https" && u.Port() != "" && (u.Path == "" || u.Path == "/"):
		return "tcp", u.Host, nil
	}
	return "", "", fmt.Errorf("--listen is %q; it must be unix:///PATH or https://ADDRESS:PORT", c.Listen)
}

// users are the users of sessions.
func (c *ConsoleRunner) users() (runner.Users, error) {
	first, last, _ := strings.Cut(c.Users, "-")
	from, err := strconv.Atoi(first)
	to, lastErr := strconv.Atoi(last)
	if err != nil || lastErr != nil || from < 1000 || to < from {
		return runner.Users{}, fmt.Errorf("--users is %q; it must be FIRST-LAST, both 1000 or above", c.Users)
	}
	return runner.Users{First: from, Count: to - from + 1}, nil
}

// errShared is why a runner does not start.
var errShared = errors.New("the console runner has to be root, so that each session has a user of its own, or the first process of a container: " +
	"as another user beside other processes a session could end it, take its place, and be given the credential of whoever comes next")

// Run runs sessions until the context ends.
func (c *ConsoleRunner) Run(ctx context.Context) error {
	cfg := runner.Config{
		Token: func() (string, error) { return secretOf(c.TokenFile) },
		Shell: c.Shell, Path: c.Path, Dir: c.HomeDir,
		Limits: runner.Limits{Sessions: c.MaxSessions, SessionsPerPerson: c.MaxUserSessions, Idle: c.IdleTimeout},
		Logger: slog.Default(),
	}
	switch {
	case os.Geteuid() == 0:
		var err error
		if cfg.Users, err = c.users(); err != nil {
			return err
		}
	case os.Getpid() != 1:
		return errShared
	default:
		slog.Warn("this runs as another user than root: it has one session at a time")
	}
	sessions, err := runner.New(cfg)
	if err != nil {
		return err
	}
	listener, err := c.listen(ctx)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: sessions, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(redact.Logs(slog.Default().Handler()), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	slog.Info("running the shells of consoles", "address", c.Listen)
	select {
	case err := <-failed:
		return fmt.Errorf("serving sessions: %w", err)
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainSessions)
	defer cancel()
	sessions.Drain(draining)
	return server.Shutdown(draining)
}

// drainSessions is how long sessions may take to end once the runner is stopped.
const drainSessions = 15 * time.Second

// listen listens; at a socket that an earlier process left, too.
func (c *ConsoleRunner) listen(ctx context.Context) (net.Listener, error) {
	network, address, err := c.address()
	if err != nil {
		return nil, err
	}
	if network == "unix" {
		if about, err := os.Lstat(address); err == nil && about.Mode()&fs.ModeSocket != 0 {
			_ = os.Remove(address) // it was an earlier process's: this one has the folder of sessions
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	if err != nil {
		return nil, fmt.Errorf("listening at %s: %w", c.Listen, err)
	}
	if network == "unix" {
		return listener, os.Chmod(address, 0o660) //nolint:gosec // the server may be another user of its group
	}
	get := func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(c.TLSCertFile, c.TLSPrivateKeyFile)
		if err != nil {
			return nil, fmt.Errorf("reading the certificate: %w", err)
		}
		return &pair, nil
	}
	if _, err := get(nil); err != nil {
		return nil, err
	}
	return tls.NewListener(listener, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: []string{"http/1.1"}}), nil
}
