package live

import (
	"fmt"
	"sync"

	"github.com/kairship-io/kairship/internal/model"
)

// What is held of pods: each is decoded and kept for those who follow them.
const (
	// mostPods is how many pods one subscription follows at most.
	mostPods = 2000
	// mostPodBytes is how much of them is held for one subscription, and mostAllPodBytes for all.
	mostPodBytes, mostAllPodBytes = 16 << 20, 256 << 20
	// mostPodWatches is how many watches of pods a person has at a time, and mostAllPodWatches all together.
	mostPodWatches, mostAllPodWatches = 200, 2000
)

// sizedPod is a pod with how many bytes it has.
type sizedPod struct {
	pod   model.KubernetesObject
	bytes int
}

// hold has just some pods of a place in the table, as many as there is room for; g.mu is held.
func (g *podGroup) hold(f *podFeed, all []sizedPod) {
	for ref := range g.sizes {
		if f.place.holds(ref) {
			g.lose(ref)
		}
	}
	held := make([]model.KubernetesObject, 0, len(all))
	for _, p := range all {
		if g.room(p.pod.ObjectRef(), p.bytes) {
			held = append(held, p.pod)
		}
	}
	g.table.replaceWhere(f.place.holds, held)
}

// room takes the room for a pod; false when there is none. g.mu is held.
func (g *podGroup) room(ref model.Ref, bytes int) bool {
	before, had := g.sizes[ref]
	more := bytes - before
	if !had && len(g.sizes) >= mostPods || g.bytes+more > mostPodBytes || !g.hub.podWatches.grow(more) {
		g.limited = true
		return false
	}
	g.sizes[ref] = bytes
	g.bytes += more
	return true
}

// lose gives the room of a pod back; g.mu is held.
func (g *podGroup) lose(ref model.Ref) {
	bytes := g.sizes[ref]
	delete(g.sizes, ref)
	g.bytes -= bytes
	g.hub.podWatches.grow(-bytes)
}

// cut says that there are more pods than are followed.
func (g *podGroup) cut() { g.change(func() { g.limited = true }) }

// change changes what is held; where that shows that there are more pods than are followed, the streams begin again, to say so.
func (g *podGroup) change(what func()) {
	g.mu.Lock()
	before := g.limited
	what()
	tell := g.limited && !before
	g.mu.Unlock()
	if tell {
		g.table.resync()
	}
}

// podWatches counts the watches of pods that people have, and what is held of them.
type podWatches struct {
	mu    sync.Mutex
	of    map[string]int
	all   int
	bytes int
}

// grow takes room for some bytes more, or gives some back; false when there is none.
func (w *podWatches) grow(bytes int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes > 0 && w.bytes+bytes > mostAllPodBytes {
		return false
	}
	w.bytes += bytes
	return true
}

func (w *podWatches) acquire(who string) (release func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[who] >= mostPodWatches || w.all >= mostAllPodWatches {
		return nil, &model.Error{Code: model.CodeLimitExceeded, Retryable: true,
			Message: fmt.Sprintf("you follow the pods of %d members; %d are allowed at a time, and %d to all together", w.of[who], mostPodWatches, mostAllPodWatches)}
	}
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.of[who]++
	w.all++
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all--
		if w.of[who]--; w.of[who] == 0 {
			delete(w.of, who)
		}
	}), nil
}
