package model

// ManagedComponentsInput is how the components of a control plane are to run; nil for the default.
type ManagedComponentsInput struct {
	APIServer             *ManagedComponentInput
	AggregatedAPIServer   *ManagedComponentInput
	KubeControllerManager *ManagedComponentInput
	ControllerManager     *ManagedComponentInput
	Scheduler             *ManagedComponentInput
	Webhook               *ManagedComponentInput
	Descheduler           *ManagedComponentInput
	MetricsAdapter        *ManagedComponentInput
}

// ManagedComponentInput is how one component is to run.
type ManagedComponentInput struct {
	Replicas  *int32
	Requests  []KeyValue
	Limits    []KeyValue
	ExtraArgs []KeyValue
}

// ManagedEtcdInput is where a control plane is to keep its objects: one of both.
type ManagedEtcdInput struct {
	Local    *LocalEtcdInput
	External *ExternalEtcdInput
}

// LocalEtcdInput is an etcd for one control plane.
type LocalEtcdInput struct {
	Replicas         *int32
	StorageSize      *string
	StorageClassName *string
}

// ExternalEtcdInput is an etcd that others may use, too.
type ExternalEtcdInput struct {
	Endpoints        []string
	CredentialSecret string
}

// ManagedAPIServerInput is how the API server of a control plane is to be reached.
type ManagedAPIServerInput struct {
	ServiceType        *string
	CertSANs           []string
	LoadBalancerClass  *string
	ServiceAnnotations []KeyValue
}
