package e2e

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// stopwatch times what this machine does: not the time in which its host ran somebody else on its processors, which no
// answer can be faster than.
type stopwatch struct {
	began  time.Time
	stolen time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), stolen()} }

// took is the time since, without what was stolen of it.
func (s stopwatch) took() time.Duration { return time.Since(s.began) - (stolen() - s.stolen) }

// stolen is how long the machine's processors were not given to it since it started, on average; 0 where that is not
// known.
func stolen() time.Duration {
	raw, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	// cpu user nice system idle iowait irq softirq steal, in hundredths of a second of all processors
	fields := strings.Fields(line)
	const steal = 8
	if len(fields) <= steal {
		return 0
	}
	hundredths, err := strconv.ParseInt(fields[steal], 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(hundredths) * 10 * time.Millisecond / time.Duration(runtime.NumCPU())
}
