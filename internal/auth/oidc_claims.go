package auth

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// maxGroups is how many groups a token may name: all of them go with every impersonated request.
	maxGroups = 256
	// maxNameLength is how long the name of a user or group may be, in bytes. A sub has at most 255.
	maxNameLength = 256
)

// OIDCIdentity is the user as the provider names them, without the origin.
type OIDCIdentity struct {
	User string
	// Groups is sorted and holds no name twice.
	Groups []string
	// Expires is when the token expires.
	Expires time.Time
}

// Principal is the identity with its origin in every name.
func (i OIDCIdentity) Principal() Principal { return NewPrincipal(OriginOIDC, i.User, i.Groups) }

// oidcClaims is what a verified token says.
type oidcClaims struct {
	all      map[string]json.RawMessage
	audience []string
}

func (c *oidcClaims) has(name string) bool {
	raw, ok := c.all[name]
	return ok && string(raw) != "null"
}

// text returns a claim that is a string; empty for any other.
func (c *oidcClaims) text(name string) string {
	var s string
	if json.Unmarshal(c.all[name], &s) != nil {
		return ""
	}
	return s
}

// time returns a claim in seconds since 1970.
func (c *oidcClaims) time(name string) (time.Time, bool) {
	var seconds float64
	if json.Unmarshal(c.all[name], &seconds) != nil || math.Abs(seconds) > 1<<40 {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true
}

// identity reads the user and the groups from two claims. why says what is wrong with them, in words that follow "the
// token"; empty when nothing is.
func (c *oidcClaims) identity(userClaim, groupsClaim string) (_ OIDCIdentity, why string) {
	id := OIDCIdentity{User: c.text(userClaim)}
	if id.User == "" {
		return id, fmt.Sprintf("does not name its user: the claim %q is missing, empty or no text", userClaim)
	}
	// An address that users enter themselves could be anybody's.
	if userClaim == "email" && !c.confirmed() {
		return id, "names its user by an email address that the identity provider has not verified (email_verified)"
	}
	if fault := nameFault(id.User); fault != "" {
		return id, fmt.Sprintf("names a user (claim %q) that %s", userClaim, fault)
	}
	// A provider with more groups than fit names another source for them instead. Reading none would silently take
	// rights away.
	var elsewhere map[string]string
	if c.has("_claim_names") && (json.Unmarshal(c.all["_claim_names"], &elsewhere) != nil || elsewhere[groupsClaim] != "") {
		return id, "does not hold its groups but names a place that does, which Kairship does not ask: have the identity provider send the groups in the token"
	}
	if c.has(groupsClaim) {
		var one string
		switch raw := c.all[groupsClaim]; {
		case json.Unmarshal(raw, &one) == nil:
			id.Groups = []string{one}
		case json.Unmarshal(raw, &id.Groups) != nil:
			return id, fmt.Sprintf("names groups (claim %q) that are neither a text nor a list of texts", groupsClaim)
		}
	}
	if len(id.Groups) > maxGroups {
		return id, fmt.Sprintf("names %d groups, more than %d: have the identity provider send only those that matter here", len(id.Groups), maxGroups)
	}
	for _, group := range id.Groups {
		if fault := nameFault(group); fault != "" {
			return id, fmt.Sprintf("names a group (claim %q) that %s", groupsClaim, fault)
		}
	}
	slices.Sort(id.Groups)
	id.Groups = slices.Compact(id.Groups)
	return id, ""
}

// confirmed reports whether email_verified is true; some providers send it as a string.
func (c *oidcClaims) confirmed() bool {
	raw := string(c.all["email_verified"])
	return raw == "true" || raw == `"true"`
}

// nameFault says why a name is not accepted, in words that follow "that"; empty when it is. A line break would make
// two names of one where names are stored one per line, and headers cannot hold one.
func nameFault(name string) string {
	switch folded := strings.ToLower(strings.TrimSpace(name)); {
	case folded == "":
		return "is empty"
	case padded(name):
		return "begins or ends with white space"
	case len(name) > maxNameLength:
		return fmt.Sprintf("is longer than %d bytes", maxNameLength)
	case strings.HasPrefix(folded, "system:"), strings.HasPrefix(folded, "kairship:"):
		return "begins with system: or kairship:, which are Kubernetes' and Kairship's own"
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl):
		return "holds control characters"
	default:
		return ""
	}
}
