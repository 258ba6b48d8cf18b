package lifecycle

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// maxDefaults is the largest file of defaults that is read, in bytes.
const maxDefaults = 256 << 10

// ReadDefaults reads what the platform's operators set for all managed instances, in the form of an Instance's
// spec.managed. Unknown fields are errors.
func ReadDefaults(path string) (v1alpha1.ManagedInstance, error) {
	var defaults v1alpha1.ManagedInstance
	info, err := os.Stat(path)
	if err != nil {
		return defaults, fmt.Errorf("reading the defaults of managed instances: %w", err)
	}
	if info.Size() > maxDefaults {
		return defaults, fmt.Errorf("reading the defaults of managed instances: %s has %d bytes; at most %d are read", path, info.Size(), maxDefaults)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return defaults, fmt.Errorf("reading the defaults of managed instances: %w", err)
	}
	if err := yaml.UnmarshalStrict(raw, &defaults); err != nil {
		return v1alpha1.ManagedInstance{}, fmt.Errorf("reading the defaults of managed instances: %s: %s", path, plainly(err))
	}
	if err := checkDefaults(defaults); err != nil {
		return v1alpha1.ManagedInstance{}, fmt.Errorf("reading the defaults of managed instances: %s: %w", path, err)
	}
	return defaults, nil
}

