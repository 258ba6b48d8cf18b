package standin

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	admissionv1 "k8s.io/api/admissionregistration/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

// workloadNamespace holds the workloads.
const workloadNamespace = "shop"

// fill makes the objects that a Karmada holds.
func (k *Karmada) fill(content Content) error {
	for _, name := range []string{"default", "kube-system", "kube-public", "karmada-system", "karmada-cluster", workloadNamespace} {
		if err := k.keep("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}); err != nil {
			return err
		}
	}
	for _, l := range []struct{ namespace, name string }{
		{"karmada-system", "karmada-scheduler"}, {"karmada-system", "karmada-controller-manager"}, {"kube-system", "kube-controller-manager"},
	} {
		if err := k.keep("leases", lease(l.namespace, l.name)); err != nil {
			return err
		}
	}
	if err := k.keep("mutatingwebhookconfigurations", webhook()); err != nil {
		return err
	}
	for i := range content.Clusters {
		if err := k.keep("clusters", k.cluster(i)); err != nil {
			return err
		}
	}
	for i := range content.Workloads {
		if err := k.keep("deployments", deployment(i)); err != nil {
			return err
		}
		if err := k.keep("propagationpolicies", policy(i)); err != nil {
			return err
		}
		if !content.Bound {
			continue
		}
		if err := k.keep("resourcebindings", binding(i, min(10, content.Clusters))); err != nil {
			return err
		}
	}
	return nil
}

func (k *Karmada) keep(plural string, o metav1.Object) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("writing %s %q: %w", plural, o.GetName(), err)
	}
	var content map[string]any
	if err := json.Unmarshal(raw, &content); err != nil {
		return fmt.Errorf("reading %s %q: %w", plural, o.GetName(), err)
	}
	_, err = k.control.update(named(plural), keyOf(o.GetNamespace(), o.GetName()), func(map[string]any) (map[string]any, error) { return content, nil })
	return err
}

// Keep adds an object to the control plane as it is, as JSON with its own resource version; nobody who watches is told. It is
// for many objects at once, before anybody reads.
func (k *Karmada) Keep(gvr schema.GroupVersionResource, raw []byte) error {
	r, ok := find(gvr)
	if !ok {
		return fmt.Errorf("a stand-in serves no %s", gvr)
	}
	var head metav1.PartialObjectMetadata
	if err := json.Unmarshal(raw, &head); err != nil {
		return fmt.Errorf("reading the metadata of a %s: %w", r.kind, err)
	}
	k.control.keep(r.GroupResource(), &object{key: keyOf(head.Namespace, head.Name), labels: head.Labels, raw: raw})
	return nil
}

// clusterName is the name of a member by its number.
func clusterName(i int) string { return fmt.Sprintf("member-%02d", i+1) }

// AddNode adds a ready node to a member, as Karmada reports it.
func (k *Karmada) AddNode(member int) error {
	_, err := k.control.update(named("clusters"), keyOf("", clusterName(member)), func(content map[string]any) (map[string]any, error) {
		status, _ := content["status"].(map[string]any)
		nodes, ok := status["nodeSummary"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("there is no member %q: %w", clusterName(member), errNotFound)
		}
		for _, name := range []string{"totalNum", "readyNum"} {
			n, _ := nodes[name].(float64)
			nodes[name] = n + 1
		}
		return content, nil
	})
	return err
}

func lease(namespace, name string) *coordinationv1.Lease {
	l := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	l.Spec.HolderIdentity = ptr.To(name + "-0_3f1c")
	l.Spec.LeaseDurationSeconds = ptr.To(int32(15))
	mark, _ := time.Parse(time.RFC3339Nano, leaseMark)
	l.Spec.RenewTime = &metav1.MicroTime{Time: mark}
	return l
}

// webhook returns the configuration by which Karmada's webhook sees policies.
func webhook() *admissionv1.MutatingWebhookConfiguration {
	return &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "mutating-config"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "propagationpolicy.karmada.io", FailurePolicy: ptr.To(admissionv1.Fail), SideEffects: ptr.To(admissionv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
				Rule: admissionv1.Rule{
					APIGroups: []string{policyv1alpha1.GroupName}, APIVersions: []string{"*"},
					Resources: []string{policyv1alpha1.ResourcePluralPropagationPolicy}, Scope: ptr.To(admissionv1.NamespacedScope),
				},
			}},
		}},
	}
}

