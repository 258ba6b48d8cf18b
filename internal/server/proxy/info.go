package proxy

import (
	"net/http"
	"net/url"
	"strings"
)

// info is what a request is about, derived from method and path as API servers do.
type info struct {
	verb string
	// The rest is empty for non-resource paths: discovery, health, versions.
	group, version, resource, subresource, namespace, name string
	// proxied says that the path leads through a proxy of the upstream to something behind it.
	proxied bool
}

// namespaceSubresources belong to a Namespace itself, and are not resources in it.
var namespaceSubresources = map[string]bool{"status": true, "finalize": true}

func parseInfo(method, path string, query url.Values) info {
	i := info{verb: strings.ToLower(method)}
	switch method {
	case http.MethodGet, http.MethodHead:
		i.verb = "get"
	case http.MethodPost:
		i.verb = "create"
	case http.MethodPut:
		i.verb = "update"
	}
	s := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case s[0] == "api" && len(s) > 2:
		i.version, s = s[1], s[2:]
	case s[0] == "apis" && len(s) > 3:
		i.group, i.version, s = s[1], s[2], s[3:]
	default:
		return i
	}
	switch {
	case len(s) > 1 && s[0] == "watch":
		i.verb, s = "watch", s[1:]
	case len(s) > 1 && s[0] == "proxy":
		i.proxied, s = true, s[1:]
	}
	if s[0] == "namespaces" && len(s) > 1 {
		i.namespace = s[1]
		if len(s) > 2 && !namespaceSubresources[s[2]] {
			s = s[2:]
		}
	}
	i.resource = s[0]
	if len(s) > 1 {
		i.name = s[1]
	}
	if len(s) > 2 {
		i.subresource = s[2]
	}
	i.proxied = i.proxied || i.subresource == "proxy"
	switch {
	case i.name != "":
	case i.verb == "get" && truthy(query, "watch"):
		i.verb = "watch"
	case i.verb == "get":
		i.verb = "list"
	case i.verb == "delete":
		i.verb = "deletecollection"
	}
	return i
}

// truthy parses a boolean parameter as API servers do: one without a value is true.
func truthy(query url.Values, name string) bool {
	values, ok := query[name]
	return ok && (len(values) == 0 || values[0] != "0" && !strings.EqualFold(values[0], "false"))
}

// behind is what the request is about in a member, when it goes through Karmada's own proxy.
func (i info) behind(method, path string, query url.Values) (cluster string, inner info, ok bool) {
	if i.group != "cluster.karmada.io" || i.resource != "clusters" || i.subresource != "proxy" {
		return "", info{}, false
	}
	_, rest, _ := strings.Cut(path, "/clusters/"+i.name+"/proxy")
	inner = parseInfo(method, rest, query)
	inner.proxied = true
	return i.name, inner, true
}

// follows reports whether the request follows the log of a pod.
func (i info) follows(query url.Values) bool {
	return i.verb == "get" && i.resource == "pods" && i.subresource == "log" && truthy(query, "follow")
}

// audited reports whether the request may change something, or opens a connection that no API server inspects.
func (i info) audited() bool {
	switch i.subresource {
	case "exec", "attach", "portforward", "proxy":
		return true
	}
	return i.proxied || i.verb != "get" && i.verb != "list" && i.verb != "watch"
}
