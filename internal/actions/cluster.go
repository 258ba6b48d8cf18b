package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// clusterKind is Karmada's object for a member, and secretKind what holds its credentials.
var (
	clusterKind = schema.GroupVersionKind{Group: "cluster.karmada.io", Version: "v1alpha1", Kind: "Cluster"}
	secretKind  = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
)

// OnCluster is what actions on one member cluster have in common.
type OnCluster struct {
	// ID is the global id of the cluster.
	ID string
	// UID is the expected UID of Karmada's object; empty for any of that name.
	UID    string
	DryRun bool
}

// Target returns Karmada's object for the member.
func (a *OnCluster) Target(auth.Principal) (Target, error) {
	id, err := model.ParseID(a.ID)
	if err == nil && !id.IsCluster() {
		err = model.BadInput("id", "is not the id of a member cluster")
	}
	return Target{Ref: model.Ref{Instance: id.Ref.Instance, GVK: clusterKind, Name: id.Ref.Cluster}, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves the decision to Karmada.
func (a *OnCluster) Allowed(*Call) error { return nil }

// edit changes Karmada's object for the member, and returns it as Karmada returned it.
func (a *OnCluster) edit(ctx context.Context, call *Call, change func(object map[string]any) error) (*model.Cluster, error) {
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID}, change)
	if refused := (*karmada.Refused)(nil); errors.As(err, &refused) && len(refused.Field) > 1 && refused.Field[1] == "taints" {
		refused.Field = []string{"input", "taints"}
	}
	if err != nil {
		return nil, err
	}
	c, err := call.Fleet.DecodeCluster(call.Target.Ref.Instance, raw)
	if err != nil {
		return nil, fmt.Errorf("decode cluster %q: %w", call.Target.Ref.Name, err)
	}
	if !a.DryRun {
		call.awaitCluster(ctx, call.Target.Ref.Name, raw)
	}
	return c, nil
}

// introduce waits for a moment until a member knows the viewer, whose rights there may come from a group: members know people by name.
func (c *Call) introduce(ctx context.Context, cluster string) error {
	conn, err := c.Connect(c.Scope, c.Target.Ref.Instance)
	if err != nil {
		return err
	}
	introducing, ok := conn.(interface {
		Introduce(ctx context.Context, p auth.Principal, cfg *rest.Config)
	})
	if !ok {
		return nil
	}
	cfg, err := conn.As(c.Acting())
	if err != nil {
		return err
	}
	cfg.Host += "/apis/cluster.karmada.io/v1alpha1/clusters/" + url.PathEscape(cluster) + "/proxy"
	introducing.Introduce(ctx, c.Acting(), cfg)
	return nil
}

// awaitCluster waits for a moment until the cluster is read as it was written: clusters are read from a watch.
func (c *Call) awaitCluster(ctx context.Context, name string, raw []byte) {
	conn, err := c.Connect(c.Scope, c.Target.Ref.Instance)
	watching, ok := conn.(interface {
		AwaitCluster(ctx context.Context, name, version string)
	})
	var written struct {
		Metadata struct{ ResourceVersion string }
	}
	if err == nil && ok && json.Unmarshal(raw, &written) == nil {
		watching.AwaitCluster(ctx, name, written.Metadata.ResourceVersion)
	}
}

// Again returns the cluster as it is now.
func (a *OnCluster) Again(ctx context.Context, call *Call, _ []byte) (*model.Cluster, error) {
	raw, err := call.read(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	return call.Fleet.DecodeCluster(call.Target.Ref.Instance, raw)
}
