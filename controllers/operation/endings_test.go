package operation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// What an operation made beside its own object is in the audit log, too, so that the story of each object tells of it; what was undone is not.
func TestEveryObjectThatWasMadeIsInTheAuditLog(t *testing.T) {
	now := metav1.NewTime(time.Unix(1, 0))
	o := &v1alpha1.Operation{}
	o.Name, o.UID = "promotion", "u"
	o.Spec = v1alpha1.OperationSpec{Kind: v1alpha1.OperationPromoteResource, Instance: "asia", Cluster: "osaka",
		Object: &v1alpha1.OperationObject{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}}
	in := func(where, apiVersion, kind, name string) v1alpha1.MadeObject {
		return v1alpha1.MadeObject{Where: where, APIVersion: apiVersion, Kind: kind, Namespace: "shop", Name: name}
	}
	o.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationSucceeded, FinishedAt: &now, Made: []v1alpha1.MadeObject{
		in(v1alpha1.MadeInInstance, "policy.karmada.io/v1alpha1", "PropagationPolicy", "web-deployment"), in(v1alpha1.MadeInInstance, "v1", "ConfigMap", "settings"),
		in(v1alpha1.MadeInInstance, "apps/v1", "Deployment", "web"), in(v1alpha1.MadeInHost, "v1", "Secret", "credential"),
	}}
	told := func() string {
		var said []string
		seen := map[string]bool{}
		for _, e := range endings(o) {
			said = append(said, fmt.Sprintf("%s %s/%s %s", e.Action, e.Object.Instance, e.Object.GVK.Kind, e.Object.Name))
			if seen[e.ID] {
				t.Errorf("two events have the id %s", e.ID)
			}
			seen[e.ID] = true
		}
		return strings.Join(said, ", ")
	}
	want := "promoteResource asia/Deployment web, promoteResource asia/PropagationPolicy web-deployment, promoteResource asia/ConfigMap settings"
	if got := told(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	o.Spec.Kind = v1alpha1.OperationJoinCluster
	if got := told(); got != "joinCluster asia/Deployment web" {
		t.Errorf("of what else is made for a cluster: %s", got)
	}
	o.Spec.Kind, o.Status.State = v1alpha1.OperationPromoteResource, v1alpha1.OperationFailed
	if got := told(); got != "promoteResource asia/Deployment web" {
		t.Errorf("of one that failed: %s", got)
	}
}
