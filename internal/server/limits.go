package server

import (
	"cmp"
	"time"

	"github.com/kairship-io/kairship/internal/server/gate"
)

// Limits bound one request. Zero means the default. A request beyond a limit is refused with code LIMIT_EXCEEDED and
// the limit's name.
type Limits struct {
	// Body is the size of a request, and of a WebSocket message after authentication, in bytes. 1 MiB.
	Body int
	// Tokens of the document. 15,000.
	Tokens int
	// Name is the length of the longest name in the document, in characters: a longer one cannot be in the schema, and
	// searching for similar names would take long. 256.
	Name int
	// Repeats is how often one field, alias or fragment may be written in one selection set. 50.
	Repeats int
	// Fields of the document, with fragments counted as often as they are spread. 1,000.
	Fields int
	// Depth is how deep fields may be nested. 15. Introspection has its own limit: 25.
	Depth int
	// Aliases. 30.
	Aliases int
	// RootFields. 20.
	RootFields int
	// Directives. 50.
	Directives int
	// Cost is the size of the answer, by the rules of cost.go. 10,000.
	Cost int
	// Rate is the points a second that one user may spend: the cost of an operation (cost.go), one for each 100 bytes
	// of its document, and the cost of validating that (rate.go). 200,000; negative for no such limit.
	Rate int
	// RateBurst is the points that a user may spend at once after a quiet period. Ten times Rate, and never less than
	// one operation may cost.
	RateBurst int
	// EventRate is the points a second, out of Rate, that the events of one user's subscriptions may cost together,
	// each the cost of its operation or of the time it takes (gate/turns.go); ten times as many at once. Events that
	// cannot be paid wait, and then report the newest state. 5,000; negative for no such limit.
	EventRate int
	// EventsAtOnce is how many events of one user are made at once. 2.
	EventsAtOnce int
	// Authentication is how many requests a second of one remote address may fail to authenticate; ten times as many at
	// once. 20; negative for no such limit.
	Authentication int
	// Time a query or mutation may take. 30 s.
	Time time.Duration
	// ReadTime is how long a client may pause within a request's body. 5 s.
	ReadTime time.Duration
	// WriteTime is how long a client may take to read a message of a stream before the stream ends. 10 s.
	WriteTime time.Duration
	// SubscriptionsPerConnection on one WebSocket. 50.
	SubscriptionsPerConnection int
	// SubscriptionsPerUser over all their connections. 200.
	SubscriptionsPerUser int
	// SocketsPerUser is the open WebSockets of one user. 100.
	SocketsPerUser int
	// HalfOpenSockets is the WebSockets whose clients have not yet authenticated. 2,000.
	HalfOpenSockets int
	// HalfOpenSocketsPerAddress is those of one remote address. 200.
	HalfOpenSocketsPerAddress int
	// Connections is the open TCP connections; more are closed. 20,000.
	Connections int
	// ConnectionsPerAddress is those of one remote address that is not a trusted proxy. 2,000.
	ConnectionsPerAddress int
}

// introspectionDepth is what the standard introspection query needs (15 levels), with some reserve.
const introspectionDepth = 25

// maxErrors is how many errors of one document are reported.
const maxErrors = 10

