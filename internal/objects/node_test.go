package objects

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeNode(t *testing.T) {
	const raw = `{
		"metadata":{"name":"tokyo-1","uid":"n1","resourceVersion":"5","creationTimestamp":"2025-06-01T12:00:00Z",
			"labels":{"node-role.kubernetes.io/worker":"","node-role.kubernetes.io/control-plane":"","kubernetes.io/role":"edge","node-role.kubernetes.io/":"x"}},
		"spec":{"unschedulable":true,"taints":[
			{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"},{"key":"spot","value":"yes","effect":"PreferNoSchedule"},{"key":"old","effect":"NoExecute"},
			{"key":"new","effect":"SomethingNew"}]},
		"status":{
			"capacity":{"cpu":"8","memory":"32Gi","pods":"250"},"allocatable":{"cpu":"7910m","memory":"31Gi","pods":"110"},
			"addresses":[{"type":"Hostname","address":"tokyo-1"},{"type":"InternalIP","address":"10.0.0.1"},{"type":"Carrier","address":"pigeon"}],
			"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"kubelet is posting ready status","lastTransitionTime":"2025-06-01T12:00:07Z"},
				{"type":"MemoryPressure","status":"False"}],
			"nodeInfo":{"kernelVersion":"6.8","osImage":"Debian 13","containerRuntimeVersion":"containerd://2.0.2","kubeletVersion":"v1.35.3","architecture":"arm64"}}}`
	got, err := DecodeNode("asia", "tokyo", []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	amounts := func(cores float64, cpu string, gi float64, memory string, pods int) *model.ResourceAmounts {
		return &model.ResourceAmounts{CPU: model.CPUAmount{Cores: cores, Quantity: cpu},
			Memory: model.MemoryAmount{Bytes: gi * (1 << 30), Quantity: memory}, Pods: pods}
	}
	want := &model.ClusterNode{
		Object: model.Object{Ref: in("Node", "", "tokyo-1"), UID: "n1", ResourceVersion: "5", CreatedAt: epoch, Raw: []byte(raw),
			Labels: []model.KeyValue{{Key: "kubernetes.io/role", Value: "edge"}, {Key: "node-role.kubernetes.io/", Value: "x"},
				{Key: "node-role.kubernetes.io/control-plane"}, {Key: "node-role.kubernetes.io/worker"}},
			Annotations: []model.KeyValue{}},
		State: model.NodeReady, StateMessage: "kubelet is posting ready status", Schedulable: false,
		Roles:          []string{"control-plane", "edge", "worker"},
		KubeletVersion: ptr("v1.35.3"), OSImage: ptr("Debian 13"), KernelVersion: ptr("6.8"), Architecture: ptr("arm64"),
		ContainerRuntime: ptr("containerd://2.0.2"),
		Addresses: []model.NodeAddress{{Type: model.AddressHostname, Address: "tokyo-1"},
			{Type: model.AddressInternalIP, Address: "10.0.0.1"}, {Type: model.AddressOfOtherKinds, Address: "pigeon"}},
		Taints: []model.Taint{{Key: "node.kubernetes.io/unschedulable", Effect: model.TaintNoSchedule},
			{Key: "spot", Value: "yes", Effect: model.TaintPreferNoSchedule}, {Key: "old", Effect: model.TaintNoExecute}},
		Capacity: amounts(8, "8", 32, "32Gi", 250), Allocatable: amounts(7.91, "7910m", 31, "31Gi", 110),
		Conditions: []model.Condition{{Type: "MemoryPressure", Status: model.FactFalse},
			{Type: "Ready", Status: model.FactTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status", Since: at(7)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}

func TestNodeState(t *testing.T) {
	cases := []struct {
		name, spec, conditions string
		state                  model.NodeState
		message                string
		schedulable            bool
	}{
		{"a node that is ready takes pods", ``, `{"type":"Ready","status":"True"}`, model.NodeReady, "", true},
		{"a cordoned node is ready and takes none", `"unschedulable":true`, `{"type":"Ready","status":"True"}`, model.NodeReady, "", false},
		{"a node that is not ready takes none", ``, `{"type":"Ready","status":"False","message":"no network"}`, model.NodeNotReady, "no network", false},
		{"a node that is not heard of is UNKNOWN", ``, `{"type":"Ready","status":"Unknown","message":"stopped posting"}`, model.NodeUnknown, "stopped posting", false},
		{"a node that never reported is UNKNOWN", ``, ``, model.NodeUnknown, "has not reported yet", false},
		{"other conditions do not make it ready", ``, `{"type":"NetworkReady","status":"True"}`, model.NodeUnknown, "has not reported yet", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n, err := DecodeNode("asia", "tokyo", []byte(`{"metadata":{"name":"n"},"spec":{`+c.spec+`},"status":{"conditions":[`+c.conditions+`]}}`))
			if err != nil {
				t.Fatal(err)
			}
			if n.State != c.state || n.StateMessage != c.message || n.Schedulable != c.schedulable {
				t.Errorf("got %s %q schedulable=%t, want %s %q schedulable=%t", n.State, n.StateMessage, n.Schedulable, c.state, c.message, c.schedulable)
			}
			if n.Capacity != nil || n.Allocatable != nil {
				t.Errorf("a node that lists no resources: got %v and %v, want nil: not zero", n.Capacity, n.Allocatable)
			}
		})
	}
}

func TestQuantity(t *testing.T) {
	cases := []struct {
		name, raw, text string
		number          float64
		ok              bool
	}{
		{"thousandths are exact", `"4100m"`, "4100m", 4.1, true},
		{"binary suffixes", `"2Gi"`, "2Gi", 2 << 30, true},
		{"a number instead of text, as custom resources may have it", `3`, "3", 3, true},
		{"billionths", `"1n"`, "1n", 1e-9, true},
		{"exponents", `"1e3"`, "1e3", 1000, true},
		{"exa is a suffix, not an exponent", `"1E"`, "1E", 1e18, true},
		{"an exponent that would take all memory is refused", `"1e999999999"`, "", 0, false},
		{"so is one of which Go makes no number", `"1e99999999999999999999"`, "", 0, false},
		{"so is a very small one", `"1e-999999999"`, "", 0, false},
		{"so is one of very many digits", `"` + strings.Repeat("9", 65) + `"`, "", 0, false},
		{"nonsense", `"much"`, "", 0, false},
		{"an object", `{}`, "", 0, false},
		{"null", `null`, "", 0, false},
		{"nothing", ``, "", 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text, number, ok := quantity([]byte(c.raw))
			if text != c.text || number != c.number || ok != c.ok {
				t.Errorf("quantity(%s) = %q, %g, %t; want %q, %g, %t", c.raw, text, number, ok, c.text, c.number, c.ok)
			}
		})
	}
}