// plainly removes the decoder's internals from its error message.
func plainly(err error) string {
	text := err.Error()
	for _, prefix := range []string{"error unmarshaling JSON: ", "error converting YAML to JSON: ", "while decoding JSON: ", "json: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	text = strings.ReplaceAll(text, "Go struct field ", "field ")
	return strings.ReplaceAll(text, "Go value of type ", "")
}

// checkDefaults rejects what the API rejects in an Instance.
func checkDefaults(d v1alpha1.ManagedInstance) error {
	var problems []error
	refuse := func(field, format string, args ...any) {
		problems = append(problems, fmt.Errorf("field %s "+format, append([]any{field}, args...)...))
	}
	if d.Namespace != "" {
		refuse("namespace", "is not allowed here: every instance has a namespace of its own; leave it out, or set it in an Instance")
	}
	if d.Version != "" && !strings.HasPrefix(d.Version, "v") {
		refuse("version", "is %q; it must be a version such as v1.18.2", d.Version)
	}
	if d.CRDTarballURL != "" && !isHTTP(d.CRDTarballURL) {
		refuse("crdTarballURL", "is %q; it must begin with http:// or https://", d.CRDTarballURL)
	}
	if e := d.Etcd; e != nil {
		if e.Local != nil && e.External != nil {
			refuse("etcd", "has both local and external; they exclude each other")
		}
		if e.Local != nil && e.Local.Replicas != nil && *e.Local.Replicas%2 == 0 {
			refuse("etcd.local.replicas", "is %d; it must be 1, 3, 5 or 7", *e.Local.Replicas)
		}
		if e.External != nil {
			if len(e.External.Endpoints) == 0 {
				refuse("etcd.external.endpoints", "is required")
			}
			for i, endpoint := range e.External.Endpoints {
				if !isHTTP(endpoint) {
					refuse(fmt.Sprintf("etcd.external.endpoints[%d]", i), "is %q; it must begin with http:// or https://", endpoint)
				}
			}
			if e.External.CredentialSecretRef.Name == "" {
				refuse("etcd.external.credentialSecretRef.name", "is required")
			}
		}
	}
	if s := d.APIServer; s != nil {
		switch s.ServiceType {
		case "", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer:
		default:
			refuse("apiServer.serviceType", "is %q; it must be ClusterIP, NodePort or LoadBalancer", s.ServiceType)
		}
	}
	for _, component := range components(d.Components) {
		if r := component.Replicas; r != nil && (*r < 1 || *r > 9) {
			refuse("components."+component.name+".replicas", "is %d; it must be from 1 to 9", *r)
		}
	}
	return errors.Join(problems...)
}

func isHTTP(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

type namedComponent struct {
	v1alpha1.ManagedComponent

	name string
}

func components(c *v1alpha1.ManagedComponents) []namedComponent {
	if c == nil {
		return nil
	}
	var out []namedComponent
	for name, component := range map[string]*v1alpha1.ManagedComponent{
		"apiServer": c.APIServer, "aggregatedAPIServer": c.AggregatedAPIServer, "kubeControllerManager": c.KubeControllerManager,
		"controllerManager": c.ControllerManager, "scheduler": c.Scheduler, "webhook": c.Webhook, "descheduler": c.Descheduler,
		"metricsAdapter": c.MetricsAdapter,
	} {
		if component != nil {
			out = append(out, namedComponent{*component, name})
		}
	}
	return out
}

// merge fills what an instance leaves out from the defaults. Arguments, feature gates and annotations are
// merged one by one; every other field is the instance's or the defaults'.
func merge(instance *v1alpha1.ManagedInstance, defaults v1alpha1.ManagedInstance) v1alpha1.ManagedInstance {
	d := *defaults.DeepCopy()
	if instance == nil {
		return d
	}
	m := *instance.DeepCopy()
	m.Version = or(m.Version, d.Version)
	m.Namespace = or(m.Namespace, d.Namespace)
	m.ImageRegistry = or(m.ImageRegistry, d.ImageRegistry)
	m.CRDTarballURL = or(m.CRDTarballURL, d.CRDTarballURL)
	if m.HighAvailability == nil {
		m.HighAvailability = d.HighAvailability
	}
	m.Components = mergeComponents(m.Components, d.Components)
	m.Etcd = mergeEtcd(m.Etcd, d.Etcd)
	m.APIServer = mergeAPIServer(m.APIServer, d.APIServer)
	return m
}

func or[T comparable](own, other T) T {
	var none T
	if own == none {
		return other
	}
	return own
}

func mergeComponents(own, other *v1alpha1.ManagedComponents) *v1alpha1.ManagedComponents {
	if own == nil {
		return other
	}
	if other == nil {
		return own
	}
	own.APIServer = mergeComponent(own.APIServer, other.APIServer)
	own.AggregatedAPIServer = mergeComponent(own.AggregatedAPIServer, other.AggregatedAPIServer)
	own.KubeControllerManager = mergeComponent(own.KubeControllerManager, other.KubeControllerManager)
	own.ControllerManager = mergeComponent(own.ControllerManager, other.ControllerManager)
	own.Scheduler = mergeComponent(own.Scheduler, other.Scheduler)
	own.Webhook = mergeComponent(own.Webhook, other.Webhook)
	own.Descheduler = mergeComponent(own.Descheduler, other.Descheduler)
	own.MetricsAdapter = mergeComponent(own.MetricsAdapter, other.MetricsAdapter)
	return own
}

func mergeComponent(own, other *v1alpha1.ManagedComponent) *v1alpha1.ManagedComponent {
	if own == nil {
		return other
	}
	if other == nil {
		return own
	}
	if own.Replicas == nil {
		own.Replicas = other.Replicas
	}
	if own.Resources == nil {
		own.Resources = other.Resources
	}
	own.ExtraArgs = mergeMap(own.ExtraArgs, other.ExtraArgs)
	own.FeatureGates = mergeMap(own.FeatureGates, other.FeatureGates)
	return own
}

func mergeMap[V any](own, other map[string]V) map[string]V {
	if len(other) == 0 {
		return own
	}
	merged := maps.Clone(other)
	maps.Copy(merged, own)
	return merged
}

func mergeEtcd(own, other *v1alpha1.ManagedEtcd) *v1alpha1.ManagedEtcd {
	switch {
	case own == nil || own.Local == nil && own.External == nil:
		return other
	case own.Local == nil || other == nil || other.Local == nil:
		return own
	}
	l, d := own.Local, other.Local
	if l.Replicas == nil {
		l.Replicas = d.Replicas
	}
	if l.StorageSize == nil {
		l.StorageSize = d.StorageSize
	}
	l.StorageClassName = or(l.StorageClassName, d.StorageClassName)
	if l.Resources == nil {
		l.Resources = d.Resources
	}
	return own
}

func mergeAPIServer(own, other *v1alpha1.ManagedAPIServer) *v1alpha1.ManagedAPIServer {
	if own == nil {
		return other
	}
	if other == nil {
		return own
	}
	own.ServiceType = or(own.ServiceType, other.ServiceType)
	own.LoadBalancerClass = or(own.LoadBalancerClass, other.LoadBalancerClass)
	if len(own.CertSANs) == 0 {
		own.CertSANs = other.CertSANs
	}
	own.ServiceAnnotations = mergeMap(own.ServiceAnnotations, other.ServiceAnnotations)
	return own
}
