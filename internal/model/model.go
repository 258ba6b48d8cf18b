// Package model holds Kairship's domain types: plain values without clients. Every other package may
// import it; it imports none of them. Types that a schema type is bound to keep the schema's field
// names, so that plain fields need no resolver.
package model

import (
	"slices"
	"strings"
	"time"
)

// KeyValue is one label or annotation.
type KeyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// KeyValues returns the entries of a map, sorted by key; never nil.
func KeyValues(m map[string]string) []KeyValue {
	out := make([]KeyValue, 0, len(m))
	for k, v := range m {
		out = append(out, KeyValue{Key: k, Value: v})
	}
	slices.SortFunc(out, func(a, b KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// FactValue is true, false or unknown; its zero value is not valid.
type FactValue string

// The values of a fact.
const (
	FactTrue    FactValue = "TRUE"
	FactFalse   FactValue = "FALSE"
	FactUnknown FactValue = "UNKNOWN"
)

// Fact is one statement about an object, with its reason and since when it holds.
type Fact struct {
	Value   FactValue
	Reason  string // one CamelCase word
	Message string // for people; may be empty
	// Since is when Value last changed; nil when the source does not say.
	Since *time.Time
	// ObservedGeneration is the generation of the template the statement is about; nil when unknown.
	ObservedGeneration *int64
}

// Condition is a Kubernetes status condition.
type Condition struct {
	Type    string
	Status  FactValue
	Reason  string
	Message string
	Since   *time.Time
}

// FreshnessState says whether the read store follows its source.
type FreshnessState string

// The states of freshness, from best to worst.
const (
	FreshnessLive    FreshnessState = "LIVE"
	FreshnessStale   FreshnessState = "STALE"
	FreshnessStopped FreshnessState = "STOPPED"
	FreshnessNever   FreshnessState = "NEVER"
)

// Freshness is how fresh a slice read from the read store is.
type Freshness struct {
	State    FreshnessState
	Message  string
	SyncedAt *time.Time
}

// PageInfo says where a page is in its list.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Page asks for the rows after a cursor; After is empty for the first page.
type Page struct {
	First int
	After string
}

// UserError says why a mutation was refused.
type UserError struct {
	Code    string
	Message string
	Field   []string
}