func (l Limits) withDefaults() Limits {
	l = Limits{
		Body:                       cmp.Or(l.Body, 1<<20),
		Tokens:                     cmp.Or(l.Tokens, 15_000),
		Name:                       cmp.Or(l.Name, 256),
		Repeats:                    cmp.Or(l.Repeats, 50),
		Fields:                     cmp.Or(l.Fields, 1_000),
		Depth:                      cmp.Or(l.Depth, 15),
		Aliases:                    cmp.Or(l.Aliases, 30),
		RootFields:                 cmp.Or(l.RootFields, 20),
		Directives:                 cmp.Or(l.Directives, 50),
		Cost:                       cmp.Or(l.Cost, 10_000),
		Rate:                       cmp.Or(l.Rate, 200_000),
		RateBurst:                  l.RateBurst,
		EventRate:                  cmp.Or(l.EventRate, 5_000),
		EventsAtOnce:               cmp.Or(l.EventsAtOnce, 2),
		Authentication:             cmp.Or(l.Authentication, 20),
		Time:                       cmp.Or(l.Time, 30*time.Second),
		ReadTime:                   cmp.Or(l.ReadTime, 5*time.Second),
		WriteTime:                  cmp.Or(l.WriteTime, 10*time.Second),
		SubscriptionsPerConnection: cmp.Or(l.SubscriptionsPerConnection, 50),
		SubscriptionsPerUser:       cmp.Or(l.SubscriptionsPerUser, 200),
		SocketsPerUser:             cmp.Or(l.SocketsPerUser, 100),
		HalfOpenSockets:            cmp.Or(l.HalfOpenSockets, 2_000),
		HalfOpenSocketsPerAddress:  cmp.Or(l.HalfOpenSocketsPerAddress, 200),
		Connections:                cmp.Or(l.Connections, 20_000),
		ConnectionsPerAddress:      cmp.Or(l.ConnectionsPerAddress, 2_000),
	}
	// One operation of the allowed cost must be possible.
	l.RateBurst = max(cmp.Or(l.RateBurst, 10*l.Rate), l.Cost)
	return l
}

// ofPeople is the limits of what one person may spend and have open.
func (l Limits) ofPeople() gate.Limits {
	return gate.Limits{
		Rate: l.Rate, RateBurst: l.RateBurst, EventRate: l.EventRate, EventBurst: max(10*l.EventRate, l.Cost), EventsAtOnce: l.EventsAtOnce,
		Authentication: l.Authentication, SubscriptionsPerUser: l.SubscriptionsPerUser, SocketsPerUser: l.SocketsPerUser,
		HalfOpenSockets: l.HalfOpenSockets, HalfOpenSocketsPerAddress: l.HalfOpenSocketsPerAddress,
	}
}

// Limit is one limit as reported to clients.
type Limit struct {
	Name  string
	Value int
	Unit  string
}

// limitWriteTime is the name of the limit that ends a stream, whose client cannot be sent an error.
const limitWriteTime = "writeTime"

// All is the limits in force, by the names in refusals.
func (l Limits) All() []Limit {
	l = l.withDefaults()
	all := []Limit{
		{"body", l.Body, "bytes"},
		{"tokens", l.Tokens, "tokens"},
		{"name", l.Name, "characters"},
		{"repeats", l.Repeats, "times"},
		{"fields", l.Fields, "fields"},
		{"depth", l.Depth, "levels"},
		{"aliases", l.Aliases, "aliases"},
		{"rootFields", l.RootFields, "fields"},
		{"directives", l.Directives, "directives"},
		{"cost", l.Cost, "points"},
		{"time", int(l.Time / time.Second), "seconds"},
		{"readTime", int(l.ReadTime / time.Second), "seconds"},
		{limitWriteTime, int(l.WriteTime / time.Second), "seconds"},
		{"subscriptionsPerConnection", l.SubscriptionsPerConnection, "subscriptions"},
		{"subscriptionsPerUser", l.SubscriptionsPerUser, "subscriptions"},
		{"socketsPerUser", l.SocketsPerUser, "connections"},
		{"halfOpenSockets", l.HalfOpenSockets, "connections"},
		{"halfOpenSocketsPerAddress", l.HalfOpenSocketsPerAddress, "connections"},
		{limitConnections, l.Connections, "connections"},
		{limitConnectionsPerAddress, l.ConnectionsPerAddress, "connections"},
	}
	all = append(all, Limit{"eventsAtOnce", l.EventsAtOnce, "events"})
	if l.EventRate > 0 {
		all = append(all, Limit{"eventRate", l.EventRate, "points a second"})
	}
	if l.Rate > 0 {
		all = append(all, Limit{"rate", l.Rate, "points a second"})
	}
	if l.Authentication > 0 {
		all = append(all, Limit{"authentication", l.Authentication, "requests a second"})
	}
	return all
}
