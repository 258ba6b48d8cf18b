// Package cmd is Kairship's command line: it reads the configuration, checks it, and wires the parts
// together. Nothing else reads flags, environment or configuration files.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Version is stamped at build time.
var Version = "dev"

// cli is every option of Kairship. Flags win over the environment (KAIRSHIP_ and the flag's name), the
// environment wins over the file given by --config.
type cli struct {
	Config    kong.ConfigFlag  `help:"YAML file with options: flag names as keys, without the dashes before them." placeholder:"FILE"`
	LogLevel  slog.Level       `help:"Least level that is logged: debug, info, warn or error." default:"info"`
	LogFormat string           `help:"How logs are written: ${enum}." enum:"text,json" default:"text"`
	Version   kong.VersionFlag `help:"Print the version and exit." env:"-"`

	Apiserver         Apiserver         `cmd:"" help:"Serve the GraphQL API and the UI."`
	ControllerManager ControllerManager `cmd:"" help:"Run the controllers."`
	ConsoleRunner     ConsoleRunner     `cmd:"" help:"Run the shells of consoles, for an API server with --console-runner."`
	Store             Store             `cmd:"" help:"Tend the database of the read store."`
}

// Host is how to reach the host cluster: the one that holds Instances, their credentials and the
// PediaClusters.
type Host struct {
	HostKubeconfig string `help:"Kubeconfig of the host cluster. Empty: the cluster Kairship runs in." type:"existingfile" placeholder:"FILE"`
	Namespace      string `help:"Namespace of the host cluster in which the credentials of instances are kept." default:"kairship-system"`

	InstanceNetworks []netip.Prefix `help:"Networks in which the API servers of instances may be, such as 10.0.0.0/8; others are never connected to. None: all but those of this machine and its link (127.0.0.0/8, 169.254.0.0/16 and so on)." placeholder:"CIDR"`
}

// config is the client configuration of the host cluster.
func (h Host) config() (*rest.Config, error) {
	if len(h.InstanceNetworks) > 0 {
		kubeconfig.SetNetworks(h.InstanceNetworks...)
	}
	cfg, err := h.load()
	if err != nil {
		return nil, err
	}
	// No limit: the API server applies priority and fairness; a limit here would only delay people.
	cfg.QPS = -1
	cfg.Wrap(link.RefuseRedirects)
	if kubeconfig.ProxyInEnvironment() {
		slog.Warn("HTTPS_PROXY is set: instances are connected to without it, since only then it is known where they are")
	}
	return cfg, nil
}

func (h Host) load() (*rest.Config, error) {
	if h.HostKubeconfig == "" {
		cfg, err := rest.InClusterConfig()
		if err != nil {
			return nil, fmt.Errorf("--host-kubeconfig is empty and Kairship does not run in a cluster: %w", err)
		}
		return cfg, nil
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", h.HostKubeconfig)
	if err != nil {
		return nil, fmt.Errorf("--host-kubeconfig: %w", err)
	}
	return cfg, nil
}

// Run parses the arguments and runs the command they name until it ends or the context does. It returns
// the process's exit code.
func Run(ctx context.Context, args []string) int {
	var options cli
	parser, err := kong.New(&options,
		kong.Name("kairship"),
		kong.Description("One place to see and steer many Karmada control planes."),
		kong.DefaultEnvars("KAIRSHIP"),
		kong.Configuration(fileResolver),
		kong.Vars{"version": version()},
		kong.UsageOnError(),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kairship:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		var parseError *kong.ParseError
		if errors.As(err, &parseError) {
			fmt.Fprintln(os.Stderr, "kairship:", err)
			return parseError.ExitCode()
		}
		fmt.Fprintln(os.Stderr, "kairship:", err)
		return 1
	}
	log := logger(options.LogLevel, options.LogFormat)
	slog.SetDefault(log)
	ctrllog.SetLogger(logr.FromSlogHandler(log.Handler()))
	klog.SetLogger(logr.FromSlogHandler(log.Handler()))
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(); err != nil && !errors.Is(err, context.Canceled) {
		log.Error("stopped", "error", err)
		return 1
	}
	return 0
}

func logger(level slog.Level, format string) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if format == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	return slog.New(redact.Logs(telemetry.Logs(handler)))
}

// version is the stamped version, or the module's where the binary was installed by `go install`.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && Version == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return Version
}
