package prometheus

import (
	"testing"
	"time"
)

func TestAnAnswerThatIsReplacedIsCountedOnce(t *testing.T) {
	var c cache
	for range 3 {
		c.put("k", Members{}, Window{Step: time.Minute, Points: 10}, time.Unix(0, 0))
	}
	if c.values != 1 {
		t.Errorf("%d values are counted for one answer", c.values)
	}
}
