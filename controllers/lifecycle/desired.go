package lifecycle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	operatorv1alpha1 "github.com/karmada-io/karmada/operator/pkg/apis/operator/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// highlyAvailable is how many of each component run where an instance is highly available.
const highlyAvailable = 3

// desired returns what the Karmada operator should install for an instance whose spec, defaults and installation are
// merged in m.
func desired(instance *v1alpha1.Instance, m v1alpha1.ManagedInstance) *operatorv1alpha1.Karmada {
	d := desire{instance: instance, managed: m}
	if m.Components != nil {
		d.components = *m.Components
	}
	if instance.Spec.Settings != nil {
		d.settings = *instance.Spec.Settings
	}
	k := &operatorv1alpha1.Karmada{
		TypeMeta: metav1.TypeMeta{APIVersion: karmadaKind.GroupVersion().String(), Kind: karmadaKind.Kind},
		ObjectMeta: metav1.ObjectMeta{
			Name: instance.Name, Namespace: or(m.Namespace, namespaceOf(instance.Name)), Labels: labelsOf(instance.Name),
		},
	}
	k.Spec.Components = &operatorv1alpha1.KarmadaComponents{
		Etcd:                       d.etcd(k.Namespace),
		KarmadaAPIServer:           d.apiServer(),
		KarmadaAggregatedAPIServer: d.aggregatedAPIServer(),
		KubeControllerManager: &operatorv1alpha1.KubeControllerManager{
			CommonSettings: d.kubernetes(d.components.KubeControllerManager, "kube-controller-manager"),
			ExtraArgs:      args(d.components.KubeControllerManager, nil),
		},
		KarmadaControllerManager: &operatorv1alpha1.KarmadaControllerManager{
			CommonSettings: d.karmada(d.components.ControllerManager, "karmada-controller-manager"),
			ExtraArgs:      args(gated(d.components.ControllerManager, d.failoverGates()), d.failoverArgs()),
		},
		KarmadaScheduler: &operatorv1alpha1.KarmadaScheduler{
			CommonSettings: d.karmada(d.components.Scheduler, "karmada-scheduler"),
			ExtraArgs:      args(d.components.Scheduler, nil),
		},
		KarmadaWebhook: &operatorv1alpha1.KarmadaWebhook{
			CommonSettings: d.karmada(d.components.Webhook, "karmada-webhook"),
			ExtraArgs:      args(d.components.Webhook, d.failoverWebhookArgs()),
		},
		KarmadaDescheduler:    d.descheduler(),
		KarmadaMetricsAdapter: d.metricsAdapter(),
	}
	if m.CRDTarballURL != "" {
		k.Spec.CRDTarball = &operatorv1alpha1.CRDTarball{HTTPSource: &operatorv1alpha1.HTTPSource{URL: m.CRDTarballURL}}
	}
	return k
}

// desire is what desired is made of.
type desire struct {
	instance   *v1alpha1.Instance
	managed    v1alpha1.ManagedInstance
	components v1alpha1.ManagedComponents
	settings   v1alpha1.InstanceSettings
}

func (d desire) etcd(namespace string) *operatorv1alpha1.Etcd {
	if e := d.external(); e != nil {
		return &operatorv1alpha1.Etcd{External: &operatorv1alpha1.ExternalEtcd{
			Endpoints: slices.Clone(e.Endpoints),
			SecretRef: operatorv1alpha1.LocalSecretReference{Namespace: namespace, Name: operatorName(d.instance.Name, partEtcdCredential)},
		}}
	}
	local := v1alpha1.LocalEtcd{}
	if d.managed.Etcd != nil && d.managed.Etcd.Local != nil {
		local = *d.managed.Etcd.Local
	}
	out := &operatorv1alpha1.LocalEtcd{CommonSettings: d.kubernetes(&v1alpha1.ManagedComponent{Replicas: local.Replicas, Resources: local.Resources}, "etcd")}
	if local.StorageSize == nil {
		out.VolumeData = &operatorv1alpha1.VolumeData{EmptyDir: &corev1.EmptyDirVolumeSource{}}
		return &operatorv1alpha1.Etcd{Local: out}
	}
	claim := corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: *local.StorageSize}},
	}
	if local.StorageClassName != "" {
		claim.StorageClassName = ptr.To(local.StorageClassName)
	}
	out.VolumeData = &operatorv1alpha1.VolumeData{VolumeClaim: &corev1.PersistentVolumeClaimTemplate{Spec: claim}}
	return &operatorv1alpha1.Etcd{Local: out}
}

