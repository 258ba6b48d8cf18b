package gate

import (
	"fmt"
	"testing"
	"time"
)

func TestBucketsAreBounded(t *testing.T) {
	b := newBuckets(1, 1, time.Now)
	for i := range maxBuckets + 100 {
		b.take(fmt.Sprint(i), 1)
	}
	if n := b.known.Len(); n != maxBuckets {
		t.Errorf("%d buckets, want %d", n, maxBuckets)
	}
}
