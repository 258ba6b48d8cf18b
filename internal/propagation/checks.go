package propagation

import "k8s.io/apimachinery/pkg/runtime/schema"

const noHealthCheck = "nobody checks the health of this kind: Karmada calls every object of it healthy"

// checks is the kinds, other than workloads, whose health Karmada v1.18 checks by default: with its default interpreter
// and the third-party customizations it ships. All other kinds it reports Healthy without a check, unless a
// ResourceInterpreterCustomization adds one; that one exists shows only when it reports Unhealthy.
var checks = map[schema.GroupVersionKind]bool{
	{Group: "apps", Version: "v1", Kind: "ReplicaSet"}:                              true,
	{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}:                    true,
	{Version: "v1", Kind: "PersistentVolumeClaim"}:                                  true,
	{Version: "v1", Kind: "Pod"}:                                                    true,
	{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"}:                   true,
	{Group: "argoproj.io", Version: "v1alpha1", Kind: "Workflow"}:                   true,
	{Group: "flink.apache.org", Version: "v1beta1", Kind: "FlinkDeployment"}:        true,
	{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Kind: "Kustomization"}:    true,
	{Group: "helm.toolkit.fluxcd.io", Version: "v2beta1", Kind: "HelmRelease"}:      true,
	{Group: "kyverno.io", Version: "v1", Kind: "Policy"}:                            true,
	{Group: "kyverno.io", Version: "v1", Kind: "ClusterPolicy"}:                     true,
	{Group: "batch.volcano.sh", Version: "v1alpha1", Kind: "Job"}:                   true,
	{Group: "apps.kruise.io", Version: "v1beta1", Kind: "StatefulSet"}:              true,
	{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "UnitedDeployment"}:        true,
	{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "SidecarSet"}:              true,
	{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "BroadcastJob"}:            true,
	{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "DaemonSet"}:               true,
	{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "CloneSet"}:                true,
	{Group: "ray.io", Version: "v1", Kind: "RayCluster"}:                            true,
	{Group: "ray.io", Version: "v1", Kind: "RayJob"}:                                true,
	{Group: "ray.io", Version: "v1", Kind: "RayService"}:                            true,
	{Group: "sparkoperator.k8s.io", Version: "v1beta2", Kind: "SparkApplication"}:   true,
	{Group: "kubeflow.org", Version: "v1", Kind: "Notebook"}:                        true,
	{Group: "kubeflow.org", Version: "v1", Kind: "PyTorchJob"}:                      true,
	{Group: "kubeflow.org", Version: "v1", Kind: "TFJob"}:                           true,
	{Group: "kubeflow.org", Version: "v2beta1", Kind: "MPIJob"}:                     true,
	{Group: "source.toolkit.fluxcd.io", Version: "v1", Kind: "GitRepository"}:       true,
	{Group: "source.toolkit.fluxcd.io", Version: "v1beta2", Kind: "OCIRepository"}:  true,
	{Group: "source.toolkit.fluxcd.io", Version: "v1beta2", Kind: "HelmRepository"}: true,
	{Group: "source.toolkit.fluxcd.io", Version: "v1beta2", Kind: "Bucket"}:         true,
	{Group: "source.toolkit.fluxcd.io", Version: "v1beta2", Kind: "HelmChart"}:      true,
}

// checked reports whether Karmada's Healthy is the result of a check, for an object that is not a workload. Of Services
// it checks only those of type LoadBalancer, which have an address when healthy.
func checked(w *subject, member *observation) bool {
	if w.Ref.GVK.Group == "" && w.Ref.GVK.Kind == "Service" {
		return member.memberStatus != nil && len(member.LoadBalancer.Ingress) > 0
	}
	return checks[w.Ref.GVK]
}

// neverAssessed reports whether Karmada will never report an object's health: it collects nothing for kinds that have
// neither a status nor a check.
func neverAssessed(w *subject, member *observation) bool {
	return w.WorkloadKind == "" && member.memberStatus == nil && !checks[w.Ref.GVK]
}