func (d desire) external() *v1alpha1.ExternalEtcd {
	if d.managed.Etcd == nil {
		return nil
	}
	return d.managed.Etcd.External
}

func (d desire) apiServer() *operatorv1alpha1.KarmadaAPIServer {
	out := &operatorv1alpha1.KarmadaAPIServer{
		CommonSettings: d.kubernetes(d.components.APIServer, "kube-apiserver"),
		ServiceType:    corev1.ServiceTypeClusterIP,
		ExtraArgs:      args(d.components.APIServer, nil),
	}
	if d.external() != nil {
		core, _ := prefixes(d.instance)
		out.ExtraArgs = args(d.components.APIServer, map[string]string{"etcd-prefix": core})
	}
	if s := d.managed.APIServer; s != nil {
		out.ServiceType = or(s.ServiceType, corev1.ServiceTypeClusterIP)
		out.CertSANs = slices.Clone(s.CertSANs)
		out.ServiceAnnotations = maps.Clone(s.ServiceAnnotations)
		if s.LoadBalancerClass != "" && out.ServiceType == corev1.ServiceTypeLoadBalancer {
			out.LoadBalancerClass = ptr.To(s.LoadBalancerClass)
		}
	}
	return out
}

func (d desire) aggregatedAPIServer() *operatorv1alpha1.KarmadaAggregatedAPIServer {
	var own map[string]string
	if d.external() != nil {
		_, aggregated := prefixes(d.instance)
		own = map[string]string{"etcd-prefix": aggregated}
	}
	return &operatorv1alpha1.KarmadaAggregatedAPIServer{
		CommonSettings: d.karmada(d.components.AggregatedAPIServer, "karmada-aggregated-apiserver"),
		ExtraArgs:      args(d.components.AggregatedAPIServer, own),
	}
}

func (d desire) failover() *v1alpha1.FailoverSettings {
	if f := d.settings.Failover; f != nil && f.Enabled {
		return f
	}
	return nil
}

// failoverGates are the feature gates without which the controllers that evict do nothing.
func (d desire) failoverGates() map[string]bool {
	if d.failover() == nil {
		return nil
	}
	return map[string]bool{"Failover": true, "GracefulEviction": true}
}

func (d desire) failoverArgs() map[string]string {
	f := d.failover()
	if f == nil {
		return nil
	}
	own := map[string]string{"enable-no-execute-taint-eviction": "true"}
	if f.FailureThresholdSeconds != nil {
		own["cluster-failure-threshold"] = seconds(*f.FailureThresholdSeconds)
	}
	if f.GracefulEvictionTimeoutSeconds != nil {
		own["graceful-eviction-timeout"] = seconds(*f.GracefulEvictionTimeoutSeconds)
	}
	return own
}

// failoverWebhookArgs makes the webhook accept the policy that evicts, which it refuses by default.
func (d desire) failoverWebhookArgs() map[string]string {
	if d.failover() == nil {
		return nil
	}
	return map[string]string{"allow-no-execute-taint-policy": "true"}
}

