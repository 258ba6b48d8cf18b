package server

import (
	"context"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

const (
	// bytesPerPoint is how many bytes of a request cost one point, whatever its result.
	bytesPerPoint = 100
	// unknownSize is the assumed size of a request without Content-Length, in bytes.
	unknownSize = 10_000
	// fieldPairsPerPoint is how many pairs of fields cost one point, in a document not yet known to be valid.
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

// pointsOf is the cost of so many bytes of a request, variables included: the same for a WebSocket's message and a
// body.
func pointsOf(size int) int { return 1 + size/bytesPerPoint }

// charge takes points from the caller, and refuses when they have fewer.
func (d *Server) charge(ctx context.Context, points int) *gqlerror.Error {
	if refusal := d.gate.Charge(ctx, points); refusal != nil {
		return clientErrorOf(refusal)
	}
	return nil
}
