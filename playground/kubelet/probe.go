package kubelet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

var errProbe = errors.New("the playground's kubelet can ask by httpGet and tcpSocket only")

// endpoint is what a probe asks, at the pod's address.
func endpoint(c corev1.Container, p *corev1.Probe, ip string) (*process.Endpoint, error) {
	e := &process.Endpoint{
		Every:    process.Duration(time.Duration(cmp.Or(p.PeriodSeconds, 10)) * time.Second),
		Timeout:  process.Duration(time.Duration(cmp.Or(p.TimeoutSeconds, 1)) * time.Second),
		Failures: int(cmp.Or(p.FailureThreshold, 3)),
	}
	switch {
	case p.HTTPGet != nil:
		port, err := portOf(c, p.HTTPGet.Port)
		if err != nil {
			return nil, err
		}
		scheme := strings.ToLower(string(cmp.Or(p.HTTPGet.Scheme, corev1.URISchemeHTTP)))
		e.URL = fmt.Sprintf("%s://%s/%s", scheme, net.JoinHostPort(ip, strconv.Itoa(port)), strings.TrimPrefix(p.HTTPGet.Path, "/"))
	case p.TCPSocket != nil:
		port, err := portOf(c, p.TCPSocket.Port)
		if err != nil {
			return nil, err
		}
		e.Address = net.JoinHostPort(ip, strconv.Itoa(port))
	default:
		return nil, fmt.Errorf("container %s: %w", c.Name, errProbe)
	}
	return e, nil
}

func portOf(c corev1.Container, p intstr.IntOrString) (int, error) {
	if p.Type == intstr.Int {
		return p.IntValue(), nil
	}
	for _, named := range c.Ports {
		if named.Name == p.StrVal {
			return int(named.ContainerPort), nil
		}
	}
	return 0, fmt.Errorf("container %s has no port %q", c.Name, p.StrVal)
}

// readiness returns what the supervisor probes to know whether a container is ready: its readiness probe, else its
// startup or liveness probe, else the program's own page. (The pod itself is ready without these two: see
// observation.status.) Until the first answer the supervisor probes several times a second, where a kubelet would wait
// for initialDelaySeconds.
func readiness(c corev1.Container, p Program, ip string) (*process.Endpoint, error) {
	switch {
	case c.ReadinessProbe != nil:
		return endpoint(c, c.ReadinessProbe, ip)
	case c.StartupProbe != nil:
		return endpoint(c, c.StartupProbe, ip)
	case c.LivenessProbe != nil:
		return endpoint(c, c.LivenessProbe, ip)
	case p.Health != nil:
		return p.Health.endpoint(ip, ""), nil
	}
	return nil, nil
}

func (p Page) endpoint(ip, kubeconfig string) *process.Endpoint {
	e := &process.Endpoint{URL: fmt.Sprintf("%s://%s%s", p.Scheme, net.JoinHostPort(ip, strconv.Itoa(p.Port)), p.Path)}
	if p.Admin {
		e.Kubeconfig, e.ServerName = kubeconfig, p.ServerName
	}
	return e
}

// pulse runs the startup probe of a container, if there is one, and then its liveness probe. It has the container
// started again when one fails.
type pulse struct {
	clock   clock.Clock
	ask     func(context.Context, process.Endpoint) error
	status  func() (supervisor.Status, bool)
	give    func(reason string) // gives the container up: it is started again
	probes  [2]*corev1.Probe    // startup, liveness
	targets [2]*process.Endpoint
}

// run probes until ctx ends.
func (p pulse) run(ctx context.Context) {
	var began time.Time
	at, failures := 0, 0
	for {
		if at < 2 && p.probes[at] == nil {
			at, failures = at+1, 0
		}
		every := time.Second
		if at < 2 {
			every = time.Duration(p.targets[at].Every)
		}
		select {
		case <-ctx.Done():
			return
		case <-p.clock.After(every):
		}
		st, ok := p.status()
		if !ok || st.Began.IsZero() || st.State == supervisor.Paused || st.State == supervisor.Stopping {
			failures = 0
			continue
		}
		if !st.Began.Equal(began) { // started again
			began, at, failures = st.Began, 0, 0
			continue
		}
		if at == 2 || p.clock.Since(began) < time.Duration(p.probes[at].InitialDelaySeconds)*time.Second {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, time.Duration(p.targets[at].Timeout))
		err := p.ask(limited, *p.targets[at])
		cancel()
		switch {
		case err == nil && at == 0:
			at, failures = 1, 0
		case err == nil:
			failures = 0
		case ctx.Err() != nil:
			return
		default:
			if failures++; failures >= p.targets[at].Failures {
				p.give(fmt.Sprintf("%s probe failed %d times: %v", [2]string{"startup", "liveness"}[at], failures, err))
				failures = 0
			}
		}
	}
}
