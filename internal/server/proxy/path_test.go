package proxy

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPathsLeadToInstancesAndMembers(t *testing.T) {
	for _, tc := range []struct {
		path string
		want target
	}{
		{"/instances/asia", target{instance: "asia", path: "/"}},
		{"/instances/asia/", target{instance: "asia", path: "/"}},
		{"/instances/asia/api/v1/pods", target{instance: "asia", path: "/api/v1/pods"}},
		{"/instances/asia/apis/apps/v1/deployments/", target{instance: "asia", path: "/apis/apps/v1/deployments/"}},
		{"/instances/asia/openapi/v2", target{instance: "asia", path: "/openapi/v2"}},
		{"/instances/asia/clusters/tokyo", target{instance: "asia", cluster: "tokyo", path: "/"}},
		{"/instances/asia/clusters/tokyo/api/v1/nodes", target{instance: "asia", cluster: "tokyo", path: "/api/v1/nodes"}},
		{"/instances/asia/clusters/tokyo/clusters/osaka", target{instance: "asia", cluster: "tokyo", path: "/clusters/osaka"}},
		{"/instances/asia/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy/api/v1/nodes",
			target{instance: "asia", path: "/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy/api/v1/nodes"}},
		{"/instances/asia/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode", target{instance: "asia", path: "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"}},
		{"/api/clusters/asia.tokyo", target{instance: "asia", cluster: "tokyo", path: "/api"}},
		{"/api/clusters/asia.tokyo/v1/namespaces/a/pods", target{instance: "asia", cluster: "tokyo", path: "/api/v1/namespaces/a/pods"}},
		{"/apis/clusters/asia.tokyo", target{instance: "asia", cluster: "tokyo", path: "/apis"}},
		{"/apis/clusters/asia.tokyo/apps/v1/deployments", target{instance: "asia", cluster: "tokyo", path: "/apis/apps/v1/deployments"}},
		{"/apis/clusters/asia.to.kyo/apps/v1/deployments", target{instance: "asia", cluster: "to.kyo", path: "/apis/apps/v1/deployments"}},
		{"/apis/clusters/tokyo/apps/v1/deployments", target{cluster: "tokyo", path: "/apis/apps/v1/deployments"}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			got, err := parseTarget(tc.path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(target{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// hostilePaths are refused: whoever reads one in another way than the proxy would be led elsewhere.
var hostilePaths = []string{
	"",
	"instances/asia/api",
	"//instances/asia/api",
	"/instances//asia/api",
	"/instances/asia//api",
	"/instances/asia/api//v1",
	"/instances/asia/../europe/api",
	"/instances/asia/./api",
	"/instances/asia/..",
	"/instances/../instances/asia/api",
	"/instances/asia/%2e%2e/europe/api",
	"/instances/asia/%2E%2E/europe",
	"/instances/asia/.%2e/europe",
	"/instances/asia/%2e",
	"/instances/asia/%252e%252e/europe",
	"/instances/asia/api%2fv1",
	"/instances/asia/api%2Fv1",
	"/instances/asia/api%252fv1",
	"/instances/asia%2f..%2feurope/api",
	"/instances/asia/..%2feurope",
	"/instances/asia/..%5ceurope",
	`/instances/asia/..\europe`,
	"/instances/asia/..;/europe",
	"/instances/asia/..%3b/europe",
	"/instances/asia/;/europe",
	"/instances/asia/api;jsessionid=1/v1",
	"/instances/asia/clusters/../secrets",
	"/instances/asia/clusters/%2e%2e/secrets",
	"/instances/asia/clusters/tokyo/../../europe",
	"/instances/asia/clusters/tokyo%2f..%2fosaka/api",
	"/instances/asia/clusters/tokyo/%2e%2e%2f%2e%2e%2fapi",
	"/instances/asia/clusters//api",
	"/instances/asia/api/v1/%00",
	"/instances/asia/api/v1/%0d%0aHost:%20evil",
	"/instances/asia/api/v1/%c0%ae%c0%ae/",
	"/instances/asia/api/v1/%ff",
	"/instances/asia/api/v1/pods%3fwatch=1",
	"/instances/asia/api/v1/pods%23x",
	"/instances/asia/api/v1/%zz",
	"/instances/asia/api/.. /v1",
	"/instances/ASIA/api",
	"/instances/as ia/api",
	"/instances/asia:6443/api",
	"/instances/asia@evil/api",
	"/instances/asia.example/api",
	"/instances/asia/clusters",
	"/instances/asia/clusters/",
	"/instances/asia/clusters/to_kyo/api",
	"/instances/asia/clusters/tokyo:443/api",
	"/instances",
	"/instances/",
	"/api",
	"/api/v1/pods",
	"/apis/apps/v1/deployments",
	"/api/clusters",
	"/api/clusters/",
	"/api/clusters/.tokyo/v1",
	"/api/clusters/asia./v1",
	"/api/clusters/asia..tokyo/v1",
	"/api/clusters/..tokyo/v1",
	"/api/clusters/../v1/pods",
	"/api/clusters/asia.tokyo/../v1/pods",
	"/api/clusters/asia.tokyo%2f../v1/pods",
	"/apis/clusters/asia.%2e%2e/apps",
	"/metrics",
	"/version",
	"*",
}

func TestHostilePathsAreRefused(t *testing.T) {
	for _, p := range hostilePaths {
		t.Run(p, func(t *testing.T) {
			if got, err := parseTarget(p); err == nil {
				t.Errorf("leads to %+v", got)
			}
		})
	}
}

func FuzzAPathStaysBelowWhereItLeads(f *testing.F) {
	for _, p := range hostilePaths {
		f.Add(p)
	}
	f.Add("/instances/asia/clusters/tokyo/api/v1/nodes/a:b@c/")
	f.Add("/apis/clusters/asia.tokyo/apps/v1/deployments")
	root := &url.URL{Scheme: "https", Host: "karmada", Path: "/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy"}
	f.Fuzz(func(t *testing.T, p string) {
		to, err := parseTarget(p)
		if err != nil {
			return
		}
		if strings.ContainsAny(to.instance+to.cluster, "/%\\?#:@ ") || to.instance == "" && to.cluster == "" {
			t.Fatalf("names of %q: %+v", p, to)
		}
		u := below(root, to.path, "")
		// Whatever a server on the way makes of it: unescaped as often as it likes, and cleaned.
		for sent, last := u.EscapedPath(), ""; sent != last; {
			last = sent
			if cleaned := path.Clean(sent); cleaned != strings.TrimSuffix(sent, "/") {
				t.Fatalf("%q is sent as %q, which is %q cleaned", p, sent, cleaned)
			}
			if !strings.HasPrefix(sent, root.Path+"/") {
				t.Fatalf("%q is sent as %q", p, sent)
			}
			if plain, err := url.PathUnescape(sent); err == nil {
				sent = plain
			}
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != root.Host || again.RawQuery != "" || again.Fragment != "" || again.Path != u.Path {
			t.Fatalf("%q is sent as %q (%v)", p, u, err)
		}
	})
}

func TestRedirectsStayBelowThePrefix(t *testing.T) {
	instance := &url.URL{Scheme: "https", Host: "karmada:6443"}
	member := &url.URL{Scheme: "https", Host: "karmada:6443", Path: "/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy"}
	for _, tc := range []struct {
		name, location string
		root           *url.URL
		want           string
	}{
		{"a path", "/api/v1/x/", instance, "/instances/asia/api/v1/x/"},
		{"a path with a query", "/api/v1/x?a=b%2f", instance, "/instances/asia/api/v1/x?a=b%2f"},
		{"a relative path", "y/", instance, "/instances/asia/api/v1/y/"},
		{"the whole address", "https://karmada:6443/api/", instance, "/instances/asia/api/"},
		{"a path that holds the member's", member.Path + "/api/v1/x/", member, "/instances/asia/api/v1/x/"},
		{"a path as the member has it", "/api/v1/x/", member, "/instances/asia/api/v1/x/"},
		{"another host", "https://evil/api/", instance, ""},
		{"another host without a scheme", "//evil/api", instance, ""},
		{"another port", "https://karmada/api/", instance, ""},
		{"another scheme", "http://karmada:6443/api/", instance, ""},
		{"no scheme that leads anywhere", "javascript:alert(1)", instance, ""},
		{"somebody's name", "https://a@karmada:6443/api/", instance, ""},
		{"the whole address of another member", "https://karmada:6443/apis/cluster.karmada.io/v1alpha1/clusters/osaka/proxy/api", member, ""},
		{"the address of one whose name begins alike", "https://karmada:6443" + member.Path + "x/api", member, ""},
		{"dots that are escaped", "/api/%2e%2e/%2e%2e/x", instance, ""},
		{"a slash that is escaped", "/api/..%2f..", instance, ""},
		{"nothing that can be read", "https://[::1", instance, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := relocate(tc.location, below(tc.root, "/api/v1/x", ""), tc.root, "/instances/asia")
			if got != tc.want || ok != (tc.want != "") {
				t.Errorf("got %q, %v; want %q", got, ok, tc.want)
			}
		})
	}
}

func FuzzARedirectStaysBelowThePrefix(f *testing.F) {
	for _, l := range []string{"/api/", "//evil", "https://karmada/../..", "/%2e%2e/x", "?a", "#", "/\\evil", "https:evil", "y/../../../z"} {
		f.Add(l)
	}
	root := &url.URL{Scheme: "https", Host: "karmada", Path: "/apis/p"}
	f.Fuzz(func(t *testing.T, location string) {
		got, ok := relocate(location, below(root, "/api/v1/x", ""), root, "/instances/asia")
		if !ok {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/instances/asia/") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") {
			t.Fatalf("%q became %q (%v)", location, got, err)
		}
	})
}
