package pedia_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

var (
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
)

func one(gvr ...schema.GroupVersionResource) []schema.GroupVersionResource { return gvr }

// everything is the scope of an administrator.
func everything() rbac.Scope {
	return rbac.NewAuthorizer([]string{"g"}).Scope(auth.Principal{Name: "a", Groups: []string{"g"}})
}

func client(t *testing.T, host string) *pedia.Client {
	t.Helper()
	c, err := pedia.New(&rest.Config{Host: host}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	return c
}

func row(cluster, namespace, name string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":%q,"name":%q,"annotations":{"shadow.clusterpedia.io/cluster-name":%q}}}`, namespace, name, cluster)
}

func list(rows ...string) string { return `{"items":[` + strings.Join(rows, ",") + `]}` }

// decodeKey is a decoder that keeps only where a row stands.
func decodeKey(r sql.Row) (sql.Key, sql.Key, error) {
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	err := json.Unmarshal(r.Raw, &o)
	k := sql.Key{Cluster: r.Cluster, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name, GVR: r.GVR}
	return k, k, err
}
