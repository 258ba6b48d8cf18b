package audit

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxPage is the most events of a page.
	maxPage = 200
	// maxEntries is the most entries of a list of a filter.
	maxEntries = 100
	// maxPartitions is the most instances and namespaces that one page is gathered from.
	maxPartitions = 5000
)

// Visible is what somebody may see of the audit log. Its zero value is nothing.
type Visible struct {
	// All is true for owners: every event, also those of no instance.
	All bool
	// Instances is what is visible of each instance.
	Instances map[string]Namespaces
}

// Namespaces is which namespaces of an instance are visible. Its zero value is none.
type Namespaces struct {
	// All is true for administrators: the whole instance, also what has no namespace.
	All bool
	// Names is the namespaces, where not all are.
	Names []string
}

// Shows reports whether events of a namespace of an instance are visible; of an empty namespace, those of what is in none.
func (v Visible) Shows(instance, namespace string) bool {
	where := v.Instances[instance]
	return v.All || where.All || namespace != "" && slices.Contains(where.Names, namespace)
}

// Filter selects events. A list matches any of its entries, an empty list everything; fields are combined with AND. A
// list has at most 100 entries.
type Filter struct {
	Principals []string
	Instances  []string
	Namespaces []string
	Actions    []string
	// Kinds are kinds, "Deployment", or resources, "deployments": the former match mutations, the latter proxied
	// requests.
	Kinds    []string
	Outcomes []Outcome
	// Since and Until bound when it began, both included; zero is no bound.
	Since, Until time.Time
	// NameContains is a part of the object's name.
	NameContains string
	// Objects are those that it was done to, any of them; Instances and Namespaces are not looked at then.
	Objects []Object
}

// Object is an object as events are about it: what came through the proxy tells the resource, and may not tell the kind. Its version is
// not compared.
type Object struct {
	model.Ref
	// Resource is the kind as URLs have it: "deployments".
	Resource string
}

// Is reports whether an event is about the object.
func (o Object) Is(e *Event) bool {
	is := e.Object
	return is.Name == o.Name && is.Namespace == o.Namespace && is.Cluster == o.Cluster && is.Instance == o.Instance && is.GVK.Group == o.GVK.Group &&
		(is.GVK.Kind == o.GVK.Kind || is.GVK.Kind == "" && e.Resource == o.Resource)
}

// Position is the place of an event in the list.
type Position struct {
	At time.Time
	ID string
}

// Partition is a part of the audit log: the events of an object, of a namespace of an instance, of an instance, or all.
type Partition struct {
	// Instance is empty for all events.
	Instance string
	// Namespace is empty for all of the instance.
	Namespace string
	// Object has a name where it is the events of one, and Instance and Namespace are its.
	Object Object
}

// Query asks for the newest events of some partitions that match a filter.
type Query struct {
	// Partitions is never empty.
	Partitions []Partition
	Filter     Filter
	// Before limits the page to events older than it; nil for no limit.
	Before *Position
	// Limit is how many events at most.
	Limit int
}

// Pages reads stored events, newest first; package database implements it. Its errors are *model.Error.
type Pages interface {
	AuditPage(ctx context.Context, q Query) ([]Event, error)
	// AuditSelections returns the latest first.
	AuditSelections(ctx context.Context, q SelectionQuery) ([]Selection, error)
}

// Reader shows the audit log to those who may see it.
type Reader struct {
	store Pages
}

// NewReader makes a Reader. Without a store (nil), Page returns UNAVAILABLE.
func NewReader(store Pages) *Reader { return &Reader{store: store} }

