package instance

import (
	"context"
	"strconv"
	"time"
)

const (
	// catchUp is how long a write to a cluster waits for the watch to see it, catchUpEvery how often that is looked for. It takes a few
	// milliseconds.
	catchUp      = time.Second
	catchUpEvery = 5 * time.Millisecond
)

// AwaitCluster waits, for a moment, until a cluster is known in a version or a newer one, so that who wrote it does not read an
// older one of it afterwards.
func (c *Connection) AwaitCluster(ctx context.Context, name, version string) {
	want, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	every := time.NewTicker(catchUpEvery)
	defer every.Stop()
	for {
		known := c.cluster(name)
		if known == nil {
			return
		}
		if has, err := strconv.ParseUint(known.ResourceVersion, 10, 64); err != nil || has >= want {
			return
		}
		select {
		case <-every.C:
		case <-c.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}
