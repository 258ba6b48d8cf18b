// Package hack tests the scripts of this folder.
package hack

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

func TestALongCommandSaysHowFarItIs(t *testing.T) {
	const goBuild = `printf 'go: downloading example.org/a v1.0.0\ngo: downloading example.org/b v1.0.0\nexample.org/a\nruntime\n' >&2`
	tests := map[string]struct {
		command    string
		asGo       bool
		patient    bool
		want, not  string
		wantStatus int
	}{
		"what it fetches and compiles is counted and not shown": {command: goBuild + "; sleep 1.2", asGo: true,
			want: `(?m)^building: 2 modules downloaded, 2 packages compiled, \d s\n(.*\n)*building: done, `, not: `example|runtime`},
		"an error of the compiler is shown": {command: `printf '# example.org/a\na.go:3:5: undefined: x\n' >&2; exit 1`, asGo: true,
			want: `# example.org/a\na.go:3:5: undefined: x\nbuilding: failed after 0 s|1 s`, wantStatus: 1},
		"of another command every line is shown":  {command: "echo words; exit 3", want: `^words\nbuilding: failed`, wantStatus: 3},
		"one that has nothing to do says nothing": {command: "true", patient: true, want: `^$`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			// What the go command would print: it stands before the real one.
			if err := os.WriteFile(dir+"/go", []byte("#!/bin/bash\n"+tt.command+"\n"), 0o700); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			args := []string{"building", dir + "/go", "run"}
			if tt.asGo {
				args[2] = "build"
			}
			cmd := exec.CommandContext(t.Context(), "./step.sh", args...)
			cmd.Env = append(os.Environ(), "STEP_FIRST=1", "STEP_EVERY=1")
			if tt.patient {
				cmd.Env = append(cmd.Env, "STEP_FIRST=600")
			}
			raw, err := cmd.CombinedOutput()
			status := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if status != tt.wantStatus {
				t.Errorf("status %d, want %d", status, tt.wantStatus)
			}
			if !regexp.MustCompile(tt.want).Match(raw) || tt.not != "" && regexp.MustCompile(tt.not).Match(raw) {
				t.Errorf("it says\n%swant %s and not %q", raw, tt.want, tt.not)
			}
		})
	}
}

func TestTwoCommandsBesideEachOtherFailWhenEitherDoes(t *testing.T) {
	for name, tt := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"both end well":      {[]string{"one", "echo", "first", "--", "echo", "second"}, 0, "^second\n(one: still under way\n)?one:\nfirst\n$"},
		"the first fails":    {[]string{"one", "sh", "-c", "echo first; exit 3", "--", "true"}, 3, "one:\nfirst\n$"},
		"the second fails":   {[]string{"one", "echo", "first", "--", "sh", "-c", "exit 4"}, 4, "one:\nfirst\n$"},
		"there is no second": {[]string{"one", "true"}, 2, "^usage: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := exec.CommandContext(t.Context(), "./beside.sh", tt.args...).CombinedOutput()
			status := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if status != tt.status || !regexp.MustCompile(tt.want).Match(raw) {
				t.Errorf("status %d, want %d; it says\n%s", status, tt.status, raw)
			}
		})
	}
}