func (d desire) descheduler() *operatorv1alpha1.KarmadaDescheduler {
	s := d.settings.Descheduler
	if s == nil || !s.Enabled {
		return nil
	}
	own := map[string]string{}
	if s.IntervalSeconds != nil {
		own["descheduling-interval"] = seconds(*s.IntervalSeconds)
	}
	if s.UnschedulableThresholdSeconds != nil {
		own["unschedulable-threshold"] = seconds(*s.UnschedulableThresholdSeconds)
	}
	return &operatorv1alpha1.KarmadaDescheduler{
		CommonSettings: d.karmada(d.components.Descheduler, "karmada-descheduler"),
		ExtraArgs:      args(d.components.Descheduler, own),
	}
}

// metricsAdapter asks for no replicas where it is not wanted: when left out, the operator would run two.
func (d desire) metricsAdapter() *operatorv1alpha1.KarmadaMetricsAdapter {
	if s := d.settings.MetricsAdapter; s == nil || !s.Enabled {
		return &operatorv1alpha1.KarmadaMetricsAdapter{CommonSettings: operatorv1alpha1.CommonSettings{Replicas: ptr.To[int32](0)}}
	}
	return &operatorv1alpha1.KarmadaMetricsAdapter{
		CommonSettings: d.karmada(d.components.MetricsAdapter, "karmada-metrics-adapter"),
		ExtraArgs:      args(d.components.MetricsAdapter, nil),
	}
}

func seconds(n int32) string { return strconv.Itoa(int(n)) + "s" }

// karmada returns the settings of a component of Karmada's own: in the version that was asked for.
func (d desire) karmada(c *v1alpha1.ManagedComponent, image string) operatorv1alpha1.CommonSettings {
	out := d.kubernetes(c, image)
	out.ImageTag = d.managed.Version
	return out
}

// kubernetes returns the settings of a component of Kubernetes or of etcd: in the operator's version.
func (d desire) kubernetes(c *v1alpha1.ManagedComponent, image string) operatorv1alpha1.CommonSettings {
	out := operatorv1alpha1.CommonSettings{Replicas: ptr.To[int32](1)}
	if ptr.Deref(d.managed.HighAvailability, false) {
		out.Replicas = ptr.To[int32](highlyAvailable)
	}
	if r := strings.TrimRight(d.managed.ImageRegistry, "/"); r != "" {
		// The operator accepts spec.privateRegistry but ignores it.
		out.ImageRepository = r + "/" + image
	}
	if c == nil {
		return out
	}
	if c.Replicas != nil {
		out.Replicas = ptr.To(*c.Replicas)
	}
	if c.Resources != nil {
		out.Resources = *c.Resources.DeepCopy()
	}
	return out
}

// gated returns a component with further feature gates, which win.
func gated(c *v1alpha1.ManagedComponent, gates map[string]bool) *v1alpha1.ManagedComponent {
	if len(gates) == 0 {
		return c
	}
	out := &v1alpha1.ManagedComponent{}
	if c != nil {
		out = c.DeepCopy()
	}
	out.FeatureGates = mergeMap(gates, out.FeatureGates)
	return out
}

// args returns the arguments of a component; own are those that Kairship needs, which win. The feature gates are among
// them: the operator ignores those that are set for a single component.
func args(c *v1alpha1.ManagedComponent, own map[string]string) map[string]string {
	out := map[string]string{}
	if c != nil {
		maps.Copy(out, c.ExtraArgs)
		if len(c.FeatureGates) > 0 {
			gates := readGates(out["feature-gates"])
			for gate, on := range c.FeatureGates {
				gates[gate] = strconv.FormatBool(on)
			}
			pairs := make([]string, 0, len(gates))
			for _, gate := range slices.Sorted(maps.Keys(gates)) {
				pairs = append(pairs, fmt.Sprintf("%s=%s", gate, gates[gate]))
			}
			out["feature-gates"] = strings.Join(pairs, ",")
		}
	}
	maps.Copy(out, own)
	if len(out) == 0 {
		return nil
	}
	return out
}

func readGates(argument string) map[string]string {
	gates := map[string]string{}
	for _, pair := range strings.Split(argument, ",") {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			gates[name] = value
		}
	}
	return gates
}
