package kubelet

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestHosts(t *testing.T) {
	service := func(namespace, name string, spec corev1.ServiceSpec) *corev1.Service {
		s := &corev1.Service{Spec: spec}
		s.Namespace, s.Name = namespace, name
		return s
	}
	all := []*corev1.Service{
		service("karmada-system", "alias", corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "second.ns.svc.cluster.local"}),
		service("ns", "second", corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "api.ns.svc"}),
		service("ns", "elsewhere", corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "unknown.example"}),
		service("ns", "local", corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}),
		service("ns", "api", corev1.ServiceSpec{ClusterIP: "10.96.0.9"}),
		service("ns", "etcd", corev1.ServiceSpec{ClusterIP: "None"}),
	}
	entries := records(all,
		func(s *corev1.Service) string { return map[string]string{"api": "127.9.0.1"}[s.Name] },
		func(*corev1.Service) []podAddress {
			return []podAddress{{"127.9.0.7", "etcd-0", "etcd"}, {"127.9.0.8", "", ""}}
		})
	want := `127.0.0.1 localhost
::1 localhost
127.9.0.7 etcd-0
127.9.0.1 alias.karmada-system.svc.cluster.local alias.karmada-system.svc alias.karmada-system
127.9.0.1 api.ns.svc.cluster.local api.ns.svc api.ns api
127.9.0.7 etcd-0.etcd.ns.svc.cluster.local etcd-0.etcd.ns.svc etcd-0.etcd.ns etcd-0.etcd
127.9.0.7 etcd.ns.svc.cluster.local etcd.ns.svc etcd.ns etcd
127.9.0.8 etcd.ns.svc.cluster.local etcd.ns.svc etcd.ns etcd
127.0.0.1 local.ns.svc.cluster.local local.ns.svc local.ns local
127.9.0.1 second.ns.svc.cluster.local second.ns.svc second.ns second
`
	if diff := cmp.Diff(want, hosts(entries, "ns", "etcd-0", "127.9.0.7")); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

func TestAFileThatIsSeenByAMountIsChangedInItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	if err := rewrite(path, "one"); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := rewrite(path, "two"); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "two" || !os.SameFile(before, after) {
		t.Errorf("it says %q, the same file: %v", b, os.SameFile(before, after))
	}
}
