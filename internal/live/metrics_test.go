package live

import (
	"testing"
	"time"
)

func TestWhatWaitsForSubscribersIsCounted(t *testing.T) {
	m := newMetrics(nil)
	first, second := newBuffer[string, string](10, 0, func() {}), newBuffer[string, string](10, 0, func() {})
	first.restart([]string{"a", "b"}, []string{"1", "2"}, time.Now())
	second.put("c", "3", true, time.Now())
	closeFirst, closeSecond := m.queues.open(first), m.queues.open(second)
	if got := m.queues.depth(); got != 3 {
		t.Errorf("%v changes wait, want 3", got)
	}
	first.take(time.Now)
	if got := m.queues.depth(); got != 2 {
		t.Errorf("%v changes wait, want 2", got)
	}
	closeFirst()
	closeSecond()
	if got := m.queues.depth(); got != 0 {
		t.Errorf("%v changes wait for nobody", got)
	}
}
