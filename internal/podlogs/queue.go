package podlogs

import (
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// mostLines and mostBytes bound what may wait for a slow reader.
	mostLines = 20_000
	mostBytes = 8 << 20
	// patience is how long a line waits for earlier ones of other pods.
	patience = 150 * time.Millisecond
	// chunkLines and chunkBytes bound one event.
	chunkLines = 1000
	chunkBytes = 256 << 10
)

// waiting is a line that has arrived.
type waiting struct {
	model.PodLogLine
	arrived time.Time
}

// queue merges the lines of several pods by their time, keeps the order of each pod, and drops the oldest lines of the pod with most
// of them when more wait than may.
type queue struct {
	// wake has something in it when a line has arrived, or a pod has ended.
	wake chan struct{}

	mu      sync.Mutex
	pods    [][]waiting
	open    int
	lines   int
	bytes   int
	dropped int
	ended   []model.PodLogEnd
}

func newQueue(pods int) *queue {
	return &queue{wake: make(chan struct{}, 1), pods: make([][]waiting, pods), open: pods}
}

// add takes a line of a pod.
func (q *queue) add(pod int, line model.PodLogLine, arrived time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pods[pod] = append(q.pods[pod], waiting{line, arrived})
	q.lines++
	q.bytes += len(line.Text)
	for q.lines > mostLines || q.bytes > mostBytes {
		longest := 0
		for i := range q.pods {
			if len(q.pods[i]) > len(q.pods[longest]) {
				longest = i
			}
		}
		q.shift(longest)
		q.dropped++
	}
	q.signal()
}

// end says that nothing more comes of a pod; problem is why, nil where its log has ended.
func (q *queue) end(of model.PodLogEnd) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open--
	q.ended = append(q.ended, of)
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// shift takes the first line of a pod.
func (q *queue) shift(pod int) model.PodLogLine {
	line := q.pods[pod][0]
	q.pods[pod][0] = waiting{}
	if q.pods[pod] = q.pods[pod][1:]; len(q.pods[pod]) == 0 {
		q.pods[pod] = nil
	}
	q.lines--
	q.bytes -= len(line.Text)
	return line.PodLogLine
}

// first is the pod whose first line is the earliest; -1 for none.
func (q *queue) first() int {
	first := -1
	for i := range q.pods {
		if len(q.pods[i]) > 0 && (first < 0 || q.pods[i][0].At.Before(q.pods[first][0].At)) {
			first = i
		}
	}
	return first
}

// due is how long it takes until something can be sent; done says that nothing more comes, and forever is for nothing to wait for yet.
func (q *queue) due(now time.Time) (in time.Duration, something, done bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.first()
	switch {
	case first >= 0 && q.open > 0:
		return q.pods[first][0].arrived.Add(patience).Sub(now), true, false
	case first >= 0, len(q.ended) > 0:
		return 0, true, false
	}
	return 0, false, q.open == 0
}

// take returns what can be sent: the lines that have waited for others, in order; nil for nothing.
func (q *queue) take(now time.Time) *model.PodLogChunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := &model.PodLogChunk{Lines: []model.PodLogLine{}, Ended: []model.PodLogEnd{}, Dropped: q.dropped}
	q.dropped = 0
	size := 0
	for len(out.Lines) < chunkLines && size < chunkBytes {
		first := q.first()
		if first < 0 || q.open > 0 && now.Before(q.pods[first][0].arrived.Add(patience)) {
			break
		}
		line := q.shift(first)
		size += len(line.Text)
		out.Lines = append(out.Lines, line)
	}
	if q.lines == 0 || q.first() < 0 {
		out.Ended, q.ended = append(out.Ended, q.ended...), nil
	}
	if len(out.Lines) == 0 && len(out.Ended) == 0 && out.Dropped == 0 {
		return nil
	}
	return out
}
