package proxy

import "time"

// Stage is how far what a Record tells has got.
type Stage string

// The stages.
const (
	// StageStarted is told of upgraded connections only: it is open now, and may be for hours.
	StageStarted Stage = "STARTED"
	// StageComplete is told of each request once, when it has ended.
	StageComplete Stage = "COMPLETE"
)

// Record is what an audit has to know of a request. There is one for each request that is not a get, list
// or watch, and for each that goes to exec, attach, portforward or a proxy, refused ones included. It
// holds nothing of a request's or an answer's body, and no query.
type Record struct {
	Stage Stage
	// Verb is Kubernetes': create, update, patch, delete, deletecollection, get …
	Verb     string
	Instance string
	// Cluster is empty for the control plane itself.
	Cluster string
	// Group, Version, Resource, Subresource, Namespace and Name are empty where there is none. The
	// name of what is created is that of the object in the answer, and empty when that could not be told.
	Group, Version, Resource, Subresource, Namespace, Name string
	// Proxied says that it went through a proxy of the API server's to something behind it.
	Proxied bool
	// Status is the HTTP status; 499 when the client left before there was one.
	Status   int
	Duration time.Duration
	// DryRun says that nothing was to be changed.
	DryRun bool
	// UserAgent is what the client says of itself, at most 256 bytes; Remote is its address and port.
	UserAgent string
	Remote    string
}

// maxUserAgent is how much of a client's name is kept.
const maxUserAgent = 256
