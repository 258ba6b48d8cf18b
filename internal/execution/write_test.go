package execution_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/internal/execution"
)

// An answer that is read slowly must not change when others are written in the meantime, whatever their sizes.
func TestAnAnswerIsNotWrittenOverByOthers(t *testing.T) {
	text := func(i int) string { return strings.Repeat(fmt.Sprint(i%10), 1+i*7919%100_000) }
	answers := make([][]byte, 200)
	var writers sync.WaitGroup
	for i := range answers {
		writers.Go(func() {
			answers[i] = execution.Write(graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, text(i)) }))
		})
	}
	writers.Wait()
	for i, answer := range answers {
		if string(answer) != text(i) || cap(answer) > len(answer)*2+64 {
			t.Errorf("answer %d: %d bytes in room for %d, want %d", i, len(answer), cap(answer), len(text(i)))
		}
	}
}
