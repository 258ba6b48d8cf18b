package plan

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// Where the console runner finds what it needs, in a file system of its own.
const (
	consoleToken  = "/etc/kairship/console-token"
	consoleFolder = "/run/console"
	consoleTools  = "/tools"
	consoleSocket = "runner.sock"
)

// consoleTokenFile is the configuration file with the token that the API server and the console runner share.
const consoleTokenFile = "console-token" //nolint:gosec // a name

// consolePassword is the same in each run.
func (p Plan) consolePassword() string { return digest("console" + p.Database.Password) }

// consolePrograms is what a console has beside the programs of the machine.
var consolePrograms = []string{"kubectl", "karmadactl"}

// console runs the shells of consoles. It sees nothing of the fleet's files but its token; its sessions, whose users are
// nobody else's, do not see that either.
func (p Plan) console() process.Spec {
	const name = "kairship-console-runner"
	s := p.spec(name, "kairship", process.TierProduct, p.Kairship, "console-runner",
		flag("listen", "unix://"+filepath.Join(consoleFolder, consoleSocket)),
		flag("token-file", consoleToken),
		flag("path", consoleTools+":/usr/local/bin:/usr/bin:/bin"),
	)
	s.Root = &process.Root{Dir: p.Dir.Data(name + "/root"), Mounts: []process.Mount{
		{Source: p.Dir.Config(consoleTokenFile), Target: consoleToken, ReadOnly: true},
		{Source: p.Dir.ConsoleFolder(), Target: consoleFolder},
	}}
	for _, program := range consolePrograms {
		s.Root.Mounts = append(s.Root.Mounts, process.Mount{Source: p.Binaries[program], Target: filepath.Join(consoleTools, program), ReadOnly: true})
	}
	// The shell, an editor, and what they are made of.
	for _, path := range []string{"/usr", "/bin/bash", "/bin/sh", "/lib", "/lib64", "/etc/alternatives", "/etc/passwd", "/etc/hosts"} {
		if _, err := os.Stat(path); err == nil {
			s.Root.Mounts = append(s.Root.Mounts, process.Mount{Source: path, Target: path, ReadOnly: true})
		}
	}
	return s
}

// consoleFlags are the API server's.
func (p Plan) consoleFlags() []string {
	return []string{
		flag("console-runner", "unix://"+filepath.Join(p.Dir.ConsoleFolder(), consoleSocket)),
		flag("console-token-file", p.Dir.Config(consoleTokenFile)),
	}
}

// prepareConsole makes the folders of the console runner.
func (p Plan) prepareConsole() error {
	if !p.Console {
		return nil
	}
	for _, dir := range []string{p.Dir.ConsoleFolder(), p.console().Root.Dir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("making a folder for the console runner: %w", err)
		}
	}
	return nil
}
