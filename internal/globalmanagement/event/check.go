package event

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// The limits of the AccessBinding's definition.
const (
	maxName       = 253
	maxRole       = 63
	maxInstance   = 48
	maxNamespaces = 256
	maxNamespace  = 63
)

// maxSequence is the largest whole number that every JSON library represents exactly.
const maxSequence = 1<<53 - 1

// origins are the allowed prefixes of subjects' names.
var origins = []string{"kairship:oidc:", "kairship:host:"}

var (
	idForm     = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)
	sourceForm = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	nameForm   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

func checkID(id string) error {
	if !idForm.MatchString(id) {
		return bad([]string{"id"}, "is required: 1 to 128 letters, digits, '.', '_', ':' and '-'")
	}
	return nil
}

// CheckSource says whether a name can be that of a source. It becomes the value of a label.
func CheckSource(source string) error {
	if !sourceForm.MatchString(source) {
		return bad([]string{"source"}, "is required: 1 to 63 lower case letters, digits and '-'")
	}
	return nil
}

func checkOrder(source string, sequence, least int64) error {
	if err := CheckSource(source); err != nil {
		return err
	}
	if sequence < least || sequence > maxSequence {
		return bad([]string{"sequence"}, "must be a whole number from %d to %d", least, int64(maxSequence))
	}
	return nil
}

// Check returns what is wrong with a binding; at is its path in the event.
func (b *Binding) Check(at ...string) *model.Error {
	below := func(names ...string) []string { return append(slices.Clone(at), names...) }
	if err := b.Subject.Check(below("subject")...); err != nil {
		return err
	}
	builtIn := []string{string(v1alpha1.RoleAdmin), string(v1alpha1.RoleEditor), string(v1alpha1.RoleViewer)}
	if !slices.Contains(builtIn, b.Role) && (len(b.Role) > maxRole || !nameForm.MatchString(b.Role)) {
		return bad(below("role"), "must be %s, or the name of a role of the operators: 1 to %d lower case letters, digits and '-'",
			strings.Join(builtIn, ", "), maxRole)
	}
	if i := b.Scope.Instance; i != nil && (len(*i) > maxInstance || !nameForm.MatchString(*i)) {
		return bad(below("scope", "instance"), "must be 1 to %d lower case letters, digits and '-'; leave it out for all instances", maxInstance)
	}
	namespaces := b.Scope.Namespaces
	if namespaces != nil && len(namespaces) == 0 || len(namespaces) > maxNamespaces {
		return bad(below("scope", "namespaces"), "must hold 1 to %d; leave it out for no limit", maxNamespaces)
	}
	seen := make(map[string]bool, len(namespaces))
	for i, n := range namespaces {
		switch field := below("scope", "namespaces", strconv.Itoa(i)); {
		case len(n) > maxNamespace || !nameForm.MatchString(n):
			return bad(field, "must be 1 to %d lower case letters, digits and '-'", maxNamespace)
		case seen[n]:
			return bad(field, "names %q a second time", n)
		}
		seen[n] = true
	}
	return nil
}

// Check returns what is wrong with a subject; at is its path in the event.
func (s Subject) Check(at ...string) *model.Error {
	below := func(name string) []string { return append(slices.Clone(at), name) }
	if s.Kind != v1alpha1.SubjectUser && s.Kind != v1alpha1.SubjectGroup {
		return bad(below("kind"), "must be %s or %s", v1alpha1.SubjectUser, v1alpha1.SubjectGroup)
	}
	if strings.HasPrefix(s.Name, "system:") {
		return bad(below("name"), "must not begin with 'system:': such names are Kubernetes' own")
	}
	origin := slices.IndexFunc(origins, func(o string) bool { return strings.HasPrefix(s.Name, o) && len(s.Name) > len(o) })
	if origin < 0 {
		return bad(below("name"), "must say its origin: %sNAME or %sNAME", origins[0], origins[1])
	}
	rest := s.Name[len(origins[origin]):]
	switch {
	case utf8.RuneCountInString(s.Name) > maxName:
		return bad(below("name"), "must have at most %d characters", maxName)
	case !utf8.ValidString(rest) || strings.ContainsFunc(rest, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.TrimSpace(rest) != rest:
		// Two names that look the same must not be two people.
		return bad(below("name"), "must hold printable characters, and no space at either end")
	}
	return nil
}

// CheckAll checks the bindings of an event; the result has an entry for each, nil for a valid one. One with the
// identity of an earlier one is refused: which of the two is meant cannot be known.
func CheckAll(source string, bindings []Binding) []*model.Error {
	out := make([]*model.Error, len(bindings))
	first := make(map[string]int, len(bindings))
	for i := range bindings {
		b := &bindings[i]
		at := []string{"bindings", strconv.Itoa(i)}
		if out[i] = b.Check(at...); out[i] != nil {
			continue
		}
		name := b.Name(source)
		if earlier, twice := first[name]; twice {
			out[i] = bad(at, "%s", fmt.Sprintf("has the subject, role and instance of bindings[%d]", earlier))
			continue
		}
		first[name] = i
	}
	return out
}
