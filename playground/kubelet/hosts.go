package kubelet

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// entry is one Service, or one pod behind a headless one, with its address.
type entry struct {
	namespace, name, address string
}

// records are the names of a cluster, as its DNS would answer: Services by their
// address, pods of headless Services by theirs. of returns the address that a
// Service was given, and behind the pods that it selects.
func records(services []*corev1.Service, of func(*corev1.Service) string, behind func(*corev1.Service) []podAddress) []entry {
	var all []entry
	var named []*corev1.Service
	for _, s := range services {
		switch {
		case s.Spec.Type == corev1.ServiceTypeExternalName:
			named = append(named, s)
		case s.Spec.ClusterIP == corev1.ClusterIPNone:
			for _, p := range behind(s) {
				all = append(all, entry{s.Namespace, s.Name, p.ip})
				if p.hostname != "" && p.subdomain == s.Name {
					all = append(all, entry{s.Namespace, p.hostname + "." + s.Name, p.ip})
				}
			}
		default:
			if a := of(s); a != "" {
				all = append(all, entry{s.Namespace, s.Name, a})
			}
		}
	}
	// They may refer to each other; more than a few steps is a circle.
	for range 4 {
		for _, s := range named {
			if a := resolve(all, s.Spec.ExternalName); a != "" && !slices.Contains(all, entry{s.Namespace, s.Name, a}) {
				all = append(all, entry{s.Namespace, s.Name, a})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return strings.Compare(a.namespace+"/"+a.name+"/"+a.address, b.namespace+"/"+b.name+"/"+b.address)
	})
	return all
}

// podAddress is a pod as DNS knows it.
type podAddress struct{ ip, hostname, subdomain string }

func resolve(known []entry, name string) string {
	name = strings.TrimSuffix(name, ".")
	if name == "localhost" {
		return "127.0.0.1"
	}
	if a, err := netip.ParseAddr(name); err == nil {
		return a.String()
	}
	for _, e := range known {
		if full := e.name + "." + e.namespace + ".svc"; name == full || name == full+".cluster.local" {
			return e.address
		}
	}
	return ""
}

// hosts writes names in the form of /etc/hosts. Services of the namespace go by
// their short names, too.
func hosts(all []entry, namespace, self, ip string) string {
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n::1 localhost\n")
	if self != "" {
		fmt.Fprintf(&b, "%s %s\n", ip, self)
	}
	for _, e := range all {
		full := e.name + "." + e.namespace
		fmt.Fprintf(&b, "%s %s.svc.cluster.local %s.svc %s", e.address, full, full, full)
		if e.namespace == namespace {
			b.WriteString(" " + e.name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// rewrite changes a file in its place: a program that has mounted it sees this very file, not a new one of its name.
func rewrite(path, content string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == content {
		return nil
	}
	return os.WriteFile(path, []byte(content), 0o644)
}
