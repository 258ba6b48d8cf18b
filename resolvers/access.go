package resolvers

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// asked converts a verb and a resource to Kubernetes' form.
func asked(verb graph.AccessVerb, group, resource string) (string, schema.GroupResource, error) {
	if resource == "" || resource != strings.ToLower(resource) {
		return "", schema.GroupResource{}, model.BadInput("resource", "%q is not a resource as URLs have it, such as `deployments` or `deployments/scale`", resource)
	}
	return strings.ReplaceAll(strings.ToLower(string(verb)), "_", ""), schema.GroupResource{Group: group, Resource: resource}, nil
}

// rolesIn are the viewer's roles on an instance.
func rolesIn(ctx context.Context, instance string) []graph.ViewerRole {
	out := []graph.ViewerRole{}
	for _, held := range rbac.ScopeFrom(ctx).Roles() {
		if held.Instance == "" || held.Instance == instance {
			out = append(out, roleOf(held))
		}
	}
	return out
}

func roleOf(held rbac.Held) graph.ViewerRole {
	return graph.ViewerRole{Name: held.Role, Instance: optional(held.Instance), Namespaces: append([]string{}, held.Namespaces...)}
}
