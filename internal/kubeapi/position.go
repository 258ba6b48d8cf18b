package kubeapi

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// position is a place in a list: in an answer of the API server, after one of its objects. The zero value is
// the beginning of a list over all namespaces, and of a list that has ended.
type position struct {
	// Namespace is the one that is being listed; empty for all.
	Namespace string `json:"n,omitempty"`
	// Continue is the API server's own token for the answer; empty for the first.
	Continue string `json:"c,omitempty"`
	// After is the key of the last object that has been seen of the answer; empty for none.
	After string `json:"a,omitempty"`
}

// maxPosition bounds what is decoded: API servers' tokens are a few hundred bytes.
const maxPosition = 8 << 10

// String encodes a position as a cursor; empty for the zero position.
func (p position) String() string {
	if p == (position{}) {
		return ""
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return "" // three strings can always be encoded
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// parsePosition reads a position of a list over some namespaces; the empty string is its beginning.
func parsePosition(s string, namespaces []string) (position, error) {
	if s == "" {
		return position{Namespace: namespaces[0]}, nil
	}
	bad := model.BadInput("after", "is not a cursor of this list")
	if len(s) > maxPosition {
		return position{}, bad
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil {
		return position{}, bad
	}
	var p position
	if jsonv2.Unmarshal(raw, &p) != nil || !slices.Contains(namespaces, p.Namespace) {
		return position{}, bad
	}
	return p, nil
}
