// Package subjects records the users who were seen with a role by a group. Members know the users of Karmada by exact
// names only: a user with a role by a group has to be listed there by name, and only their token contains their groups.
// The API server records them (Recorder), and the access controller lists them (Reader).
//
// The notes are ConfigMaps in Kairship's namespace, over which users are distributed by a hash of their name. Each pair
// of a user and a group is its own key, so several API servers write by merge patches that never conflict; lost notes
// are written again by the next request. It must not know what anybody may do.
package subjects

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
)

// Label marks the ConfigMaps.
const Label = v1alpha1.AnnotationPrefix + "seen"

const (
	// namePrefix begins the names of the ConfigMaps; a byte of the user's hash ends them. With 256 of them 10,000 users
	// with four groups each take 40 KiB in each, and a million notes fit.
	namePrefix = "kairship-seen-"
	// renewal is how often a note's date is renewed.
	renewal = 24 * time.Hour
	// kept is how long a note counts. A user who has not been seen for that long is no longer listed: their rights end
	// with their token, or when their group is unbound.
	kept = 30 * 24 * time.Hour
)

// note records that a user was seen with a group.
type note struct {
	User  string    `json:"user"`
	Group string    `json:"group"`
	Seen  time.Time `json:"seen"`
}

// valid reports whether both names have their origin: nobody else is ever impersonated.
func (n note) valid() bool { return auth.CheckGroups([]string{n.User, n.Group}) == nil }

// key is the note's key in its ConfigMap.
func (n note) key() string {
	sum := sha256.Sum256([]byte(n.User + "\n" + n.Group))
	return hex.EncodeToString(sum[:16])
}

// page is the name of the ConfigMap that a user's notes are in.
func page(user string) string {
	sum := sha256.Sum256([]byte(user))
	return namePrefix + hex.EncodeToString(sum[:1])
}

// read parses a page. Entries that cannot be parsed, or were not written by Kairship, are left out.
func read(data map[string]string) map[string]note {
	out := make(map[string]note, len(data))
	for key, value := range data {
		var n note
		if json.Unmarshal([]byte(value), &n) == nil && n.valid() && n.key() == key {
			out[key] = n
		}
	}
	return out
}

// patch is a merge patch of a page's data: a nil value removes a key.
func patch(data map[string]*string, resourceVersion string) ([]byte, error) {
	body := map[string]any{"data": data}
	if resourceVersion != "" {
		body["metadata"] = map[string]string{"resourceVersion": resourceVersion}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("writing down who has been seen: %w", err)
	}
	return raw, nil
}