// Page returns the visible events that match, newest first; 1 to 200 a page. When nothing is visible it is empty,
// without a query. Errors are *model.Error: BAD_USER_INPUT with the field, LIMIT_EXCEEDED for too many namespaces at
// once, UNAVAILABLE, TIMEOUT.
func (r *Reader) Page(ctx context.Context, visible Visible, f Filter, page model.Page) (*model.Connection[*Event], error) {
	if page.First < 1 || page.First > maxPage {
		return nil, model.BadInput("first", "is %d; 1 to %d are allowed", page.First, maxPage)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	before, err := parseCursor(page.After)
	if err != nil {
		return nil, err
	}
	partitions := partitionsOf(visible, f)
	switch {
	case len(partitions) == 0:
		return model.NewConnection[*Event](nil, page, false, cursorOf), nil
	case len(partitions) > maxPartitions:
		return nil, &model.Error{Code: model.CodeLimitExceeded, Field: []string{"instances"},
			Message: "you may see more than " + strconv.Itoa(maxPartitions) + " namespaces: ask for one instance, or for some namespaces"}
	case r.store == nil:
		return nil, notKept()
	}
	events, err := r.store.AuditPage(ctx, Query{Partitions: partitions, Filter: f, Before: before, Limit: page.First + 1})
	if err != nil {
		return nil, err
	}
	more := len(events) > page.First
	rows := make([]*Event, 0, page.First)
	for i := range events[:min(len(events), page.First)] {
		rows = append(rows, &events[i])
	}
	return model.NewConnection(rows, page, more, cursorOf), nil
}

func notKept() error {
	return &model.Error{Code: model.CodeUnavailable, Message: "the audit log is not kept where it can be queried: this Kairship has no database of its own"}
}

var outcomes = []Outcome{Started, Succeeded, Failed, Refused}

func (f Filter) check() error {
	for _, list := range []struct {
		field  string
		values []string
	}{
		{"principals", f.Principals}, {"instances", f.Instances}, {"namespaces", f.Namespaces}, {"actions", f.Actions},
		{"kinds", f.Kinds}, {"outcomes", asTexts(f.Outcomes)},
	} {
		if len(list.values) > maxEntries {
			return model.BadInput(list.field, "has %d entries; at most %d are allowed", len(list.values), maxEntries)
		}
		for _, v := range list.values {
			if v == "" {
				return model.BadInput(list.field, "has an empty entry")
			}
			if err := checkText(list.field, v, maxName); err != nil {
				return err
			}
		}
	}
	for _, o := range f.Outcomes {
		if !slices.Contains(outcomes, o) {
			return model.BadInput("outcomes", "%q is none of %s", o, strings.Join(asTexts(outcomes), ", "))
		}
	}
	if !f.Since.IsZero() && !f.Until.IsZero() && f.Until.Before(f.Since) {
		return model.BadInput("until", "is before since")
	}
	if len(f.Objects) > maxEntries {
		return model.BadInput("objects", "has %d entries; at most %d are allowed", len(f.Objects), maxEntries)
	}
	for _, o := range f.Objects {
		for _, text := range []string{o.Instance, o.Cluster, o.GVK.Group, o.GVK.Kind, o.Namespace, o.Name, o.Resource} {
			if err := checkText("objects", text, maxText); err != nil {
				return err
			}
		}
	}
	return checkText("nameContains", f.NameContains, maxText)
}

// checkText refuses texts that no event can hold and the database does not accept.
func checkText(field, text string, most int) error {
	if len(text) > most {
		return model.BadInput(field, "is longer than %d characters", most)
	}
	if printable(text) != text {
		return model.BadInput(field, "has characters that are not printable")
	}
	return nil
}

func asTexts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// partitionsOf returns the partitions that a page is read from: the visible ones, narrowed by the filter. Empty when
// nothing is left. Empty names are dropped: they would be those of events without an instance, or without a
// namespace.
func partitionsOf(visible Visible, f Filter) []Partition {
	if len(f.Objects) > 0 {
		return objectsOf(visible, f.Objects)
	}
	if visible.All && len(f.Instances) == 0 {
		return []Partition{{}}
	}
	instances := make([]string, 0, len(visible.Instances))
	if visible.All {
		instances = append(instances, f.Instances...)
	} else {
		for instance := range visible.Instances {
			if len(f.Instances) == 0 || slices.Contains(f.Instances, instance) {
				instances = append(instances, instance)
			}
		}
	}
	var out []Partition
	for _, instance := range distinct(instances) {
		namespaces := visible.Instances[instance]
		switch {
		case (visible.All || namespaces.All) && len(f.Namespaces) == 0:
			out = append(out, Partition{Instance: instance})
		case visible.All || namespaces.All:
			for _, n := range distinct(f.Namespaces) {
				out = append(out, Partition{Instance: instance, Namespace: n})
			}
		default:
			for _, n := range distinct(namespaces.Names) {
				if len(f.Namespaces) == 0 || slices.Contains(f.Namespaces, n) {
					out = append(out, Partition{Instance: instance, Namespace: n})
				}
			}
		}
	}
	return out
}

// objectsOf are the partitions of objects, as far as they are visible.
func objectsOf(visible Visible, objects []Object) []Partition {
	var out []Partition
	for _, o := range objects {
		if o.Instance != "" && o.Name != "" && visible.Shows(o.Instance, o.Namespace) {
			out = append(out, Partition{o.Instance, o.Namespace, o})
		}
	}
	return out
}

// distinct returns the names sorted, without duplicates and the empty name.
func distinct(names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	slices.Sort(names)
	return slices.Compact(names)
}

// Cursors hold the position of an event and are opaque to clients. They reveal nothing that a filter hides, and work
// with every filter: the order is always the same.
const (
	cursorPrefix    = "1\naudit"
	maxCursorLength = 200
)

func cursorOf(e *Event) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + "\n" + strconv.FormatInt(e.At.UnixMicro(), 10) + "\n" + e.ID))
}

func parseCursor(cursor string) (*Position, error) {
	if cursor == "" {
		return nil, nil
	}
	bad := model.BadInput("after", "is not a cursor of this list; give the endCursor of the page before")
	if len(cursor) > maxCursorLength || strings.ContainsAny(cursor, "\r\n") { // base64 skips line breaks
		return nil, bad
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, bad
	}
	rest, ours := strings.CutPrefix(string(raw), cursorPrefix+"\n")
	at, id, two := strings.Cut(rest, "\n")
	micros, err := strconv.ParseInt(at, 10, 64)
	if !ours || !two || err != nil || uuid.Validate(id) != nil || len(id) != len(uuid.UUID{}.String()) {
		return nil, bad
	}
	// PostgreSQL has no timestamps as far away as these numbers go.
	if moment := time.UnixMicro(micros).UTC(); moment.Year() > 0 && moment.Year() < 10_000 {
		return &Position{At: moment, ID: id}, nil
	}
	return nil, bad
}