// cluster is a member of 12 nodes, as Karmada shows it: with the APIs that it serves and the models of its
// free resources, which are most of what comes over the wire.
func (k *Karmada) cluster(i int) *clusterv1alpha1.Cluster {
	const nodes, cores, gibibytes = 12, 16, 64
	name := clusterName(i)
	at := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
	amounts := func(share float64) corev1.ResourceList {
		return corev1.ResourceList{
			corev1.ResourceCPU:              *apiresource.NewMilliQuantity(int64(share*nodes*cores*1000), apiresource.DecimalSI),
			corev1.ResourceMemory:           *apiresource.NewQuantity(int64(share*nodes*gibibytes*(1<<30)), apiresource.BinarySI),
			corev1.ResourcePods:             *apiresource.NewQuantity(int64(share*nodes*110), apiresource.DecimalSI),
			corev1.ResourceEphemeralStorage: *apiresource.NewQuantity(int64(share*nodes*100*(1<<30)), apiresource.BinarySI),
		}
	}
	c := &clusterv1alpha1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"region": "r" + strconv.Itoa(i%4)}, Finalizers: []string{"karmada.io/cluster-controller"}},
		Spec: clusterv1alpha1.ClusterSpec{
			ID: fmt.Sprintf("%08d-0000-4000-8000-%012d", k.number, i), SyncMode: clusterv1alpha1.Push,
			APIEndpoint: fmt.Sprintf("https://10.%d.%d.%d:6443", k.number/250, k.number%250, i+1), Region: "r" + strconv.Itoa(i%4),
			SecretRef:             &clusterv1alpha1.LocalSecretReference{Namespace: "karmada-cluster", Name: name},
			ImpersonatorSecretRef: &clusterv1alpha1.LocalSecretReference{Namespace: "karmada-cluster", Name: name + "-impersonator"},
		},
		Status: clusterv1alpha1.ClusterStatus{
			KubernetesVersion: "v1.35.0", APIEnablements: enablements,
			Conditions: []metav1.Condition{
				{Type: clusterv1alpha1.ClusterConditionReady, Status: metav1.ConditionTrue, Reason: "ClusterReady", Message: "cluster is healthy and ready to accept workloads", LastTransitionTime: at},
				{Type: clusterv1alpha1.ClusterConditionCompleteAPIEnablements, Status: metav1.ConditionTrue, Reason: "Complete", Message: "collected the complete list of APIs", LastTransitionTime: at},
			},
			NodeSummary:     &clusterv1alpha1.NodeSummary{TotalNum: nodes, ReadyNum: nodes},
			ResourceSummary: &clusterv1alpha1.ResourceSummary{Allocatable: amounts(1), Allocated: amounts(0.5)},
		},
	}
	for grade := range uint(9) {
		least := int64(1) << grade
		c.Spec.ResourceModels = append(c.Spec.ResourceModels, clusterv1alpha1.ResourceModel{Grade: grade, Ranges: []clusterv1alpha1.ResourceModelRange{
			{Name: corev1.ResourceCPU, Min: *apiresource.NewQuantity(least, apiresource.DecimalSI), Max: *apiresource.NewQuantity(2*least, apiresource.DecimalSI)},
			{Name: corev1.ResourceMemory, Min: *apiresource.NewQuantity(4*least<<30, apiresource.BinarySI), Max: *apiresource.NewQuantity(8*least<<30, apiresource.BinarySI)},
		}})
		c.Status.ResourceSummary.AllocatableModelings = append(c.Status.ResourceSummary.AllocatableModelings, clusterv1alpha1.AllocatableModeling{Grade: grade, Count: int(grade) % 3})
	}
	return c
}

