// Package bombs makes YAML that would exhaust a server's memory, to test everything that reads YAML from others.
package bombs

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Bomb is a document of limited length.
type Bomb struct {
	Name string
	// Text returns a document of about as many bytes, or of fewer that do as much harm.
	Text func(bytes int) string
	// Broken says that it ends with invalid YAML: it may be refused for that, or as more than one document, rather than
	// for what it holds. Readers that stop before its end accept it.
	Broken bool
}

// All returns every known way to expand a small document into a large one: aliases of aliases; many aliases of one long
// string, in lists, in mappings and merged; nesting; and values so short that storing them takes a hundred times their
// length. Each is the value of the field `data` of a document. Some are followed by text that only some parsers read,
// or written with line breaks that not all parsers recognise.
func All() []Bomb {
	return append(plain(), disguised()...)
}

// disguised returns one bomb in every known variant of which a counter sees something else than the reader.
func disguised() []Bomb {
	var out []Bomb
	for _, end := range []string{"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"} {
		out = append(out, Bomb{Name: fmt.Sprintf("lines that end in %q", end), Text: func(n int) string { return repeated(n, end, "") }})
		tails := []string{"...%s@", "---%s@"}
		if end == "\n" {
			tails = append(tails, "...%s`", "...%s%%", "... %s@", "...\t# end%s@", "--- a%s@", "...%[1]s---%[1]s@", "...%s\"", "...%s*b")
		}
		for _, tail := range tails {
			tail = fmt.Sprintf(tail, end) + "\n"
			out = append(out, Bomb{Name: fmt.Sprintf("before %q", tail), Text: func(n int) string { return repeated(n, "\n", tail) }, Broken: true})
		}
	}
	far := strings.Repeat("# far away\n", 900)
	for _, tail := range []string{"...\n" + far + "@\n", "...\n" + far + "\x00\n", "...\n" + far + "\x7f\n", "...\n" + far + "\xff\n", "...\n" + far + "\ufeff@\n"} {
		out = append(out, Bomb{Name: fmt.Sprintf("long before %q", tail[len(tail)-3:]), Text: func(n int) string { return repeated(n, "\n", tail) }, Broken: true})
	}
	return append(out, Bomb{Name: "an anchor that is given again", Text: func(n int) string {
		const first = "data:\n- &a x\n- *a\n"
		return first + strings.TrimPrefix(repeated(n-len(first)+len("data:\n"), "\n", ""), "data:\n")
	}})
}

// repeated is a string that hundreds of aliases repeat, with a tail; at most 96 KiB.
func repeated(n int, end, tail string) string {
	n = min(n, 96<<10) // enough to exceed every limit, and fast to parse
	aliases := min(900, n/64)
	long := n - aliases*len(end+"- *a") - len("data:"+end+"- &a ") - len(end+tail)
	return "data:" + end + "- &a " + strings.Repeat("x", max(0, long)) + strings.Repeat(end+"- *a", aliases) + end + tail
}

func plain() []Bomb {
	return []Bomb{
		{Name: "many aliases of one long text", Text: LongText},
		{Name: "aliases of aliases", Text: func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n  a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n")
			for i := 1; i < 40; i++ {
				fmt.Fprintf(&b, "  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
			}
			return pad(b.String(), n)
		}},
		{Name: "aliases of aliases, merged", Text: func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n  a0: &a0 {x: y, z: w}\n")
			for i := 1; i < 40; i++ {
				fmt.Fprintf(&b, "  a%d: &a%d {<<: [%s], k%d: v}\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","), i)
			}
			return pad(b.String(), n)
		}},
		{Name: "a long text that is merged with itself", Text: func(n int) string {
			merges := min(10_000, n/24)
			return "data:\n  a: &a {k: " + strings.Repeat("x", n-merges*13-30) + "}\n" + strings.Repeat("  ? {<<: *a}\n", merges)
		}},
		{Name: "a short text in very many places", Text: func(n int) string {
			return "data: [&a 0" + strings.Repeat(",*a", n/3-8) + "]\n"
		}},
		{Name: "short values", Text: func(n int) string { return "data: [0" + strings.Repeat(",0", n/2-8) + "]\n" }},
		{Name: "empty values", Text: func(n int) string { return "data: [" + strings.Repeat("[],", n/3-8) + "]\n" }},
		{Name: "short keys", Text: func(n int) string {
			var b strings.Builder
			b.WriteString("data:\n")
			for i := 0; b.Len() < n-16; i++ {
				fmt.Fprintf(&b, " %x:\n", i)
			}
			return b.String()
		}},
		{Name: "dashes", Text: func(n int) string { return "data:\n" + strings.Repeat("-\n", n/2-8) }},
		{Name: "dashes in a line", Text: func(n int) string { return "data:\n " + strings.Repeat("- ", n/2-8) + "0\n" }},
		{Name: "nested lists", Text: func(n int) string { return "data: " + strings.Repeat("[", n-16) + "\n" }},
		{Name: "nested mappings", Text: func(n int) string { return "data: " + strings.Repeat("{a: ", n/4-8) + "\n" }},
	}
}

// LongText is one string of nearly all the length, repeated by 10,300 aliases: 10 GiB from a document of 1 MiB.
func LongText(n int) string {
	aliases := min(10_300, n/16)
	const alias = "\n- *a"
	return "data:\n- &a " + strings.Repeat("x", n-aliases*len(alias)-16) + strings.Repeat(alias, aliases) + "\n"
}

func pad(text string, n int) string {
	return text + "# " + strings.Repeat("x", max(0, n-len(text)-3)) + "\n"
}

// Allocated returns how many bytes a call allocates in total.
func Allocated(tb testing.TB, call func()) uint64 {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
