package telemetry

import (
	"regexp"
	"strings"
)

// word matches groups, versions, resources and subresources; anything else is not recorded.
var word = regexp.MustCompile(`^[a-z][a-z0-9.-]{0,62}$`)

// pages are the paths of an API server, or of Clusterpedia's, that are not resources.
var pages = map[string]bool{"readyz": true, "livez": true, "healthz": true, "version": true, "openapi": true, "metrics": true, "api": true, "apis": true, "": true}

// PathTemplate is a path of an API server without the names in it:
// /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale. The path behind a proxy of a member is treated
// likewise; behind that of a pod or service nothing is known.
func PathTemplate(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var known []string
	switch parts[0] {
	case "api":
		known, parts = parts[:min(2, len(parts))], parts[min(2, len(parts)):]
	case "apis":
		known, parts = parts[:min(3, len(parts))], parts[min(3, len(parts)):]
	default:
		if !pages[parts[0]] {
			return "/{path}"
		}
		if len(parts) > 1 {
			return "/" + parts[0] + "/{path}"
		}
		return "/" + parts[0]
	}
	out := words(known)
	if len(known) == 3 && known[1] == "clusterpedia.io" && len(parts) > 1 && parts[0] == "resources" {
		out += "/resources"
		if parts = parts[1:]; parts[0] == "clusters" && len(parts) > 2 {
			out, parts = out+"/clusters/{name}", parts[2:]
		}
		return out + PathTemplate(strings.Join(parts, "/"))
	}
	// A resource in a namespace, unless it is the namespace itself, or its status or finalizer.
	if len(parts) > 2 && parts[0] == "namespaces" && parts[2] != "status" && parts[2] != "finalize" {
		out, parts = out+"/namespaces/{namespace}", parts[2:]
	}
	if len(parts) == 0 {
		return out
	}
	out += words(parts[:1])
	if len(parts) > 1 {
		out += "/{name}"
	}
	if len(parts) > 2 {
		out += words(parts[2:3])
	}
	if len(parts) > 3 {
		if parts[0] == "clusters" && parts[2] == "proxy" {
			return out + PathTemplate(strings.Join(parts[3:], "/"))
		}
		return out + "/{path}"
	}
	return out
}

func words(parts []string) string {
	var out strings.Builder
	for _, p := range parts {
		if !word.MatchString(p) {
			p = "{…}"
		}
		out.WriteString("/" + p)
	}
	return out.String()
}
