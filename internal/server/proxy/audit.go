package proxy

import "time"

// Stage is the stage of the request that a Record reports.
type Stage string

// The stages.
const (
	// StageStarted is for upgraded connections only: it is open now, and may be for hours.
	StageStarted Stage = "STARTED"
	// StageComplete is for each request once, when it has ended.
	StageComplete Stage = "COMPLETE"
)

// Record is what an audit needs of a request. There is one for each request that is not a get, list or watch, and for
// each to exec, attach, portforward or a proxy, refused ones included. It holds no part of a request's or a response's
// body, and no query.
type Record struct {
	Stage Stage
	// Verb is Kubernetes': create, update, patch, delete, deletecollection, get …
	Verb     string
	Instance string
	// Cluster is empty for the control plane itself.
	Cluster string
	// Group, Version, Resource, Subresource, Namespace and Name are empty where there is none. The name of a created
	// object is taken from the response, and empty when it could not be read.
	Group, Version, Resource, Subresource, Namespace, Name string
	// Proxied says that it went through one of the API server's proxies to something behind it.
	Proxied bool
	// Status is the HTTP status; 499 when the client left before there was one.
	Status   int
	Duration time.Duration
	// DryRun says that it was a dry run.
	DryRun bool
	// UserAgent is the client's User-Agent, at most 256 bytes; Remote is its address and port.
	UserAgent string
	Remote    string
}

// maxUserAgent is how many bytes of the User-Agent are kept.
const maxUserAgent = 256
