package propagation

import "k8s.io/apimachinery/pkg/runtime/schema"

const noHealthCheck = "nobody checks the health of this kind: Karmada calls every object of it healthy"

// checks is the kinds whose health Karmada v1.18 checks out of the box, but for the workloads: by its
// default interpreter and by the third-party customizations it ships. Of all other kinds it says Healthy
// without a look, unless a ResourceInterpreterCustomization teaches it; that it was taught shows only
// when it says Unhealthy.
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

// checked says whether Karmada's Healthy is a judgement of an object that is no workload. Of Services it
// judges those of type LoadBalancer alone, which show an address when they are well.
func checked(w *subject, member *observation) bool {
	if w.Ref.GVK.Group == "" && w.Ref.GVK.Kind == "Service" {
		return member.memberStatus != nil && len(member.LoadBalancer.Ingress) > 0
	}
	return checks[w.Ref.GVK]
}

// neverJudged says that Karmada will not say anything of an object's health: it collects nothing of
// kinds that have no status and no check.
func neverJudged(w *subject, member *observation) bool {
	return w.WorkloadKind == "" && member.memberStatus == nil && !checks[w.Ref.GVK]
}
