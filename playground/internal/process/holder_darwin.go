package process

import (
	"fmt"
	"os/exec"
	"strings"
)

// Holder says which process listens on a TCP port of this machine, as far as
// this user may know: "process 1234 (nginx)". Empty when that is unknown.
func Holder(port int) string {
	out, err := exec.Command("lsof", "-nP", "-Fpc", fmt.Sprintf("-iTCP:%d", port), "-sTCP:LISTEN").Output()
	if err != nil {
		return ""
	}
	var pid, name string
	for _, line := range strings.Split(string(out), "\n") {
		switch {
		case strings.HasPrefix(line, "p") && pid == "":
			pid = line[1:]
		case strings.HasPrefix(line, "c") && name == "":
			name = line[1:]
		}
	}
	if pid == "" {
		return ""
	}
	return fmt.Sprintf("process %s (%s)", pid, name)
}
