// Package subjects keeps who has been seen who has a role by a group. Karmada lets its members know people by
// exact names only: whoever is bound by a group has to be listed there by name, and only their token says
// which groups they are in. The API server notes them (Recorder), and the access controller lists them
// (Reader).
//
// The notes are ConfigMaps in Kairship's namespace, among which people are spread by a hash of their name.
// Each pair of a user and a group is one key of its own, so that several API servers write by merge patches
// that never disagree; no state is lost that the next request would not write again. It must not know what
// anybody may do.
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
	// namePrefix begins the names of the ConfigMaps; a byte of the user's hash ends them. With 256 of them
	// 10,000 people with four groups each are 40 KiB in each, and a million notes fit.
	namePrefix = "kairship-seen-"
	// renewal is how often a note is dated anew.
	renewal = 24 * time.Hour
	// kept is how long a note counts. It is the time after which somebody who does not come any more is not
	// listed any more: what they may do ends with their token, or when their group is unbound.
	kept = 30 * 24 * time.Hour
)

// note says that a user came with a group.
type note struct {
	User  string    `json:"user"`
	Group string    `json:"group"`
	Seen  time.Time `json:"seen"`
}

// valid says whether both names carry their origin: nobody else is ever impersonated.
func (n note) valid() bool { return auth.CheckGroups([]string{n.User, n.Group}) == nil }

// key is that of the note in its ConfigMap.
func (n note) key() string {
	sum := sha256.Sum256([]byte(n.User + "\n" + n.Group))
	return hex.EncodeToString(sum[:16])
}

// page is the name of the ConfigMap that a user's notes are in.
func page(user string) string {
	sum := sha256.Sum256([]byte(user))
	return namePrefix + hex.EncodeToString(sum[:1])
}

// read is what a page says. What cannot be read, or was not written by Kairship, is left out.
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
