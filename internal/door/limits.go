package door

import (
	"cmp"
	"time"
)

// Limits bound what one request may ask for. Zero means the default. A request beyond one is refused with
// code LIMIT_EXCEEDED and the limit's name.
type Limits struct {
	// Body is the size of a request, and of a WebSocket message, in bytes. 1 MiB.
	Body int
	// Tokens of the document. 15,000.
	Tokens int
	// Name is the length of the longest name in the document, in characters: what is longer cannot be
	// in the schema, and the search for names like it would take long. 256.
	Name int
	// Fields of the document, with fragments counted as often as they are spread. 1,000.
	Fields int
	// Depth is how deep fields may be nested. 15. Introspection has an allowance of its own: 25.
	Depth int
	// Aliases. 30.
	Aliases int
	// RootFields. 20.
	RootFields int
	// Directives. 50.
	Directives int
	// Cost is how much the answer may hold, by the rules of cost.go. 10,000.
	Cost int
	// Time a query or mutation may take. 30 s.
	Time time.Duration
	// SubscriptionsPerConnection on one WebSocket. 50.
	SubscriptionsPerConnection int
	// SubscriptionsPerUser over all their connections. 200.
	SubscriptionsPerUser int
}

// introspectionDepth is what the standard introspection query needs (15 levels), and a little more.
const introspectionDepth = 25

// maxErrors is how many errors of one document are told.
const maxErrors = 10

func (l Limits) withDefaults() Limits {
	return Limits{
		Body:                       cmp.Or(l.Body, 1<<20),
		Tokens:                     cmp.Or(l.Tokens, 15_000),
		Name:                       cmp.Or(l.Name, 256),
		Fields:                     cmp.Or(l.Fields, 1_000),
		Depth:                      cmp.Or(l.Depth, 15),
		Aliases:                    cmp.Or(l.Aliases, 30),
		RootFields:                 cmp.Or(l.RootFields, 20),
		Directives:                 cmp.Or(l.Directives, 50),
		Cost:                       cmp.Or(l.Cost, 10_000),
		Time:                       cmp.Or(l.Time, 30*time.Second),
		SubscriptionsPerConnection: cmp.Or(l.SubscriptionsPerConnection, 50),
		SubscriptionsPerUser:       cmp.Or(l.SubscriptionsPerUser, 200),
	}
}

// Limit is one limit as clients are told of it.
type Limit struct {
	Name  string
	Value int
	Unit  string
}

// All is the limits in force, by the names that refusals carry.
func (l Limits) All() []Limit {
	l = l.withDefaults()
	return []Limit{
		{"body", l.Body, "bytes"},
		{"tokens", l.Tokens, "tokens"},
		{"name", l.Name, "characters"},
		{"fields", l.Fields, "fields"},
		{"depth", l.Depth, "levels"},
		{"aliases", l.Aliases, "aliases"},
		{"rootFields", l.RootFields, "fields"},
		{"directives", l.Directives, "directives"},
		{"cost", l.Cost, "points"},
		{"time", int(l.Time / time.Second), "seconds"},
		{"subscriptionsPerConnection", l.SubscriptionsPerConnection, "subscriptions"},
		{"subscriptionsPerUser", l.SubscriptionsPerUser, "subscriptions"},
	}
}
