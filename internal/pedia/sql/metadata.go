package sql

import (
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Namespaces holds for rows in any of the namespaces. A page over few of them is served by the unique index.
func Namespaces(namespaces ...string) Condition { return namespacesCondition(namespaces) }

type namespacesCondition []string

func (c namespacesCondition) sql(s *builder) {
	s.write("namespace")
	s.anyOf(c)
}

func (c namespacesCondition) match(v *View) truth {
	return truthOf(slices.Contains(c, v.Key.Namespace))
}

// namespaceIs is the condition on one namespace, which keeps the order of the index.
type namespaceIs string

func (c namespaceIs) sql(s *builder) {
	s.write("namespace = ")
	s.value(string(c))
}

func (c namespaceIs) match(v *View) truth { return truthOf(string(c) == v.Key.Namespace) }

// Names holds for rows with any of the names.
func Names(names ...string) Condition { return namesCondition(names) }

type namesCondition []string

func (c namesCondition) sql(s *builder) {
	s.write("name")
	s.anyOf(c)
}

func (c namesCondition) match(v *View) truth { return truthOf(slices.Contains(c, v.Key.Name)) }

// Keys holds for the rows at any of the keys, of any kinds. FetchKeys is faster where there is no other condition.
func Keys(keys ...Key) Condition {
	c := keysCondition{places: map[[3]string]bool{}}
	for _, k := range keys {
		if Storable(k.Cluster, k.Namespace, k.Name) {
			c.places[[3]string{k.Cluster, k.Namespace, k.Name}] = true
		}
	}
	return c
}

type keysCondition struct{ places map[[3]string]bool }

func (c keysCondition) sql(s *builder) {
	places := make([][3]string, 0, len(c.places))
	for p := range c.places {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	s.write("(cluster, namespace, name) IN (SELECT k->>0, k->>1, k->>2 FROM jsonb_array_elements(")
	s.json(places)
	s.write(") AS k(k))")
}

func (c keysCondition) match(v *View) truth {
	return truthOf(c.places[[3]string{v.Key.Cluster, v.Key.Namespace, v.Key.Name}])
}

// NameContains holds for rows whose name contains a string.
func NameContains(part string) Condition { return nameContains(part) }

type nameContains string

func (c nameContains) sql(s *builder) {
	if c.searched() {
		s.write("name LIKE ")
	} else {
		s.write("name || '' LIKE ")
	}
	s.value("%" + escapeLike.Replace(string(c)) + "%")
}

// searched: the index is of groups of three letters. For fewer the whole index would be read.
func (c nameContains) searched() bool { return len(c) >= 3 }

func (c nameContains) match(v *View) truth {
	return truthOf(strings.Contains(v.Key.Name, string(c)))
}

// OwnedBy holds for rows whose controlling owner has one of the uids.
func OwnedBy(uids ...string) Condition { return ownedBy(uids) }

type ownedBy []string

func (c ownedBy) sql(s *builder) {
	s.write(indexes.HasOwner, " AND owner_uid")
	s.anyOf(c)
}

func (c ownedBy) searched() bool { return true }

func (c ownedBy) match(v *View) truth {
	uid := v.controller().UID
	return truthOf(uid != "" && slices.Contains(c, uid))
}

// UIDs holds for rows with one of the uids.
func UIDs(uids ...string) Condition { return uidsCondition(uids) }

type uidsCondition []string

func (c uidsCondition) sql(s *builder) {
	s.write("uid")
	s.anyOf(c)
}

func (c uidsCondition) searched() bool { return true }

func (c uidsCondition) match(v *View) truth {
	return truthOf(slices.Contains(c, v.Head().Metadata.UID))
}

// escapeLike makes a LIKE pattern match literally.
var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
