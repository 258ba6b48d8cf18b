package model

import (
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestIDsComeBackAsTheyWere(t *testing.T) {
	deployment := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	refs := []Ref{
		{Instance: "asia", GVK: deployment, Namespace: "shop", Name: "cart"},
		{Instance: "asia", Cluster: "tokyo", GVK: deployment, Namespace: "shop", Name: "cart"},
		{Instance: "prod", Cluster: "eu", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Name: "a.b-c:d"},
		{Instance: "prod-eu", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Name: "a.b-c:d"},
	}
	seen := map[string]bool{}
	for _, ref := range refs {
		id := ref.ID()
		if seen[id] {
			t.Errorf("two objects share the id %s", id)
		}
		seen[id] = true
		got, err := ParseID(id)
		if err != nil || !got.IsObject() {
			t.Fatalf("ParseID(%s): %v", id, err)
		}
		if diff := cmp.Diff(ref, got.Ref); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if got, err := ParseID(InstanceID("asia")); err != nil || !got.IsInstance() || got.Ref.Instance != "asia" {
		t.Errorf("instance id: %+v, %v", got, err)
	}
	if got, err := ParseID(ClusterID("asia", "tokyo")); err != nil || !got.IsCluster() || got.Ref.Cluster != "tokyo" {
		t.Errorf("cluster id: %+v, %v", got, err)
	}
}

func TestParseIDRefuses(t *testing.T) {
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for name, id := range map[string]string{
		"nothing":                       "",
		"what is not base64":            "!",
		"padding":                       base64.URLEncoding.EncodeToString([]byte("1\nInstance\nasia1")),
		"another version":               encode("2\nInstance\nasia"),
		"an unknown kind of id":         encode("1\nThing\nasia"),
		"an instance without name":      encode("1\nInstance\n"),
		"a cluster without name":        encode("1\nCluster\nasia\n"),
		"too few fields":                encode("1\nObject\nasia\n\napps\nv1\nDeployment\nshop"),
		"too many fields":               encode("1\nObject\nasia\n\napps\nv1\nDeployment\nshop\ncart\nx"),
		"an object without name":        encode("1\nObject\nasia\n\napps\nv1\nDeployment\nshop\n"),
		"an instance and its member":    encode("1\nObject\nasia.tokyo\n\napps\nv1\nDeployment\nshop\ncart"),
		"bytes that are not characters": encode("1\nInstance\n\xff"),
	} {
		if got, err := ParseID(id); err == nil {
			t.Errorf("%s was read as %+v", name, got)
		}
	}
}

func FuzzParseIDNeverPanicsAndIsExact(f *testing.F) {
	f.Add(InstanceID("asia"))
	f.Add(ClusterID("asia", "tokyo"))
	f.Add(Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Name: "x"}.ID())
	f.Add("MQpPYmplY3QKYXNpYQoKCnYxCk5hb\r\nWVzcGFjZQoKeA")
	f.Fuzz(func(t *testing.T, id string) {
		got, err := ParseID(id)
		if err == nil && got.IsObject() && got.Ref.ID() != id {
			t.Errorf("%q was read as %+v, whose id is %q", id, got.Ref, got.Ref.ID())
		}
	})
}
