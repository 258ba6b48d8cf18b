package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLabMeasures runs the performance lab on few workloads, with limits that nothing exceeds: its figures say nothing
// here, but it has to go through to its end.
func TestTheLabMeasures(t *testing.T) {
	lab := filepath.Join(t.TempDir(), "bench")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", lab, "../bench").CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), lab, "-workloads=0", "-abuse=0", "-sizes=450,600", "-rounds=4", "-wide=0", "-more=1", "-dashboards=false", "-soak=0", "-fan-out=1,60", "-storm=10s", "-storm-readers=60", "-storm-silent=5",
		"-lab-limit=1e9", "-lean-limit=1e9", "-growth=1e9")
	run.Dir, run.Env = "..", os.Environ()
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, part := range []string{"read store with 450 workloads", "read store with 600 workloads", "÷ PostgreSQL", "÷ raw requests", "÷ by API",
		"\nfirst page ", "\nmiddle page ", "\n200 rows ", "\nstate filter ", "\ntotalCount ", "\nestimate ", "\noverview ", "\nworkload detail ", "\npolicies ", "\ncluster page ", "\nsearch ",
		"growth of the p50 from 450 to 600 workloads", "by a watch for each", "\n         60 ", "every reader holds the last state of every workload"} {
		if !strings.Contains(string(out), part) {
			t.Errorf("it prints nothing of %q:\n%s", part, out)
		}
	}
}
