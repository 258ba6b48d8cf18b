package actions

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/propagation"
)

// OnResource is what actions on one object of a control plane have in common.
type OnResource struct {
	// ID is the global id of the object.
	ID string
	// UID is the expected UID of the object; empty for any object of that name.
	UID    string
	DryRun bool
}

// Target returns the object.
func (a *OnResource) Target(auth.Principal) (Target, error) {
	id, err := model.ParseID(a.ID)
	t := Target{Ref: id.Ref, Field: "id", DryRun: a.DryRun}
	switch {
	case err != nil:
		return t, err
	case id.IsInstance():
		return t, model.BadInput("id", "is the id of an instance: see updateInstance and deleteInstance")
	case id.IsCluster():
		return t, model.BadInput("id", "is the id of a member cluster: see updateCluster and unjoinCluster")
	case !id.IsObject():
		return t, model.BadInput("id", "is not the id of an object of a control plane: see cancelOperation for operations and revokeAccess for access bindings")
	case id.Ref.Cluster != "":
		return t, model.BadInput("id", "is the id of an object in cluster %q: Karmada writes to members; change the template of it", id.Ref.Cluster)
	}
	return t, nil
}

// Allowed leaves the decision to Karmada.
func (a *OnResource) Allowed(*Call) error { return nil }

// differences are those between two versions of an object that mean something: not the API server's own notes. Values of
// Secrets are masked; nil when they cannot be compared.
func differences(ref model.Ref, from, to []byte) []model.FieldChange {
	masked := [2]any{}
	for i, raw := range [][]byte{from, to} {
		hidden, err := objects.Mask(ref.GVK.GroupKind(), raw)
		if err != nil {
			return nil
		}
		d := json.NewDecoder(bytes.NewReader(hidden))
		d.UseNumber()
		var object map[string]any
		if d.Decode(&object) != nil {
			return nil
		}
		delete(object, "apiVersion") // items of lists are without
		delete(object, "kind")
		if metadata, ok := object["metadata"].(map[string]any); ok {
			for _, own := range []string{"managedFields", "resourceVersion", "generation"} {
				delete(metadata, own)
			}
		}
		masked[i] = object
	}
	return objects.DiffValues(masked[0], masked[1])
}

// decoded is the object as Karmada returned it.
func decoded(ref model.Ref, raw []byte) (model.KubernetesObject, error) {
	return propagation.Decode(ref.GVK, ref.Instance, ref.Cluster, raw)
}

// now returns the object as it is now.
func (a *OnResource) now(ctx context.Context, call *Call) (model.KubernetesObject, error) {
	raw, err := call.read(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	return decoded(call.Target.Ref, raw)
}
