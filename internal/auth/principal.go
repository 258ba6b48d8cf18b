// Package auth finds out who is asking: principals, and the authorities that vouch for them. It does not decide what
// they may do. It knows nothing of GraphQL, Karmada or the read store.
package auth

import (
	"fmt"
	"slices"
	"strings"
)

// Origin says which authority vouches for a principal. It is part of every name that Karmada sees, so
// that a name of one authority can never inherit the rights of another's.
type Origin string

// OriginHost is the host cluster, through TokenReview.
const OriginHost Origin = "host"

// Principal is a person or program that has been authenticated. Its zero value is nobody.
type Principal struct {
	// Name is what Karmada sees, with its origin: "kairship:host:<user>".
	Name string
	// Groups likewise, sorted.
	Groups []string
	// Instance is the one instance that the credential is good for; empty when it is good for all.
	Instance string
}

// NewPrincipal makes a principal from the names its authority gave.
func NewPrincipal(origin Origin, name string, groups []string) Principal {
	prefix := fmt.Sprintf("kairship:%s:", origin)
	p := Principal{Name: prefix + name, Groups: make([]string, 0, len(groups))}
	for _, g := range groups {
		p.Groups = append(p.Groups, prefix+g)
	}
	slices.Sort(p.Groups)
	return p
}

// padded reports whether a name begins or ends with white space. Headers lose it: who is "ann " here would be "ann"
// to the server that receives the name.
func padded(name string) bool { return strings.TrimSpace(name) != name }

// Key tells principals apart in caches: equal keys mean equal name, groups and instance.
func (p Principal) Key() string {
	return p.Instance + "\n" + p.Name + "\n" + strings.Join(p.Groups, "\n")
}

// CheckGroups returns an error for a group that could never be a principal's: its name has no origin. A role for such
// a group could reach people whom Kairship does not know.
func CheckGroups(groups []string) error {
	for _, group := range groups {
		rest, ours := strings.CutPrefix(group, "kairship:")
		origin, name, _ := strings.Cut(rest, ":")
		if !ours || origin == "" || name == "" {
			return fmt.Errorf("group %q does not say its origin: write kairship:%s:GROUP for a group of the host cluster", group, OriginHost)
		}
		if strings.TrimSpace(group) != group || padded(name) {
			return fmt.Errorf("group %q begins or ends with white space, which no name may: take it away", group)
		}
	}
	return nil
}
