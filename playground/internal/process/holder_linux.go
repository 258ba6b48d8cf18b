package process

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Holder says which process keeps a TCP port of 127.0.0.1 from others, as far as
// this user may know: "process 1234 (nginx)". Empty when that is unknown.
func Holder(port int) string {
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		listeners(table, port, inodes)
	}
	if len(inodes) == 0 {
		return ""
	}
	fds, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, fd := range fds {
		target, err := os.Readlink(fd)
		if err != nil || !strings.HasPrefix(target, "socket:[") {
			continue
		}
		if inodes[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] {
			pid := strings.Split(fd, "/")[2]
			name, _ := os.ReadFile("/proc/" + pid + "/comm") // gone meanwhile: the number is enough
			return fmt.Sprintf("process %s (%s)", pid, strings.TrimSpace(string(name)))
		}
	}
	return ""
}

func listeners(table string, port int, inodes map[string]bool) {
	f, err := os.Open(table)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // only read
	const listen = "0A"
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) < 10 || fields[3] != listen {
			continue
		}
		address, hex, ok := strings.Cut(fields[1], ":")
		if !ok || !covers(address) {
			continue
		}
		if p, err := strconv.ParseUint(hex, 16, 16); err == nil && int(p) == port {
			inodes[fields[9]] = true
		}
	}
}

// covers reports whether an address of these tables, four bytes in the machine's order at a time, is 127.0.0.1 or all.
// Components have the same ports at addresses of their own.
func covers(address string) bool {
	last := address[max(0, len(address)-8):]
	return strings.Trim(address, "0") == "" || last == "0100007F" || last == "7F000001"
}
