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

// target is where a path leads.
type target struct {
	// instance is empty where cluster was named without it.
	instance string
	// cluster is empty for the instance itself.
	cluster string
	// path is what is asked for there, decoded: "/api/v1/pods".
	path string
}

// prefix is what the paths of the instance or the member begin with in this proxy.
func (t target) prefix() string {
	if t.cluster == "" {
		return "/instances/" + t.instance
	}
	return "/instances/" + t.instance + "/clusters/" + t.cluster
}

// segments splits a path as it was sent and decodes each part; a trailing slash makes a last one that is
// empty. Refused is what some server on the way could read as another path: this one and those behind it
// have to agree on where a path leads. No name in Kubernetes needs any of it.
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

// parseTarget says where a path leads.
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
		// The name of an instance holds no dot.
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

// check refuses names that nothing can have, in the words for what is not there.
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

// below is the address of a path, as segments let it through, below another address.
func below(root *url.URL, path, query string) *url.URL {
	return &url.URL{Scheme: root.Scheme, Host: root.Host, Path: strings.TrimSuffix(root.Path, "/") + path, RawQuery: query}
}

// relocate is where a client has to ask when the upstream, asked for one address, says that it is to be
// asked for another: below prefix again. False when that is elsewhere. root is the address that prefix
// stands for.
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
		// A member does not know that it stands behind a path.
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
