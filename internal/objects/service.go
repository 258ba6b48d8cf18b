package objects

import (
	"cmp"
	"strconv"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

type serviceObject struct {
	Metadata Meta `json:"metadata"`
	Spec     struct {
		Type         string            `json:"type"`
		ClusterIP    string            `json:"clusterIP"`
		ExternalName string            `json:"externalName"`
		ExternalIPs  []string          `json:"externalIPs"`
		Selector     map[string]string `json:"selector"`
		Ports        []servicePort     `json:"ports"`
	} `json:"spec"`
	Status struct {
		LoadBalancer struct {
			Ingress []struct {
				IP       string `json:"ip"`
				Hostname string `json:"hostname"`
			} `json:"ingress"`
		} `json:"loadBalancer"`
	} `json:"status"`
}

type servicePort struct {
	Name string `json:"name"`
	Port int32  `json:"port"`
	// TargetPort is a number or a name.
	TargetPort  jsonv2.Raw `json:"targetPort"`
	NodePort    int32      `json:"nodePort"`
	Protocol    string     `json:"protocol"`
	AppProtocol *string    `json:"appProtocol"`
}

// DecodeService reads a Service (v1) of a member, or a template when cluster is empty, from JSON. The
// Service keeps raw, which must not be changed afterwards.
func DecodeService(instance, cluster string, raw []byte) (*model.Service, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: core("Service")}
	var o serviceObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	s := &model.Service{
		Object:      o.Metadata.Object(ref, raw),
		Type:        serviceType(o.Spec.Type),
		ClusterIP:   orNil(o.Spec.ClusterIP),
		Ports:       make([]model.ServicePort, 0, len(o.Spec.Ports)),
		Selector:    model.KeyValues(o.Spec.Selector),
		Addresses:   make([]string, 0, len(o.Status.LoadBalancer.Ingress)),
		ExternalIPs: append([]string{}, o.Spec.ExternalIPs...),
	}
	if s.Type == model.ServiceExternalName {
		s.ExternalName = orNil(o.Spec.ExternalName)
	}
	for i := range o.Spec.Ports {
		s.Ports = append(s.Ports, o.Spec.Ports[i].model())
	}
	for _, in := range o.Status.LoadBalancer.Ingress {
		if address := cmp.Or(in.IP, in.Hostname); address != "" {
			s.Addresses = append(s.Addresses, address)
		}
	}
	return s, nil
}

// serviceType is ClusterIP when not set, the API's default.
func serviceType(t string) model.ServiceType {
	switch t {
	case "NodePort":
		return model.ServiceNodePort
	case "LoadBalancer":
		return model.ServiceLoadBalancer
	case "ExternalName":
		return model.ServiceExternalName
	}
	return model.ServiceClusterIP
}

func (p *servicePort) model() model.ServicePort {
	out := model.ServicePort{Name: p.Name, Port: p.Port, TargetPort: p.target(), Protocol: model.ProtocolTCP, AppProtocol: p.AppProtocol}
	switch protocol := model.ServiceProtocol(p.Protocol); protocol {
	case model.ProtocolUDP, model.ProtocolSCTP:
		out.Protocol = protocol
	}
	if p.NodePort != 0 {
		out.NodePort = &p.NodePort
	}
	return out
}

// target is the Service's own port when not set, the API's default.
func (p *servicePort) target() string {
	var name string
	if jsonv2.Unmarshal(p.TargetPort, &name) == nil && name != "" {
		return name
	}
	var number int32
	if jsonv2.Unmarshal(p.TargetPort, &number) == nil && number != 0 {
		return strconv.Itoa(int(number))
	}
	return strconv.Itoa(int(p.Port))
}
