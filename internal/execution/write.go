package execution

import (
	"bytes"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// maxKept is the size of the largest buffer that is kept for the next answer, in bytes: a few dear answers must not hold
// their memory for ever.
const maxKept = 1 << 20

var buffers = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// Write returns a value as JSON, of exactly its size: it grows in a buffer that answers share, one after the other.
func Write(value graphql.Marshaler) []byte {
	buf, ok := buffers.Get().(*bytes.Buffer)
	if !ok {
		buf = &bytes.Buffer{}
	}
	buf.Reset()
	value.MarshalGQL(buf)
	out := bytes.Clone(buf.Bytes())
	if buf.Cap() <= maxKept {
		buffers.Put(buf)
	}
	return out
}
