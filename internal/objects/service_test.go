package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeService(t *testing.T) {
	cases := []struct {
		name   string
		fields string
		want   model.Service
	}{
		{"a Service with a selector",
			`"spec":{"type":"ClusterIP","clusterIP":"10.96.0.7","selector":{"tier":"web","app":"cart"},"ports":[{"port":80,"protocol":"TCP","targetPort":8080}]}`,
			model.Service{Type: model.ServiceClusterIP, ClusterIP: ptr("10.96.0.7"),
				Selector: []model.KeyValue{{Key: "app", Value: "cart"}, {Key: "tier", Value: "web"}},
				Ports:    []model.ServicePort{{Port: 80, TargetPort: "8080", Protocol: model.ProtocolTCP}}}},
		{"a headless Service says None", `"spec":{"clusterIP":"None"}`,
			model.Service{Type: model.ServiceClusterIP, ClusterIP: ptr("None")}},
		{"ports go to names, to numbers and, where nothing is said, to themselves",
			`"spec":{"ports":[{"name":"a","port":80,"targetPort":"http","appProtocol":"kubernetes.io/h2c"},{"name":"b","port":53,"protocol":"UDP","targetPort":0},{"name":"c","port":9,"protocol":"SCTP"}]}`,
			model.Service{Type: model.ServiceClusterIP, Ports: []model.ServicePort{
				{Name: "a", Port: 80, TargetPort: "http", Protocol: model.ProtocolTCP, AppProtocol: ptr("kubernetes.io/h2c")},
				{Name: "b", Port: 53, TargetPort: "53", Protocol: model.ProtocolUDP},
				{Name: "c", Port: 9, TargetPort: "9", Protocol: model.ProtocolSCTP}}}},
		{"a load balancer has addresses, and nodes have ports",
			`"spec":{"type":"LoadBalancer","clusterIP":"10.96.0.8","externalIPs":["192.0.2.1"],"ports":[{"port":443,"nodePort":30443}]},
				"status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.5"},{"hostname":"lb.example.com"},{}]}}`,
			model.Service{Type: model.ServiceLoadBalancer, ClusterIP: ptr("10.96.0.8"), ExternalIPs: []string{"192.0.2.1"},
				Addresses: []string{"203.0.113.5", "lb.example.com"},
				Ports:     []model.ServicePort{{Port: 443, TargetPort: "443", NodePort: ptr(int32(30443)), Protocol: model.ProtocolTCP}}}},
		{"an alias has a name and no address", `"spec":{"type":"ExternalName","externalName":"db.example.com"}`,
			model.Service{Type: model.ServiceExternalName, ExternalName: ptr("db.example.com")}},
		{"a name left over from an alias is not told", `"spec":{"type":"NodePort","externalName":"db.example.com"}`,
			model.Service{Type: model.ServiceNodePort}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw := `{"metadata":{"namespace":"shop","name":"s"},` + c.fields + `}`
			got, err := DecodeService("asia", "tokyo", []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			c.want.Object = model.Object{Ref: in("Service", "shop", "s"), Labels: []model.KeyValue{}, Annotations: []model.KeyValue{}, Raw: []byte(raw)}
			if c.want.Ports == nil {
				c.want.Ports = []model.ServicePort{}
			}
			if c.want.Selector == nil {
				c.want.Selector = []model.KeyValue{}
			}
			for _, list := range []*[]string{&c.want.Addresses, &c.want.ExternalIPs} {
				if *list == nil {
					*list = []string{}
				}
			}
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("Service (-want +got):\n%s", diff)
			}
		})
	}
}
