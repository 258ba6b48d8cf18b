package podlogs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

var epoch = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func logged(pod int, at time.Duration, text string) model.PodLogLine {
	return model.PodLogLine{Pod: fmt.Sprint(pod), At: epoch.Add(at), Text: text}
}

func texts(c *model.PodLogChunk) (out []string) {
	if c != nil {
		for _, l := range c.Lines {
			out = append(out, l.Text)
		}
	}
	return out
}

func TestLinesAreMergedByTimeOnceTheyHaveWaitedForOthers(t *testing.T) {
	q := newQueue(2)
	q.add(0, logged(0, 2*time.Second, "second"), epoch)
	if in, something, done := q.due(epoch); in != patience || !something || done {
		t.Errorf("due in %s, %t, %t", in, something, done)
	}
	if got := q.take(epoch); got != nil {
		t.Errorf("sent at once: %+v", got)
	}
	q.add(1, logged(1, time.Second, "first"), epoch.Add(patience/2))
	q.add(0, logged(0, time.Second, "the same pod, whose clock was put back"), epoch.Add(patience/2))
	if got := texts(q.take(epoch.Add(2 * patience))); !slices.Equal(got, []string{"first", "second", "the same pod, whose clock was put back"}) {
		t.Errorf("sent %q", got)
	}
}

func TestOfWhatASlowReaderDoesNotTakeTheOldestLinesAreDroppedAndCounted(t *testing.T) {
	q := newQueue(2)
	q.add(1, logged(1, 0, "the quiet one"), epoch)
	const over = 500
	for i := range mostLines + over {
		q.add(0, logged(0, time.Duration(i)*time.Millisecond, fmt.Sprint(i)), epoch)
	}
	var got []string
	dropped := 0
	for c := q.take(epoch.Add(time.Hour)); c != nil; c = q.take(epoch.Add(time.Hour)) {
		got, dropped = append(got, texts(c)...), dropped+c.Dropped
		if len(c.Lines) > chunkLines {
			t.Fatalf("a chunk has %d lines", len(c.Lines))
		}
	}
	if dropped != over+1 || len(got) != mostLines || got[0] != "the quiet one" || got[1] != fmt.Sprint(over+1) || got[len(got)-1] != fmt.Sprint(mostLines+over-1) {
		t.Errorf("%d were dropped, and %d sent: %q … %q", dropped, len(got), got[:2], got[len(got)-1])
	}
	for range 40 {
		q.add(0, logged(0, 0, string(make([]byte, 1<<20))), epoch)
	}
	if q.bytes > mostBytes {
		t.Errorf("%d bytes wait", q.bytes)
	}
}

func TestThatAPodHasEndedIsToldAfterItsLines(t *testing.T) {
	q := newQueue(2)
	q.add(0, logged(0, 0, "last words"), epoch)
	q.end(model.PodLogEnd{Pod: "0"})
	if got := q.take(epoch); got != nil {
		t.Errorf("told before its lines: %+v", got)
	}
	if got := q.take(epoch.Add(patience)); got == nil || len(got.Lines) != 1 || len(got.Ended) != 1 {
		t.Errorf("told %+v", got)
	}
	if _, something, done := q.due(epoch); something || done {
		t.Error("the other pod goes on")
	}
	q.end(model.PodLogEnd{Pod: "1", Error: &model.UserError{Code: "UNAVAILABLE"}})
	if got := q.take(epoch); got == nil || len(got.Ended) != 1 {
		t.Errorf("told %+v", got)
	}
	if _, _, done := q.due(epoch); !done {
		t.Error("it does not end")
	}
}

func TestTheOrderOfEachPodIsKeptWhateverComesBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const pods, lines = 7, 300
	q, sent, next := newQueue(pods), make([]int, pods), make([]int, pods)
	now := epoch
	for range pods * lines * 2 {
		now = now.Add(time.Duration(random.IntN(20)) * time.Millisecond)
		if pod := random.IntN(pods); sent[pod] < lines {
			q.add(pod, logged(pod, now.Sub(epoch)-time.Duration(random.IntN(500))*time.Millisecond, fmt.Sprint(sent[pod])), now)
			sent[pod]++
		}
		if random.IntN(5) > 0 {
			continue
		}
		if c := q.take(now); c != nil {
			for _, l := range c.Lines {
				var pod int
				_, _ = fmt.Sscan(l.Pod, &pod)
				if l.Text != fmt.Sprint(next[pod]) {
					t.Fatalf("pod %d sends line %s, want %d", pod, l.Text, next[pod])
				}
				next[pod]++
			}
		}
	}
}
