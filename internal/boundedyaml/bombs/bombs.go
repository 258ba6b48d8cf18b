// Package bombs is YAML that would take a server's memory, for the tests of all that read YAML of others.
package bombs

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Bomb is a document of a given length.
type Bomb struct {
	Name string
	// Text of about as many bytes.
	Text func(bytes int) string
}

// All is every way that is known to make much of little: aliases of aliases, many aliases of one long text, in
// lists, in mappings and merged; nesting; and values so short that what keeps them is a hundred times as long. Each
// is the value of the field `data` of a document.
func All() []Bomb {
	return []Bomb{
		{"many aliases of one long text", LongText},
		{"aliases of aliases", func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n  a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n")
			for i := 1; i < 40; i++ {
				fmt.Fprintf(&b, "  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
			}
			return pad(b.String(), n)
		}},
		{"aliases of aliases, merged", func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n  a0: &a0 {x: y, z: w}\n")
			for i := 1; i < 40; i++ {
				fmt.Fprintf(&b, "  a%d: &a%d {<<: [%s], k%d: v}\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","), i)
			}
			return pad(b.String(), n)
		}},
		{"a long text that is merged with itself", func(n int) string {
			merges := min(10_000, n/24)
			return "data:\n  a: &a {k: " + strings.Repeat("x", n-merges*13-30) + "}\n" + strings.Repeat("  ? {<<: *a}\n", merges)
		}},
		{"a short text in very many places", func(n int) string {
			return "data: [&a 0" + strings.Repeat(",*a", n/3-8) + "]\n"
		}},
		{"short values", func(n int) string { return "data: [0" + strings.Repeat(",0", n/2-8) + "]\n" }},
		{"empty values", func(n int) string { return "data: [" + strings.Repeat("[],", n/3-8) + "]\n" }},
		{"short keys", func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n")
			for i := 0; b.Len() < n-16; i++ {
				fmt.Fprintf(&b, " %x:\n", i)
			}
			return b.String()
		}},
		{"dashes", func(n int) string { return "data:\n" + strings.Repeat("-\n", n/2-8) }},
		{"dashes in a line", func(n int) string { return "data:\n " + strings.Repeat("- ", n/2-8) + "0\n" }},
		{"nested lists", func(n int) string { return "data: " + strings.Repeat("[", n-16) + "\n" }},
		{"nested mappings", func(n int) string { return "data: " + strings.Repeat("{a: ", n/4-8) + "\n" }},
	}
}

// LongText is one text of nearly all the length, which 10,300 aliases repeat: 10 GiB of a document of 1 MiB.
func LongText(n int) string {
	aliases := min(10_300, n/16)
	const alias = "\n- *a"
	return "data:\n- &a " + strings.Repeat("x", n-aliases*len(alias)-16) + strings.Repeat(alias, aliases) + "\n"
}

func pad(text string, n int) string {
	return text + "# " + strings.Repeat("x", max(0, n-len(text)-3)) + "\n"
}

// Allocated is how many bytes a call allocates, in all.
func Allocated(tb testing.TB, call func()) uint64 {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
