package instance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Clusters returns the member clusters of an instance, by name. The error is UNAVAILABLE when Karmada's cluster API
// does not answer: old rows are not shown as if they were current. A control plane that is being provisioned has
// none.
func (f *Fleet) Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error) {
	e, err := f.entry(scope, instance)
	if err != nil {
		return nil, err
	}
	if e.provisioning() {
		return []*model.Cluster{}, nil
	}
	conn, err := e.connection()
	if err != nil {
		return nil, err
	}
	objects, err := conn.listClusters()
	if err != nil {
		return nil, err
	}
	out := make([]*model.Cluster, 0, len(objects))
	for _, c := range conn.models.of(instance, objects) {
		row := *c // rows of one operation are told apart by their addresses
		out = append(out, &row)
	}
	slices.SortFunc(out, func(a, b *model.Cluster) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Cluster returns one member cluster; nil when there is none. While Karmada does not answer it is as last known, with
// state UNKNOWN.
func (f *Fleet) Cluster(scope rbac.Scope, instance, name string) (*model.Cluster, error) {
	e, err := f.entry(scope, instance)
	if err != nil {
		return nil, err
	}
	if e.provisioning() {
		return nil, nil //nolint:nilnil // there is none
	}
	conn, err := e.connection()
	if err != nil {
		return nil, err
	}
	obj := conn.cluster(name)
	if obj == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	c := *conn.models.one(instance, obj)
	if err := conn.outdated(); err != nil {
		c.State, c.StateMessage, c.Schedulable = model.ClusterUnknown, conn.health.Load().clusterAPI, false
	}
	return &c, nil
}

// ClusterStates returns the clusters by name for propagation: as last known, with state UNKNOWN while Karmada does
// not answer. Nil when nothing was ever known.
func (f *Fleet) ClusterStates(scope rbac.Scope, instance string) map[string]*model.Cluster {
	conn, err := f.Connection(scope, instance)
	if err != nil || !conn.synced() {
		return nil
	}
	err = conn.outdated()
	known := conn.models.of(instance, conn.clusterList())
	out := make(map[string]*model.Cluster, len(known))
	for _, c := range known {
		if err != nil {
			unknown := *c
			unknown.State, unknown.StateMessage = model.ClusterUnknown, conn.health.Load().clusterAPI
			c = &unknown
		}
		out[c.Name] = c
	}
	return out
}

// ClusterObjects returns the clusters as Karmada has them, for what its own code is run on; UNAVAILABLE when they are not
// known. They must not be changed.
func (f *Fleet) ClusterObjects(scope rbac.Scope, instance string) ([]*clusterv1alpha1.Cluster, error) {
	e, err := f.entry(scope, instance)
	if err != nil {
		return nil, err
	}
	if e.provisioning() {
		return []*clusterv1alpha1.Cluster{}, nil
	}
	conn, err := e.connection()
	if err != nil {
		return nil, err
	}
	return conn.listClusters()
}

// notReachableReason is Karmada's reason for Ready=False when it cannot reach a member
// (pkg/controllers/status/cluster_status_controller.go).
const notReachableReason = "ClusterNotReachable"

// clusterModels is the clusters of an instance as the graph shows them, each made once for each version of its object.
// Nobody may change them.
type clusterModels struct {
	mu    sync.Mutex
	known map[*clusterv1alpha1.Cluster]*model.Cluster
}

// of is the models of all clusters. Those of objects that are not among them are forgotten.
func (m *clusterModels) of(instance string, objects []*clusterv1alpha1.Cluster) []*model.Cluster {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh, out := make(map[*clusterv1alpha1.Cluster]*model.Cluster, len(objects)), make([]*model.Cluster, len(objects))
	for i, o := range objects {
		if out[i] = m.known[o]; out[i] == nil {
			out[i] = ClusterModel(instance, o)
		}
		fresh[o] = out[i]
	}
	m.known = fresh
	return out
}

// one is the model of one cluster.
func (m *clusterModels) one(instance string, o *clusterv1alpha1.Cluster) *model.Cluster {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.known[o]; known != nil {
		return known
	}
	return ClusterModel(instance, o)
}

// DecodeCluster reads a Karmada Cluster from JSON.
func (f *Fleet) DecodeCluster(instance string, raw []byte) (*model.Cluster, error) {
	var o clusterv1alpha1.Cluster
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decode a cluster of instance %q: %w", instance, err)
	}
	return ClusterModel(instance, &o), nil
}

// ClusterModel makes the model of a Karmada Cluster.
func ClusterModel(instance string, o *clusterv1alpha1.Cluster) *model.Cluster {
	c := &model.Cluster{
		InstanceName:      instance,
		Name:              o.Name,
		UID:               string(o.UID),
		Region:            optional(o.Spec.Region),
		Zones:             append([]string{}, o.Spec.Zones...),
		Provider:          optional(o.Spec.Provider),
		Labels:            model.KeyValues(o.Labels),
		Taints:            taints(o.Spec.Taints),
		SyncMode:          model.ClusterSyncMode(strings.ToUpper(string(o.Spec.SyncMode))),
		APIEndpoint:       optional(o.Spec.APIEndpoint),
		KubernetesVersion: optional(o.Status.KubernetesVersion),
		CreatedAt:         o.CreationTimestamp.UTC(),
		Conditions:        conditions(o.Status.Conditions),
		APIEnablements:    enablements(o.Status.APIEnablements),
		Resources:         resources(o.Status.ResourceSummary),
	}
	if n := o.Status.NodeSummary; n != nil {
		c.Nodes = &model.NodeSummary{Total: int(n.TotalNum), Ready: int(n.ReadyNum)}
	}
	// Clusters of older Karmadas have only the singular field.
	if len(c.Zones) == 0 && o.Spec.Zone != "" {
		c.Zones = []string{o.Spec.Zone}
	}
	c.State, c.StateMessage = clusterState(o)
	c.Schedulable = c.State == model.ClusterReady && !slices.ContainsFunc(c.Taints, func(t model.Taint) bool { return t.Effect != model.TaintPreferNoSchedule })
	return c
}

// clusterState reads the Ready condition and nothing else.
func clusterState(o *clusterv1alpha1.Cluster) (model.ClusterState, string) {
	if !o.DeletionTimestamp.IsZero() {
		return model.ClusterRemoving, "being unjoined"
	}
	ready := meta.FindStatusCondition(o.Status.Conditions, clusterv1alpha1.ClusterConditionReady)
	switch {
	case ready == nil:
		return model.ClusterJoining, "has not reported yet"
	case ready.Status == "True":
		return model.ClusterReady, ""
	case ready.Status == "False" && ready.Reason == notReachableReason:
		return model.ClusterOffline, ready.Message
	case ready.Status == "False":
		return model.ClusterNotReady, ready.Message
	}
	return model.ClusterUnknown, ready.Message
}

func taints(in []corev1.Taint) []model.Taint {
	effects := map[corev1.TaintEffect]model.TaintEffect{
		corev1.TaintEffectNoSchedule:       model.TaintNoSchedule,
		corev1.TaintEffectPreferNoSchedule: model.TaintPreferNoSchedule,
		corev1.TaintEffectNoExecute:        model.TaintNoExecute,
	}
	out := make([]model.Taint, 0, len(in))
	for _, t := range in {
		if effect, ok := effects[t.Effect]; ok {
			out = append(out, model.Taint{Key: t.Key, Value: t.Value, Effect: effect})
		}
	}
	return out
}

func enablements(in []clusterv1alpha1.APIEnablement) []model.APIEnablement {
	out := make([]model.APIEnablement, 0, len(in))
	for _, e := range in {
		kinds := make([]string, 0, len(e.Resources))
		for _, r := range e.Resources {
			kinds = append(kinds, r.Kind)
		}
		out = append(out, model.APIEnablement{GroupVersion: e.GroupVersion, Kinds: kinds})
	}
	return out
}

func resources(in *clusterv1alpha1.ResourceSummary) *model.ResourceSummary {
	if in == nil {
		return nil
	}
	return &model.ResourceSummary{
		Allocatable: amounts(in.Allocatable), Allocated: amounts(in.Allocated), Allocating: amounts(in.Allocating),
	}
}

func amounts(list corev1.ResourceList) model.ResourceAmounts {
	cpu, memory, pods := list[corev1.ResourceCPU], list[corev1.ResourceMemory], list[corev1.ResourcePods]
	return model.ResourceAmounts{CPU: cpuAmount(cpu), Memory: memoryAmount(memory), Pods: int(pods.Value())}
}

func cpuAmount(q resource.Quantity) model.CPUAmount {
	return model.CPUAmount{Cores: float64(q.MilliValue()) / 1000, Quantity: q.String()}
}

func memoryAmount(q resource.Quantity) model.MemoryAmount {
	return model.MemoryAmount{Bytes: float64(q.Value()), Quantity: q.String()}
}
