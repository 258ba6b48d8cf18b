package statistics

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// member is a Cluster as Karmada reports one, with allocatable and allocated CPU and memory.
func member(ready metav1.ConditionStatus, nodes, nodesReady int32, amounts ...string) *clusterv1alpha1.Cluster {
	c := &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: "member"}}
	c.Status.Conditions = []metav1.Condition{{Type: clusterv1alpha1.ClusterConditionReady, Status: ready}}
	c.Status.NodeSummary = &clusterv1alpha1.NodeSummary{TotalNum: nodes, ReadyNum: nodesReady}
	if len(amounts) == 4 {
		c.Status.ResourceSummary = &clusterv1alpha1.ResourceSummary{
			Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amounts[0]), corev1.ResourceMemory: resource.MustParse(amounts[2])},
			Allocated:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amounts[1]), corev1.ResourceMemory: resource.MustParse(amounts[3])},
			Allocating:  corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1000")},
		}
	}
	return c
}

// texts is the numbers of members as they are written.
type texts struct {
	Clusters, Nodes                                                  v1alpha1.ReadyCount
	CPUAllocatable, CPUAllocated, MemoryAllocatable, MemoryAllocated string
}

func textsOf(s *v1alpha1.InstanceStatistics) texts {
	return texts{
		s.Clusters, s.Nodes, s.CPU.Allocatable.String(), s.CPU.Allocated.String(), s.Memory.Allocatable.String(), s.Memory.Allocated.String(),
	}
}

