package proxy

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/model"
)

// target is the destination of a path.
type target struct {
	// instance is empty where cluster was named without it.
	instance string
	// cluster is empty for the instance itself.
	cluster string
	// path is the decoded path there: "/api/v1/pods".
	path string
}

// prefix begins the paths of the instance or the member in this proxy.
func (t target) prefix() string {
	if t.cluster == "" {
		return "/instances/" + t.instance
	}
	return "/instances/" + t.instance + "/clusters/" + t.cluster
}

// segments splits an escaped path and decodes each part; a trailing slash yields an empty last part. It refuses paths
// that another server could read differently: all servers on the way have to agree on the destination. No name in
// Kubernetes needs any of that.
func segments(escaped string) ([]string, error) {
	rest, ok := strings.CutPrefix(escaped, "/")
	if !ok {
		return nil, badPath("it has to begin with a slash")
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		s, err := url.PathUnescape(part)
		switch {
		case err != nil:
			return nil, badPath("its escapes are wrong")
		case s == "" && i == len(parts)-1:
		case s == "":
			return nil, badPath("it holds two slashes in a row")
		case strings.Trim(s, ". ") == "":
			return nil, badPath("it holds a segment of dots")
		case strings.ContainsAny(s, `/\`):
			return nil, badPath("it holds a slash that is escaped, or turned around")
		case strings.ContainsAny(s, "%;?#"):
			return nil, badPath("it holds one of the characters % ; ? # in a segment")
		case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
			return nil, badPath("it holds characters that are not text")
		}
		parts[i] = s
	}
	return parts, nil
}

func badPath(why string) error {
	return &model.Error{Code: model.CodeBadUserInput, Message: "the path is refused: " + why, Field: []string{"path"}}
}

// parseTarget parses the destination of a path.
func parseTarget(escaped string) (target, error) {
	s, err := segments(escaped)
	if err != nil {
		return target{}, err
	}
	switch first := s[0]; {
	case first == "instances" && len(s) > 1 && s[1] != "":
		t := target{instance: s[1], path: join(s[2:])}
		if len(s) > 2 && s[2] == "clusters" {
			if len(s) == 3 || s[3] == "" {
				return target{}, notFound("there is no such path; those of a member begin with /instances/%s/clusters/NAME/", t.instance)
			}
			t.cluster, t.path = s[3], join(s[4:])
		}
		return t, t.check()
	case (first == "api" || first == "apis") && len(s) > 2 && s[1] == "clusters" && s[2] != "":
		t := target{cluster: s[2], path: join(append([]string{first}, s[3:]...))}
		// An instance's name contains no dot.
		if instance, cluster, ok := strings.Cut(s[2], "."); ok {
			if instance == "" || cluster == "" {
				return target{}, notFound("there is no cluster %q", s[2])
			}
			t.instance, t.cluster = instance, cluster
		}
		return t, t.check()
	case first == "api" || first == "apis":
		return target{}, &model.Error{Code: model.CodeBadUserInput, Field: []string{"path"}, Message: fmt.Sprintf(
			"the path does not say which instance: write /instances/INSTANCE/%[1]s/… for an instance, /%[1]s/clusters/INSTANCE.CLUSTER/… for a member", first)}
	}
	return target{}, notFound("there is no such path; those of an instance begin with /instances/NAME/")
}

// check refuses names that nothing can have, with the error for what does not exist.
func (t target) check() error {
	if t.instance != "" && len(validation.IsDNS1123Label(t.instance)) > 0 {
		return notFound("there is no instance %q", t.instance)
	}
	if t.cluster != "" && len(validation.IsDNS1123Subdomain(t.cluster)) > 0 {
		return notFound("there is no cluster %q", t.cluster)
	}
	return nil
}

func join(segments []string) string { return "/" + strings.Join(segments, "/") }

func notFound(format string, args ...any) error {
	return &model.Error{Code: model.CodeNotFound, Message: fmt.Sprintf(format, args...)}
}

// below joins a path, as segments accepts it, to another address.
func below(root *url.URL, path, query string) *url.URL {
	return &url.URL{Scheme: root.Scheme, Host: root.Host, Path: strings.TrimSuffix(root.Path, "/") + path, RawQuery: query}
}

// relocate converts a redirect of the upstream to the address for the client, below prefix again. False when it leads
// elsewhere. root is the address that prefix stands for.
func relocate(location string, asked, root *url.URL, prefix string) (string, bool) {
	given, err := url.Parse(location)
	if err != nil {
		return "", false
	}
	to := asked.ResolveReference(given)
	if to.Scheme != root.Scheme || to.Host != root.Host || to.User != nil || to.Opaque != "" {
		return "", false
	}
	at := strings.TrimSuffix(root.EscapedPath(), "/")
	rest, below := strings.CutPrefix(to.EscapedPath(), at)
	if !below || rest != "" && rest[0] != '/' {
		// A member does not know the path that it is served under.
		if given.Host != "" || !strings.HasPrefix(given.Path, "/") {
			return "", false
		}
		rest = to.EscapedPath()
	}
	if rest == "" {
		rest = "/"
	}
	parts, err := segments(rest)
	if err != nil {
		return "", false
	}
	out := url.URL{Path: prefix + join(parts), RawQuery: to.RawQuery}
	return out.String(), true
}
