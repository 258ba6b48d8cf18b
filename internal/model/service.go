package model

// ServiceType says how a Service can be reached.
type ServiceType string

// The types of Service.
const (
	ServiceClusterIP    ServiceType = "CLUSTER_IP"
	ServiceNodePort     ServiceType = "NODE_PORT"
	ServiceLoadBalancer ServiceType = "LOAD_BALANCER"
	ServiceExternalName ServiceType = "EXTERNAL_NAME"
)

// ServiceProtocol is a transport protocol.
type ServiceProtocol string

// The transport protocols of a Service.
const (
	ProtocolTCP  ServiceProtocol = "TCP"
	ProtocolUDP  ServiceProtocol = "UDP"
	ProtocolSCTP ServiceProtocol = "SCTP"
)

// Service is one name and address for the pods that its selector matches.
type Service struct {
	Object

	Type ServiceType
	// ClusterIP is "None" for a headless Service and nil until there is one.
	ClusterIP *string
	// ExternalName is nil unless Type is EXTERNAL_NAME.
	ExternalName *string
	Ports        []ServicePort
	// Selector is sorted; empty when the endpoints are managed otherwise: it then selects no pods, not all.
	Selector []KeyValue
	// Addresses is the addresses that the load balancer assigned.
	Addresses   []string
	ExternalIPs []string
}

// Namespace is the namespace.
func (s *Service) Namespace() string { return s.Ref.Namespace }

// Selects reports whether pods with these labels belong to the Service, as far as labels decide: namespace and cluster
// have to match too.
func (s *Service) Selects(labels map[string]string) bool {
	if s.Type == ServiceExternalName {
		return false
	}
	for _, want := range s.Selector {
		if got, ok := labels[want.Key]; !ok || got != want.Value {
			return false
		}
	}
	return len(s.Selector) > 0
}

// ServicePort is one port of a Service.
type ServicePort struct {
	Name string
	Port int32
	// TargetPort is a number or the name of a container's port.
	TargetPort string
	// NodePort is nil when it has none.
	NodePort    *int32
	Protocol    ServiceProtocol
	AppProtocol *string
}

// ServiceConnection is a page of Services.
type ServiceConnection = Connection[*Service]

// ServiceEdge is a row of a page of Services.
type ServiceEdge = Edge[*Service]