func TestMembersAreSummedUp(t *testing.T) {
	type count = v1alpha1.ReadyCount
	for name, tt := range map[string]struct {
		members []connection.Object
		want    texts
	}{
		"none": {nil, texts{CPUAllocatable: "0", CPUAllocated: "0", MemoryAllocatable: "0", MemoryAllocated: "0"}},
		"one": {
			[]connection.Object{member(metav1.ConditionTrue, 3, 2, "12", "1500m", "48Gi", "300Mi")},
			texts{count{Total: 1, Ready: 1}, count{Total: 3, Ready: 2}, "12", "1500m", "48Gi", "300Mi"},
		},
		"several, each in its own way of writing": {
			[]connection.Object{
				member(metav1.ConditionTrue, 3, 3, "11500m", "0", "16417636Ki", "0"),
				member(metav1.ConditionTrue, 1, 1, "500m", "250m", "1e9", "1G"),
				member(metav1.ConditionTrue, 2, 1, "8", "1.75", "2147483648", "1Gi"),
			},
			texts{count{Total: 3, Ready: 3}, count{Total: 6, Ready: 5}, "20", "2", "19959142912", "2073741824"},
		},
		"one that does not answer counts with what it reported last": {
			[]connection.Object{
				member(metav1.ConditionTrue, 3, 3, "12", "1", "48Gi", "1Gi"),
				member(metav1.ConditionUnknown, 2, 2, "8", "1", "32Gi", "1Gi"),
				member(metav1.ConditionFalse, 1, 0, "4", "1", "16Gi", "1Gi"),
			},
			texts{count{Total: 3, Ready: 1}, count{Total: 6, Ready: 5}, "24", "3", "96Gi", "3Gi"},
		},
		"one that never reported adds itself": {
			[]connection.Object{member(metav1.ConditionTrue, 3, 3, "12", "1", "48Gi", "1Gi"), &clusterv1alpha1.Cluster{}},
			texts{count{Total: 2, Ready: 1}, count{Total: 3, Ready: 3}, "12", "1", "48Gi", "1Gi"},
		},
		"more than the API can say": {
			[]connection.Object{
				member(metav1.ConditionTrue, math.MaxInt32, math.MaxInt32, "9223372036854775807", "0", "9223372036854775807", "0"),
				member(metav1.ConditionTrue, math.MaxInt32, -5, "1", "0", "1", "0"),
			},
			texts{count{Total: 2, Ready: 2}, count{Total: math.MaxInt32, Ready: math.MaxInt32 - 5}, "9223372036854775808", "0", "8Ei", "0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, textsOf(sum(tt.members))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			slices.Reverse(tt.members)
			if diff := cmp.Diff(tt.want, textsOf(sum(tt.members))); diff != "" {
				t.Errorf("the other way round (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAHeartbeatOfAMemberIsNoChange(t *testing.T) {
	base := func() *clusterv1alpha1.Cluster {
		return member(metav1.ConditionTrue, 3, 2, "12", "1500m", "48Gi", "300Mi")
	}
	for name, tt := range map[string]struct {
		edit func(*clusterv1alpha1.Cluster)
		want bool
	}{
		"nothing": {func(*clusterv1alpha1.Cluster) {}, false},
		"a heartbeat": {func(c *clusterv1alpha1.Cluster) {
			c.ResourceVersion, c.Status.Conditions[0].LastTransitionTime = "2", metav1.Now()
		}, false},
		"another reason":     {func(c *clusterv1alpha1.Cluster) { c.Status.Conditions[0].Reason = "ClusterReady" }, false},
		"another version":    {func(c *clusterv1alpha1.Cluster) { c.Status.KubernetesVersion = "v1.36.0" }, false},
		"a label":            {func(c *clusterv1alpha1.Cluster) { c.Labels = map[string]string{"a": "b"} }, false},
		"what pods wait for": {func(c *clusterv1alpha1.Cluster) { c.Status.ResourceSummary.Allocating = nil }, false},
		"another writing": {func(c *clusterv1alpha1.Cluster) {
			c.Status.ResourceSummary.Allocatable[corev1.ResourceCPU] = resource.MustParse("12000m")
		}, false},
		"not ready":    {func(c *clusterv1alpha1.Cluster) { c.Status.Conditions[0].Status = metav1.ConditionUnknown }, true},
		"a node":       {func(c *clusterv1alpha1.Cluster) { c.Status.NodeSummary.TotalNum++ }, true},
		"a ready node": {func(c *clusterv1alpha1.Cluster) { c.Status.NodeSummary.ReadyNum++ }, true},
		"allocatable CPU": {func(c *clusterv1alpha1.Cluster) {
			c.Status.ResourceSummary.Allocatable[corev1.ResourceCPU] = resource.MustParse("13")
		}, true},
		"allocated CPU": {func(c *clusterv1alpha1.Cluster) {
			c.Status.ResourceSummary.Allocated[corev1.ResourceCPU] = resource.MustParse("1501m")
		}, true},
		"allocatable memory": {func(c *clusterv1alpha1.Cluster) {
			c.Status.ResourceSummary.Allocatable[corev1.ResourceMemory] = resource.MustParse("49Gi")
		}, true},
		"allocated memory": {func(c *clusterv1alpha1.Cluster) {
			c.Status.ResourceSummary.Allocated[corev1.ResourceMemory] = resource.MustParse("1Mi")
		}, true},
		"all of its status":   {func(c *clusterv1alpha1.Cluster) { c.Status = clusterv1alpha1.ClusterStatus{} }, true},
		"its summary of pods": {func(c *clusterv1alpha1.Cluster) { c.Status.ResourceSummary = nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			after := base()
			tt.edit(after)
			if got := clusterChanged(base(), after); got != tt.want {
				t.Errorf("changed: got %v, want %v", got, tt.want)
			}
		})
	}
}

// FuzzSum holds the sums against arithmetic on whole numbers: they lose nothing, and read the same in
// whatever order and way of writing their parts come.
func FuzzSum(f *testing.F) {
	f.Add(int64(12_000), int64(500), int64(250), uint8(0))
	f.Add(int64(0), int64(0), int64(0), uint8(1))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), int64(1), uint8(2))
	f.Add(int64(1<<40), int64(1<<30), int64(1<<10), uint8(3))
	f.Add(int64(1024), int64(1_000_000), int64(999), uint8(7))
	f.Fuzz(func(t *testing.T, a, b, c int64, writing uint8) {
		formats := []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent}
		want := new(big.Int)
		var members []connection.Object
		for i, n := range []int64{a, b, c} {
			n = max(n, 0)
			want.Add(want, big.NewInt(n))
			format := formats[(int(writing)+i)%len(formats)]
			cpu, memory := *resource.NewMilliQuantity(n, format), *resource.NewQuantity(n, format)
			if writing%2 == 1 {
				// As it comes from an API server.
				cpu, memory = resource.MustParse(cpu.String()), resource.MustParse(memory.String())
				if cpu.Cmp(*resource.NewMilliQuantity(n, format)) != 0 {
					t.Skip("a binary quantity has no thousandths")
				}
			}
			member := member(metav1.ConditionTrue, 1, 1)
			member.Status.ResourceSummary = &clusterv1alpha1.ResourceSummary{
				Allocatable: corev1.ResourceList{corev1.ResourceCPU: cpu, corev1.ResourceMemory: memory},
			}
			members = append(members, member)
		}
		numbers := sum(members)
		if got := rational(t, numbers.Memory.Allocatable); got.Cmp(new(big.Rat).SetInt(want)) != 0 {
			t.Errorf("memory: got %s, want %s", got.RatString(), want)
		}
		if got := rational(t, numbers.CPU.Allocatable); got.Cmp(new(big.Rat).SetFrac(want, big.NewInt(1000))) != 0 {
			t.Errorf("CPU: got %s, want %s thousandths", got.RatString(), want)
		}
		for _, order := range [][]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			other := sum([]connection.Object{members[order[0]], members[order[1]], members[order[2]]})
			if diff := cmp.Diff(textsOf(numbers), textsOf(other)); diff != "" {
				t.Errorf("in the order %v (-want +got):\n%s", order, diff)
			}
		}
	})
}

func rational(t *testing.T, q resource.Quantity) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(q.AsDec().String())
	if !ok {
		t.Fatalf("%s is no number", q.String())
	}
	return r
}
