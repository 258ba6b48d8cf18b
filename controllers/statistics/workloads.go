package statistics

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
)

// kind is a kind of object that is counted. Every object counts, whatever its namespace and whoever made it, as with
// `kubectl get --all-namespaces`.
type kind struct {
	name  string
	watch *connection.Watch
}

var workloads, policies = workloadKinds(), policyKinds()

func workloadKinds() []kind {
	var out []kind
	for _, k := range model.WorkloadKinds {
		out = append(out, kind{name: k.GVK().Kind, watch: &connection.Watch{
			Resource: k.GVR(),
			Keep:     func(o connection.Object) (connection.Object, error) { return digestOf(o, ready(k, o)), nil },
		}})
	}
	return out
}

func policyKinds() []kind {
	var out []kind
	for _, k := range []struct{ name, resource string }{
		{"ClusterOverridePolicy", "clusteroverridepolicies"},
		{"ClusterPropagationPolicy", "clusterpropagationpolicies"},
		{"OverridePolicy", "overridepolicies"},
		{"PropagationPolicy", "propagationpolicies"},
	} {
		out = append(out, kind{name: k.name, watch: &connection.Watch{
			Resource:     schema.GroupVersionResource{Group: model.PolicyGroup, Version: model.PolicyVersion, Resource: k.resource},
			MetadataOnly: true,
			Keep:         func(o connection.Object) (connection.Object, error) { return digestOf(o, false), nil },
		}})
	}
	return out
}

// digest is what is held of a workload or a policy: its identity and readiness. There may be very many of them.
type digest struct {
	metav1.ObjectMeta

	ready bool
}

func digestOf(o connection.Object, ready bool) *digest {
	return &digest{ready: ready, ObjectMeta: metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(),
	}}
}

// GetObjectKind is for runtime.Object. The watch knows the kind.
func (d *digest) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for runtime.Object.
func (d *digest) DeepCopyObject() runtime.Object {
	c := *d
	d.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// readinessChanged ignores every other change of a workload.
func readinessChanged(before, after connection.Object) bool {
	return isReady(before) != isReady(after)
}

// never is for what is only counted: only creation and deletion change the number.
func never(connection.Object, connection.Object) bool { return false }

func isReady(o connection.Object) bool {
	d, ok := o.(*digest)
	return ok && d.ready
}

// tally counts workloads.
func tally(objects []connection.Object) v1alpha1.ReadyCount {
	var ready int64
	for _, o := range objects {
		if isReady(o) {
			ready++
		}
	}
	return v1alpha1.ReadyCount{Total: bounded(int64(len(objects))), Ready: bounded(ready)}
}

// template is what decides whether a workload is ready. The status is what Karmada summed up over the
// members.
type template struct {
	Spec struct {
		Replicas *int32 `json:"replicas"`
		Suspend  bool   `json:"suspend"`
	} `json:"spec"`
	Status struct {
		ObservedGeneration int64 `json:"observedGeneration"`

		Replicas            int32 `json:"replicas"`
		UpdatedReplicas     int32 `json:"updatedReplicas"`
		ReadyReplicas       int32 `json:"readyReplicas"`
		UnavailableReplicas int32 `json:"unavailableReplicas"`

		DesiredNumberScheduled int32 `json:"desiredNumberScheduled"`
		UpdatedNumberScheduled int32 `json:"updatedNumberScheduled"`
		NumberReady            int32 `json:"numberReady"`

		Conditions []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

// ready reports whether a workload is ready, as api/v1alpha1 documents it. It applies the test by which
// Karmada judges the health of each member's part to the sum of all. One that is being deleted is not
// ready, and neither is one that cannot be read.
func ready(k model.WorkloadKind, o connection.Object) bool {
	u, ok := o.(*unstructured.Unstructured)
	if !ok || o.GetDeletionTimestamp() != nil {
		return false
	}
	var t template
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &t); err != nil {
		return false
	}
	s := t.Status
	switch k {
	case model.KindDeployment:
		// Replicas that could not even be made show up as unavailable only.
		return s.ObservedGeneration >= o.GetGeneration() && replicasReady(&t) && s.UnavailableReplicas == 0
	case model.KindStatefulSet:
		// Karmada v1.18 does not update observedGeneration: members do not report theirs.
		return replicasReady(&t)
	case model.KindDaemonSet:
		// With nothing desired it looks like one that was not sent anywhere.
		return s.ObservedGeneration >= o.GetGeneration() && s.DesiredNumberScheduled > 0 &&
			s.UpdatedNumberScheduled >= s.DesiredNumberScheduled && s.NumberReady >= s.DesiredNumberScheduled
	case model.KindJob:
		for _, c := range s.Conditions {
			if c.Type == "Complete" && c.Status == "True" {
				return true
			}
		}
		return false
	case model.KindCronJob:
		return !t.Spec.Suspend
	}
	return false
}

// replicasReady says that every replica is ready and of the latest revision. Where a policy copies the
// replicas to several members, there are more of them than the template asks for.
func replicasReady(t *template) bool {
	want := int32(1) // the API server's default
	if t.Spec.Replicas != nil {
		want = *t.Spec.Replicas
	}
	want = max(want, t.Status.Replicas)
	return t.Status.ReadyReplicas >= want && t.Status.UpdatedReplicas >= want
}
