package proxy

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatARequestIsAbout(t *testing.T) {
	for _, tc := range []struct {
		method, path string
		want         info
		audited      bool
	}{
		{"GET", "/", info{verb: "get"}, false},
		{"GET", "/version", info{verb: "get"}, false},
		{"POST", "/version", info{verb: "create"}, true},
		{"GET", "/api/v1", info{verb: "get"}, false},
		{"GET", "/apis/apps/v1", info{verb: "get"}, false},
		{"GET", "/api/v1/pods", info{verb: "list", version: "v1", resource: "pods"}, false},
		{"HEAD", "/api/v1/pods", info{verb: "list", version: "v1", resource: "pods"}, false},
		{"GET", "/api/v1/pods?watch=true", info{verb: "watch", version: "v1", resource: "pods"}, false},
		{"GET", "/api/v1/pods?watch", info{verb: "watch", version: "v1", resource: "pods"}, false},
		{"GET", "/api/v1/pods?watch=False", info{verb: "list", version: "v1", resource: "pods"}, false},
		{"GET", "/api/v1/pods?watch=0", info{verb: "list", version: "v1", resource: "pods"}, false},
		{"GET", "/api/v1/watch/namespaces/a/pods", info{verb: "watch", version: "v1", resource: "pods", namespace: "a"}, false},
		{"GET", "/api/v1/namespaces/a/pods/b?watch=true", info{verb: "get", version: "v1", resource: "pods", namespace: "a", name: "b"}, false},
		{"POST", "/apis/apps/v1/namespaces/a/deployments?watch=true", info{verb: "create", group: "apps", version: "v1", resource: "deployments", namespace: "a"}, true},
		{"PUT", "/apis/apps/v1/namespaces/a/deployments/b/scale", info{verb: "update", group: "apps", version: "v1", resource: "deployments", namespace: "a", name: "b", subresource: "scale"}, true},
		{"PATCH", "/apis/apps/v1/namespaces/a/deployments/b", info{verb: "patch", group: "apps", version: "v1", resource: "deployments", namespace: "a", name: "b"}, true},
		{"DELETE", "/api/v1/namespaces/a/pods/b/", info{verb: "delete", version: "v1", resource: "pods", namespace: "a", name: "b"}, true},
		{"DELETE", "/api/v1/namespaces/a/pods", info{verb: "deletecollection", version: "v1", resource: "pods", namespace: "a"}, true},
		{"GET", "/api/v1/namespaces/a", info{verb: "get", version: "v1", resource: "namespaces", namespace: "a", name: "a"}, false},
		{"PUT", "/api/v1/namespaces/a/finalize", info{verb: "update", version: "v1", resource: "namespaces", namespace: "a", name: "a", subresource: "finalize"}, true},
		{"GET", "/api/v1/namespaces/a/pods/b/exec", info{verb: "get", version: "v1", resource: "pods", namespace: "a", name: "b", subresource: "exec"}, true},
		{"POST", "/api/v1/namespaces/a/pods/b/attach", info{verb: "create", version: "v1", resource: "pods", namespace: "a", name: "b", subresource: "attach"}, true},
		{"GET", "/api/v1/namespaces/a/pods/b/portforward", info{verb: "get", version: "v1", resource: "pods", namespace: "a", name: "b", subresource: "portforward"}, true},
		{"GET", "/api/v1/namespaces/a/pods/b/log", info{verb: "get", version: "v1", resource: "pods", namespace: "a", name: "b", subresource: "log"}, false},
		{"GET", "/api/v1/namespaces/a/services/b/proxy/x/y", info{verb: "get", version: "v1", resource: "services", namespace: "a", name: "b", subresource: "proxy", proxied: true}, true},
		{"GET", "/api/v1/nodes/n/proxy/exec", info{verb: "get", version: "v1", resource: "nodes", name: "n", subresource: "proxy", proxied: true}, true},
		{"GET", "/api/v1/proxy/nodes/n", info{verb: "get", version: "v1", resource: "nodes", name: "n", proxied: true}, true},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", info{verb: "create", group: "authorization.k8s.io", version: "v1", resource: "selfsubjectaccessreviews"}, true},
	} {
		t.Run(tc.method+" "+tc.path, func(t *testing.T) {
			u, err := url.Parse(tc.path)
			if err != nil {
				t.Fatal(err)
			}
			got := parseInfo(tc.method, u.Path, u.Query())
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(info{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.audited() != tc.audited {
				t.Errorf("audited: %v", got.audited())
			}
		})
	}
}

func TestKarmadasOwnProxyHidesNothing(t *testing.T) {
	for _, tc := range []struct {
		path, cluster string
		want          info
	}{
		{"/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy/api/v1/pods?watch=1", "tokyo", info{verb: "watch", version: "v1", resource: "pods", proxied: true}},
		{"/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy", "tokyo", info{verb: "get", proxied: true}},
		{"/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/proxy/api/v1/namespaces/a/pods/b/exec", "tokyo",
			info{verb: "get", version: "v1", resource: "pods", namespace: "a", name: "b", subresource: "exec", proxied: true}},
		{"/apis/cluster.karmada.io/v1alpha1/clusters/tokyo/status", "", info{}},
		{"/apis/other.io/v1alpha1/clusters/tokyo/proxy/api", "", info{}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			u, err := url.Parse(tc.path)
			if err != nil {
				t.Fatal(err)
			}
			cluster, got, _ := parseInfo("GET", u.Path, u.Query()).behind("GET", u.Path, u.Query())
			if cluster != tc.cluster {
				t.Errorf("cluster %q", cluster)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(info{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
