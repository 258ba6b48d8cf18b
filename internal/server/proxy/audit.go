package proxy

import (
	"net/url"
	"time"
)

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
// body, nothing that goes over an upgraded connection, and of the query only what runs where.
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
	// Container is the one that an exec or attach names, empty where it names none; Command is what an exec runs, at most
	// 4 KiB of it.
	Container string
	Command   []string
	// End is how an upgraded connection ended; empty before that, and for what is none.
	End End
	// DryRun says that it was a dry run.
	DryRun bool
	// UserAgent is the client's User-Agent, at most 256 bytes; Remote is its address and port.
	UserAgent string
	Remote    string
}

// End is how an upgraded connection ended.
type End string

// The ends.
const (
	// EndedItself is when a command has ended, or its client has left: which of the two closes the connection tells
	// nothing.
	EndedItself End = "ITSELF"
	// EndedRight is when the right to it was lost, and EndedServer when the server shut down.
	EndedRight  End = "RIGHT"
	EndedServer End = "SERVER"
)

// maxCommand is how many bytes of a command are kept, and maxContainer of a container's name.
const (
	maxCommand   = 4 << 10
	maxContainer = 253
)

// runs is what an exec or attach runs where, of its query.
func (i info) runs(query url.Values) (container string, command []string) {
	if i.subresource != "exec" && i.subresource != "attach" {
		return "", nil
	}
	container = query.Get("container")
	container = container[:min(len(container), maxContainer)]
	if i.subresource == "attach" {
		return container, nil
	}
	left := maxCommand
	for _, argument := range query["command"] {
		if left == 0 {
			break
		}
		argument = argument[:min(len(argument), left)]
		left -= len(argument)
		command = append(command, argument)
	}
	return container, command
}

// maxUserAgent is how many bytes of the User-Agent are kept.
const maxUserAgent = 256
