package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// ManagedInstance says what Kairship installs for an instance. The same form holds what the platform's
// operators set for all managed instances (--managed-defaults): what an Instance leaves out is taken
// from there.
type ManagedInstance struct {
	// Version of Karmada, such as v1.18.2. The Karmada operator installs its own version unless told
	// otherwise and cannot upgrade: after the installation a change is refused.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`
	Version string `json:"version,omitempty"`
	// Namespace of the host cluster in which the control plane runs; by default kairship-<instance>. It
	// is made when it is not there, and removed with the instance when it was made for it. It cannot be
	// changed.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="spec.managed.namespace cannot be changed"
	Namespace string `json:"namespace,omitempty"`
	// HighAvailability runs every component three times (of those that elect a leader, one works), where
	// components does not say otherwise.
	//
	// +optional
	HighAvailability *bool `json:"highAvailability,omitempty"`
	// Components of the control plane.
	//
	// +optional
	Components *ManagedComponents `json:"components,omitempty"`
	// Etcd is where the control plane keeps its objects; by default one of its own. It cannot be changed
	// after the installation.
	//
	// +optional
	Etcd *ManagedEtcd `json:"etcd,omitempty"`
	// APIServer is how the Karmada API server is reached.
	//
	// +optional
	APIServer *ManagedAPIServer `json:"apiServer,omitempty"`
	// ImageRegistry from which all images come, in place of the public ones.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=253
	ImageRegistry string `json:"imageRegistry,omitempty"`
	// CRDTarballURL is where the Karmada operator downloads Karmada's resource types, in place of its
	// release page.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://`
	CRDTarballURL string `json:"crdTarballURL,omitempty"`
}

// ManagedComponents are the components of a control plane.
type ManagedComponents struct {
	// +optional
	APIServer *ManagedComponent `json:"apiServer,omitempty"`
	// +optional
	AggregatedAPIServer *ManagedComponent `json:"aggregatedAPIServer,omitempty"`
	// +optional
	KubeControllerManager *ManagedComponent `json:"kubeControllerManager,omitempty"`
	// +optional
	ControllerManager *ManagedComponent `json:"controllerManager,omitempty"`
	// +optional
	Scheduler *ManagedComponent `json:"scheduler,omitempty"`
	// +optional
	Webhook *ManagedComponent `json:"webhook,omitempty"`
	// Descheduler has an effect when settings.descheduler is enabled.
	//
	// +optional
	Descheduler *ManagedComponent `json:"descheduler,omitempty"`
	// MetricsAdapter has an effect when settings.metricsAdapter is enabled.
	//
	// +optional
	MetricsAdapter *ManagedComponent `json:"metricsAdapter,omitempty"`
}

// ManagedComponent is how one component runs.
type ManagedComponent struct {
	// Replicas to run.
	//
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	Replicas *int32 `json:"replicas,omitempty"`
	// Resources that each replica requests, and may use at most.
	//
	// +optional
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`
	// ExtraArgs are arguments of the component's command, without the leading dashes. Those that
	// settings need win over them.
	//
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	ExtraArgs map[string]string `json:"extraArgs,omitempty"`
	// FeatureGates of the component.
	//
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
}

// ManagedEtcd is where a control plane keeps its objects.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.local) && has(self.external))",message="etcd.local and etcd.external exclude each other"
type ManagedEtcd struct {
	// Local is an etcd for this control plane alone.
	//
	// +optional
	Local *LocalEtcd `json:"local,omitempty"`
	// External is one that somebody else runs and that others may use as well.
	//
	// +optional
	External *ExternalEtcd `json:"external,omitempty"`
}

// LocalEtcd is an etcd for one control plane alone.
type LocalEtcd struct {
	// Replicas to run: an odd number.
	//
	// +optional
	// +kubebuilder:validation:Enum=1;3;5;7
	Replicas *int32 `json:"replicas,omitempty"`
	// StorageSize of each replica's volume. Without it the data is lost with the pod.
	//
	// +optional
	StorageSize *resource.Quantity `json:"storageSize,omitempty"`
	// StorageClassName of the volumes; by default the host cluster's.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=253
	StorageClassName string `json:"storageClassName,omitempty"`
	// Resources that each replica requests, and may use at most.
	//
	// +optional
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`
}

// ExternalEtcd is an etcd that others may use as well: every instance has a key prefix of its own there,
// which is emptied when the instance is deleted.
type ExternalEtcd struct {
	// Endpoints of the etcd, as URLs.
	//
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=9
	// +kubebuilder:validation:items:MaxLength=512
	// +kubebuilder:validation:items:Pattern=`^https?://`
	Endpoints []string `json:"endpoints"`
	// CredentialSecretRef names a Secret in Kairship's own namespace with the keys ca.crt, tls.crt and
	// tls.key.
	//
	// +required
	CredentialSecretRef SecretReference `json:"credentialSecretRef"`
}

// ManagedAPIServer is how a Karmada API server is reached.
type ManagedAPIServer struct {
	// ServiceType of its Service.
	//
	// +optional
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	ServiceType corev1.ServiceType `json:"serviceType,omitempty"`
	// CertSANs are further names and addresses by which it is reached.
	//
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MaxLength=253
	CertSANs []string `json:"certSANs,omitempty"`
	// LoadBalancerClass chooses among the load balancers of the host cluster.
	//
	// +optional
	// +kubebuilder:validation:MaxLength=253
	LoadBalancerClass string `json:"loadBalancerClass,omitempty"`
	// ServiceAnnotations for the load balancer.
	//
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	ServiceAnnotations map[string]string `json:"serviceAnnotations,omitempty"`
}