// enablements are the APIs of an ordinary cluster with some add-ons.
var enablements = func() []clusterv1alpha1.APIEnablement {
	var out []clusterv1alpha1.APIEnablement
	add := func(gv string, kinds ...string) {
		e := clusterv1alpha1.APIEnablement{GroupVersion: gv}
		for _, kind := range kinds {
			e.Resources = append(e.Resources, clusterv1alpha1.APIResource{Name: kind + "s", Kind: kind})
		}
		out = append(out, e)
	}
	byGroup := map[schema.GroupVersion][]string{}
	var order []schema.GroupVersion
	for _, r := range served {
		if byGroup[r.GroupVersion()] == nil {
			order = append(order, r.GroupVersion())
		}
		byGroup[r.GroupVersion()] = append(byGroup[r.GroupVersion()], r.kind)
	}
	for _, gv := range order {
		add(gv.String(), byGroup[gv]...)
	}
	for addon := range 12 {
		add(fmt.Sprintf("addon-%d.example.io/v1", addon), "Thing", "OtherThing", "Configuration", "Policy")
	}
	return out
}()

func deployment(i int) *appsv1.Deployment {
	const replicas = int32(3)
	name := fmt.Sprintf("web-%03d", i)
	labels := map[string]string{"app": name, "app.kubernetes.io/part-of": "shop"}
	at := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: workloadNamespace, Name: name, Labels: labels,
			Annotations: map[string]string{"deployment.kubernetes.io/revision": "1", policyv1alpha1.PropagationPolicyNameAnnotation: name},
		},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(replicas), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name: "web", Image: "registry.example/shop/web:1.27", ImagePullPolicy: corev1.PullIfNotPresent,
				Ports: []corev1.ContainerPort{{ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
				Env:   []corev1.EnvVar{{Name: "REGION", Value: "eu"}, {Name: "LOG_LEVEL", Value: "info"}},
				Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
					corev1.ResourceCPU: apiresource.MustParse("100m"), corev1.ResourceMemory: apiresource.MustParse("128Mi"),
				}},
			}}}},
		},
		Status: appsv1.DeploymentStatus{
			ObservedGeneration: 1, Replicas: replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
			Conditions: []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable", LastUpdateTime: at, LastTransitionTime: at}},
		},
	}
}

// binding is that of a Deployment in the first clusters, in all of which it is well.
func binding(i, clusters int) *workv1alpha2.ResourceBinding {
	const replicas = 2
	name := fmt.Sprintf("web-%03d", i)
	at := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
	b := &workv1alpha2.ResourceBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: workloadNamespace, Name: name + "-deployment", Labels: map[string]string{workv1alpha2.ResourceBindingPermanentIDLabel: name}},
		Spec: workv1alpha2.ResourceBindingSpec{
			Resource: workv1alpha2.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: workloadNamespace, Name: name}, Replicas: int32(clusters * replicas), // #nosec G115 -- ten clusters at most
		},
		Status: workv1alpha2.ResourceBindingStatus{
			SchedulerObservedGeneration: 1, LastScheduledTime: &at,
			Conditions: []metav1.Condition{
				{Type: workv1alpha2.Scheduled, Status: metav1.ConditionTrue, Reason: "Success", Message: "Binding has been scheduled successfully.", LastTransitionTime: at},
				{Type: workv1alpha2.FullyApplied, Status: metav1.ConditionTrue, Reason: "FullyAppliedSuccess", Message: "All works have been successfully applied", LastTransitionTime: at},
			},
		},
	}
	for c := range clusters {
		b.Spec.Clusters = append(b.Spec.Clusters, workv1alpha2.TargetCluster{Name: clusterName(c), Replicas: replicas})
		b.Status.AggregatedStatus = append(b.Status.AggregatedStatus, workv1alpha2.AggregatedStatusItem{
			ClusterName: clusterName(c), Applied: true, Health: workv1alpha2.ResourceHealthy,
			Status: &runtime.RawExtension{Raw: []byte(`{"availableReplicas":2,"generation":1,"observedGeneration":1,"readyReplicas":2,"replicas":2,"resourceTemplateGeneration":1,"updatedReplicas":2}`)},
		})
	}
	return b
}

func policy(i int) *policyv1alpha1.PropagationPolicy {
	name := fmt.Sprintf("web-%03d", i)
	return &policyv1alpha1.PropagationPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: workloadNamespace, Name: name},
		Spec: policyv1alpha1.PropagationSpec{
			ResourceSelectors: []policyv1alpha1.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment", Name: name}},
			Placement:         policyv1alpha1.Placement{ClusterAffinity: &policyv1alpha1.ClusterAffinity{ClusterNames: []string{clusterName(0), clusterName(1)}}},
		},
	}
}
