package lifecycle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	operatorv1alpha1 "github.com/karmada-io/karmada/operator/pkg/apis/operator/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func europe(edits ...func(*v1alpha1.Instance)) *v1alpha1.Instance {
	i := &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "europe", UID: "0123456789abcdef"},
		Spec:       v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged, Managed: &v1alpha1.ManagedInstance{}, Settings: &v1alpha1.InstanceSettings{}},
	}
	for _, edit := range edits {
		edit(i)
	}
	return i
}

func TestWhatTheOperatorIsAskedForFollowsTheSpecTheSettingsAndTheDefaults(t *testing.T) {
	for name, test := range map[string]struct {
		defaults v1alpha1.ManagedInstance
		edit     func(*v1alpha1.Instance)
		get      func(*operatorv1alpha1.KarmadaSpec) any
		want     any
	}{
		"one of each without a word": {
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return *s.Components.KarmadaScheduler.Replicas },
			want: int32(1),
		},
		"three where it is highly available": {
			edit: func(i *v1alpha1.Instance) { i.Spec.Managed.HighAvailability = ptr.To(true) },
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				return []int32{*s.Components.KarmadaAPIServer.Replicas, *s.Components.Etcd.Local.Replicas, *s.Components.KarmadaWebhook.Replicas}
			},
			want: []int32{3, 3, 3},
		},
		"an instance says no to the high availability of the defaults": {
			defaults: v1alpha1.ManagedInstance{HighAvailability: ptr.To(true)},
			edit:     func(i *v1alpha1.Instance) { i.Spec.Managed.HighAvailability = ptr.To(false) },
			get:      func(s *operatorv1alpha1.KarmadaSpec) any { return *s.Components.KarmadaAPIServer.Replicas },
			want:     int32(1),
		},
		"a component's own replicas win": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.HighAvailability = ptr.To(true)
				i.Spec.Managed.Components = &v1alpha1.ManagedComponents{Webhook: &v1alpha1.ManagedComponent{Replicas: ptr.To[int32](2)}}
			},
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return *s.Components.KarmadaWebhook.Replicas },
			want: int32(2),
		},
		"arguments are merged one by one": {
			defaults: v1alpha1.ManagedInstance{Components: &v1alpha1.ManagedComponents{Scheduler: &v1alpha1.ManagedComponent{ExtraArgs: map[string]string{"a": "default", "b": "default"}}}},
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.Components = &v1alpha1.ManagedComponents{Scheduler: &v1alpha1.ManagedComponent{ExtraArgs: map[string]string{"b": "own"}}}
			},
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return s.Components.KarmadaScheduler.ExtraArgs },
			want: map[string]string{"a": "default", "b": "own"},
		},
		"feature gates become an argument": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.Components = &v1alpha1.ManagedComponents{Scheduler: &v1alpha1.ManagedComponent{
					ExtraArgs: map[string]string{"feature-gates": "A=true,B=true"}, FeatureGates: map[string]bool{"B": false, "C": true},
				}}
			},
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return s.Components.KarmadaScheduler.ExtraArgs },
			want: map[string]string{"feature-gates": "A=true,B=false,C=true"},
		},
		"an external etcd has prefixes that win, and the Secret that the operator demands": {
			defaults: v1alpha1.ManagedInstance{Etcd: &v1alpha1.ManagedEtcd{External: &v1alpha1.ExternalEtcd{Endpoints: []string{"http://e"}}}},
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.Components = &v1alpha1.ManagedComponents{APIServer: &v1alpha1.ManagedComponent{ExtraArgs: map[string]string{"etcd-prefix": "/registry"}}}
			},
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				return []string{
					s.Components.KarmadaAPIServer.ExtraArgs["etcd-prefix"], s.Components.KarmadaAggregatedAPIServer.ExtraArgs["etcd-prefix"],
					s.Components.Etcd.External.SecretRef.Namespace, s.Components.Etcd.External.SecretRef.Name,
				}
			},
			want: []string{"/kairship/europe-01234567", "/kairship/europe-01234567-aggregated", "kairship-europe", "europe-karmada-etcd-cert"},
		},
		"an etcd of its own on a volume": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.Etcd = &v1alpha1.ManagedEtcd{Local: &v1alpha1.LocalEtcd{StorageSize: ptr.To(resource.MustParse("2Gi")), StorageClassName: "fast"}}
			},
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				claim := s.Components.Etcd.Local.VolumeData.VolumeClaim.Spec
				return []string{claim.Resources.Requests.Storage().String(), *claim.StorageClassName}
			},
			want: []string{"2Gi", "fast"},
		},
		"the version is that of Karmada's components alone": {
			edit: func(i *v1alpha1.Instance) { i.Spec.Managed.Version = "v1.18.2" },
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				return []string{s.Components.KarmadaWebhook.ImageTag, s.Components.KarmadaAPIServer.ImageTag, s.Components.Etcd.Local.ImageTag}
			},
			want: []string{"v1.18.2", "", ""},
		},
		"a registry is said of each component": {
			edit: func(i *v1alpha1.Instance) { i.Spec.Managed.ImageRegistry = "registry.example/mirror/" },
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				return []string{s.Components.KarmadaScheduler.ImageRepository, s.Components.Etcd.Local.ImageRepository}
			},
			want: []string{"registry.example/mirror/karmada-scheduler", "registry.example/mirror/etcd"},
		},
		"no metrics adapter runs unless it is asked for": {
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return *s.Components.KarmadaMetricsAdapter.Replicas },
			want: int32(0),
		},
		"a metrics adapter that is asked for": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Settings.MetricsAdapter = &v1alpha1.MetricsAdapterSettings{Enabled: true}
			},
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return *s.Components.KarmadaMetricsAdapter.Replicas },
			want: int32(1),
		},
		"no descheduler unless it is asked for": {
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return s.Components.KarmadaDescheduler == nil },
			want: true,
		},
		"a descheduler with its pace": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Settings.Descheduler = &v1alpha1.DeschedulerSettings{Enabled: true, IntervalSeconds: ptr.To[int32](60), UnschedulableThresholdSeconds: ptr.To[int32](90)}
			},
			get:  func(s *operatorv1alpha1.KarmadaSpec) any { return s.Components.KarmadaDescheduler.ExtraArgs },
			want: map[string]string{"descheduling-interval": "60s", "unschedulable-threshold": "90s"},
		},
		"failover is arguments of two components": {
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Settings.Failover = &v1alpha1.FailoverSettings{Enabled: true, FailureThresholdSeconds: ptr.To[int32](5), GracefulEvictionTimeoutSeconds: ptr.To[int32](60)}
				i.Spec.Managed.Components = &v1alpha1.ManagedComponents{ControllerManager: &v1alpha1.ManagedComponent{FeatureGates: map[string]bool{"Failover": false, "X": true}}}
			},
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				return []map[string]string{s.Components.KarmadaControllerManager.ExtraArgs, s.Components.KarmadaWebhook.ExtraArgs}
			},
			want: []map[string]string{
				{
					"feature-gates": "Failover=true,GracefulEviction=true,X=true", "enable-no-execute-taint-eviction": "true",
					"cluster-failure-threshold": "5s", "graceful-eviction-timeout": "60s",
				},
				{"allow-no-execute-taint-policy": "true"},
			},
		},
		"how the API server is reached": {
			defaults: v1alpha1.ManagedInstance{APIServer: &v1alpha1.ManagedAPIServer{ServiceType: corev1.ServiceTypeLoadBalancer, CertSANs: []string{"a"}, ServiceAnnotations: map[string]string{"x": "1"}}},
			edit: func(i *v1alpha1.Instance) {
				i.Spec.Managed.APIServer = &v1alpha1.ManagedAPIServer{CertSANs: []string{"b"}, LoadBalancerClass: "inner", ServiceAnnotations: map[string]string{"y": "2"}}
			},
			get: func(s *operatorv1alpha1.KarmadaSpec) any {
				a := s.Components.KarmadaAPIServer
				return []any{a.ServiceType, a.CertSANs, *a.LoadBalancerClass, a.ServiceAnnotations}
			},
			want: []any{corev1.ServiceTypeLoadBalancer, []string{"b"}, "inner", map[string]string{"x": "1", "y": "2"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := europe()
			if test.edit != nil {
				test.edit(i)
			}
			k := desired(i, merge(i.Spec.Managed, test.defaults))
			if diff := cmp.Diff(test.want, test.get(&k.Spec)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatCannotBeChangedAfterTheInstallationIsRefusedByName(t *testing.T) {
	was := installationOf(europe(), v1alpha1.ManagedInstance{Version: "v1.18.1", APIServer: &v1alpha1.ManagedAPIServer{CertSANs: []string{"a"}}})
	for name, test := range map[string]struct {
		own      v1alpha1.ManagedInstance
		defaults v1alpha1.ManagedInstance
		want     []string
	}{
		"nothing changed":          {own: v1alpha1.ManagedInstance{Version: "v1.18.1"}},
		"the defaults changed":     {defaults: v1alpha1.ManagedInstance{Version: "v1.19.0"}},
		"the version":              {own: v1alpha1.ManagedInstance{Version: "v1.19.0"}, want: []string{"spec.managed.version"}},
		"the namespace":            {own: v1alpha1.ManagedInstance{Namespace: "other"}, want: []string{"spec.managed.namespace"}},
		"the etcd":                 {own: v1alpha1.ManagedInstance{Etcd: &v1alpha1.ManagedEtcd{Local: &v1alpha1.LocalEtcd{Replicas: ptr.To[int32](3)}}}, want: []string{"spec.managed.etcd"}},
		"names of the certificate": {own: v1alpha1.ManagedInstance{APIServer: &v1alpha1.ManagedAPIServer{CertSANs: []string{"b"}}}, want: []string{"spec.managed.apiServer.certSANs"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := europe(func(i *v1alpha1.Instance) { i.Spec.Managed = &test.own })
			m, refused := was.pin(i, merge(i.Spec.Managed, test.defaults))
			var fields []string
			for _, r := range refused {
				field, _, _ := strings.Cut(r, " ")
				fields = append(fields, field)
			}
			if diff := cmp.Diff(test.want, fields); diff != "" {
				t.Errorf("refused (-want +got):\n%s", diff)
			}
			if m.Version != "v1.18.1" || m.Namespace != "kairship-europe" || m.Etcd != nil || !cmp.Equal(m.APIServer.CertSANs, []string{"a"}) {
				t.Errorf("what was decided does not hold: %+v", m)
			}
		})
	}
}

func TestDefaultsThatCannotBeReadNameTheField(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"unknown field": {"apiServer:\n  serviceTyp: ClusterIP\n", "serviceTyp"},
		"wrong type":    {"highAvailability: often\n", "highAvailability"},
		"wrong value":   {"apiServer:\n  serviceType: ExternalName\n", "apiServer.serviceType"},
		"two etcds":     {"etcd:\n  local: {}\n  external: {endpoints: [http://e], credentialSecretRef: {name: x}}\n", "etcd has both"},
		"endpoint":      {"etcd:\n  external: {endpoints: [e:2379], credentialSecretRef: {name: x}}\n", "etcd.external.endpoints[0]"},
		"replicas":      {"components:\n  scheduler: {replicas: 0}\n", "components.scheduler.replicas"},
		"namespace":     {"namespace: all\n", "namespace"},
		"good":          {"version: v1.18.2\netcd:\n  external: {endpoints: [http://e], credentialSecretRef: {name: x}}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "defaults.yaml")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := ReadDefaults(path)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v; want %q", err, test.want)
			}
		})
	}
}
