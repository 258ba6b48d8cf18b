package kubelet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// syncServices gives every Service an address, writes it to the status of load balancers, carries connections to the
// pods behind, and writes the names down.
func (k *Kubelet) syncServices(ctx context.Context) error {
	all, err := k.serviceLister.List(labels.Everything())
	if err != nil {
		return fmt.Errorf("listing Services: %w", err)
	}
	slices.SortFunc(all, func(a, b *corev1.Service) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	pods := k.sorted()
	var errs []error
	addresses, wanted, held := map[string]string{}, map[string][]string{}, map[string]bool{}
	for _, s := range all {
		if !carried(s) {
			continue
		}
		holder := "service " + string(s.UID)
		held[holder] = true
		address, err := k.address(ctx, holder, s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		addresses[string(s.UID)] = address
		for _, p := range s.Spec.Ports {
			if p.Protocol == "" || p.Protocol == corev1.ProtocolTCP {
				wanted[net.JoinHostPort(address, strconv.Itoa(int(p.Port)))] = backends(s, p, pods)
			}
		}
	}
	errs = append(errs, k.carry(wanted))
	k.pool.keep("service ", held)
	k.name(all, func(s *corev1.Service) string { return addresses[string(s.UID)] }, pods)
	return errors.Join(errs...)
}

// carried reports whether a Service has an address and selects pods.
func carried(s *corev1.Service) bool {
	return s.Spec.Type != corev1.ServiceTypeExternalName && s.Spec.ClusterIP != corev1.ClusterIPNone && len(s.Spec.Selector) > 0
}

func (k *Kubelet) address(ctx context.Context, holder string, s *corev1.Service) (string, error) {
	balancer := s.Spec.Type == corev1.ServiceTypeLoadBalancer
	wish := ""
	if in := s.Status.LoadBalancer.Ingress; len(in) > 0 {
		wish = in[0].IP
	}
	address, err := k.pool.take(holder, wish, balancer)
	if err != nil {
		return "", fmt.Errorf("an address for Service %s/%s: %w", s.Namespace, s.Name, err)
	}
	if !balancer || wish == address {
		return address, nil
	}
	mode := corev1.LoadBalancerIPModeProxy
	s = s.DeepCopy()
	s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: address, IPMode: &mode}}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if _, err := k.client.CoreV1().Services(s.Namespace).UpdateStatus(ctx, s, metav1.UpdateOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return "", fmt.Errorf("telling Service %s/%s its address: %w", s.Namespace, s.Name, err)
	}
	return address, nil
}

// backends returns where a port of a Service leads: to the pods that are ready; where none is, to those that somebody
// paused, because a machine that hangs takes connections, too.
func backends(s *corev1.Service, port corev1.ServicePort, pods []*local) []string {
	selector := labels.SelectorFromSet(s.Spec.Selector)
	var ready, paused []string
	for _, l := range pods {
		st := l.seen.Load()
		if st == nil || l.namespace != s.Namespace || !selector.Matches(labels.Set(l.labels)) {
			continue
		}
		to := net.JoinHostPort(l.ip, strconv.Itoa(target(l, port)))
		switch {
		case st.ready:
			ready = append(ready, to)
		case st.paused:
			paused = append(paused, to)
		}
	}
	if len(ready) > 0 {
		return ready
	}
	return paused
}

func target(l *local, p corev1.ServicePort) int {
	switch {
	case p.TargetPort.Type == intstr.String:
		for _, c := range l.spec {
			for _, named := range c.Ports {
				if named.Name == p.TargetPort.StrVal {
					return int(named.ContainerPort)
				}
			}
		}
	case p.TargetPort.IntVal != 0:
		return int(p.TargetPort.IntVal)
	}
	return int(p.Port)
}

// carry starts, changes and stops forwarders as wanted.
func (k *Kubelet) carry(wanted map[string][]string) error {
	var errs []error
	for at, f := range k.forwarders {
		if _, ok := wanted[at]; !ok {
			f.close()
			delete(k.forwarders, at)
		}
	}
	for at, to := range wanted {
		f := k.forwarders[at]
		if f == nil {
			var err error
			if f, err = newForwarder(at, k.log); err != nil {
				errs = append(errs, err)
				continue
			}
			k.forwarders[at] = f
		}
		f.to(to)
	}
	return errors.Join(errs...)
}

func (k *Kubelet) closeForwarders() {
	for _, f := range k.forwarders {
		f.close()
	}
}

// name writes the names of all Services to where programs read them.
func (k *Kubelet) name(all []*corev1.Service, of func(*corev1.Service) string, pods []*local) {
	entries := records(all, of, func(s *corev1.Service) []podAddress {
		var out []podAddress
		for _, l := range pods {
			if l.namespace == s.Namespace && labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(l.labels)) {
				out = append(out, podAddress{l.ip, l.hostname, l.subdomain})
			}
		}
		return out
	})
	k.mu.Lock()
	k.entries = entries
	k.mu.Unlock()
	if err := rewrite(k.config.Hosts, hosts(entries, "", "", "")); err != nil {
		k.log.Error("writing the names of Services failed", "error", err)
	}
	for _, l := range pods {
		k.writeHosts(l)
	}
}

func (k *Kubelet) writeHosts(l *local) {
	k.mu.Lock()
	entries := k.entries
	k.mu.Unlock()
	if err := rewrite(l.hosts(), hosts(entries, l.namespace, l.name, l.ip)); err != nil {
		k.log.Info("writing a pod's names failed", "pod", l.key, "error", err) // it may be going away
	}
}

func (l *local) hosts() string { return filepath.Join(l.dir, "hosts") }
