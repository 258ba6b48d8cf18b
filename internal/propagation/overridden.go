package propagation

import (
	"fmt"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
)

// Overridden is what Karmada sends of an object to a cluster: its template, JSON, with the replicas that the cluster has, nil for
// kinds that have none, changed by the rules one after the other. The error is about the first rule that does not fit.
func Overridden(ref model.Ref, template []byte, replicas *int32, rules []policyv1alpha1.Overriders) ([]byte, error) {
	d, err := decodeDocument(template)
	if err != nil {
		return nil, fmt.Errorf("read template %s: %w", qualified(ref), err)
	}
	// Rows of lists lack their kind, by which overriders find the containers.
	d["apiVersion"], d["kind"] = ref.APIVersion(), ref.GVK.Kind
	delete(d, "status")
	revise(d, replicas)
	texts := newTextBudget()
	for i := range rules {
		if _, err := d.override(&rules[i], texts); err != nil {
			return d.encode(), err
		}
	}
	return d.encode(), nil
}
