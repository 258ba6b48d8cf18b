package server

import (
	"context"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

const (
	// bytesPerPoint is how much of a request costs one point, whatever becomes of it.
	bytesPerPoint = 100
	// unknownSize is what a request is taken to be long that does not say it, in bytes.
	unknownSize = 10_000
	// fieldPairsPerPoint is how many pairs of fields of a document that is not yet known to be valid cost one.
	fieldPairsPerPoint = 100
)

// sizePoints is what a request costs by its size.
func sizePoints(r *http.Request) int {
	size := r.ContentLength
	switch {
	case r.Method == http.MethodGet:
		size = int64(len(r.URL.RawQuery))
	case size < 0:
		size = unknownSize
	}
	return pointsOf(int(min(size, many)))
}

// pointsOf is what so many bytes of a request cost: of a WebSocket's message as of a body, variables and all.
func pointsOf(size int) int { return 1 + size/bytesPerPoint }

// charge takes points from whoever asks, and refuses when they have not as many.
func (d *Server) charge(ctx context.Context, points int) *gqlerror.Error {
	if refusal := d.gate.Charge(ctx, points); refusal != nil {
		return toldOf(refusal)
	}
	return nil
}
