package kubelet

import (
	"context"
	"fmt"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Taint keeps ordinary pods off this node: what runs here are processes of the machine.
const Taint = "playground.kairship.io/processes"

// register makes the Node, trying again until ctx ends.
func (k *Kubelet) register(ctx context.Context) error {
	for {
		err := k.node(ctx)
		if err == nil {
			return nil
		}
		k.log.Info("the node is not registered yet", "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-k.clock.After(time.Second):
		}
	}
}

func (k *Kubelet) node(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	nodes := k.client.CoreV1().Nodes()
	n, err := nodes.Get(ctx, k.config.Node, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		n, err = nodes.Create(ctx, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: k.config.Node, Labels: map[string]string{
				"kubernetes.io/hostname": k.config.Node, "kubernetes.io/os": runtime.GOOS, "kubernetes.io/arch": runtime.GOARCH,
				Taint: "true",
			}},
			Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: Taint, Value: "true", Effect: corev1.TaintEffectNoSchedule}}},
		}, metav1.CreateOptions{})
	}
	if err != nil {
		return fmt.Errorf("registering the node: %w", err)
	}
	room := corev1.ResourceList{
		corev1.ResourceCPU:  *resource.NewQuantity(int64(runtime.NumCPU()), resource.DecimalSI),
		corev1.ResourcePods: resource.MustParse("200"),
	}
	now := metav1.NewTime(k.clock.Now())
	n.Status.Capacity, n.Status.Allocatable = room, room
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: hostIP}, {Type: corev1.NodeHostName, Address: k.config.Node}}
	n.Status.NodeInfo = corev1.NodeSystemInfo{
		OperatingSystem: runtime.GOOS, Architecture: runtime.GOARCH, OSImage: "the machine itself",
		ContainerRuntimeVersion: "process://1", KubeletVersion: "v1.35.3-playground",
	}
	n.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady",
		Message: "the playground runs pods as processes", LastHeartbeatTime: now, LastTransitionTime: now,
	}}
	if _, err := nodes.UpdateStatus(ctx, n, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("reporting the node's status: %w", err)
	}
	return nil
}
