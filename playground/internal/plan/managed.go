package plan

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/kubelet"
)

const (
	managedFile = "managed-defaults.yaml"
	// EtcdSecret holds the credential of the fleet's etcd for managed instances.
	EtcdSecret = "playground-etcd" //nolint:gosec // a name
)

// EtcdCredential is what EtcdSecret holds. The fleet's etcd asks for none, but the
// operator insists on one, and API servers read what they are given.
func (p Plan) EtcdCredential() (ca string, pair pki.Pair) {
	return p.ca(fleet.Host).Cert, p.pair(fleet.Host, "admin")
}

// managedDefaults is what all managed instances have in common here. They behave
// as the attached ones do (see karmada.go).
func (p Plan) managedDefaults() ([]byte, error) {
	gates := map[string]bool{}
	for _, g := range strings.Split(karmadaGates, ",") {
		name, value, _ := strings.Cut(g, "=")
		gates[name] = value == "true"
	}
	requests := func(more map[string]string) map[string]string {
		args := map[string]string{"kube-api-qps": "200", "kube-api-burst": "400"}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	b, err := yaml.Marshal(v1alpha1.ManagedInstance{
		Etcd: &v1alpha1.ManagedEtcd{External: &v1alpha1.ExternalEtcd{
			Endpoints: []string{p.etcdServer("")}, CredentialSecretRef: v1alpha1.SecretReference{Name: EtcdSecret},
		}},
		APIServer: &v1alpha1.ManagedAPIServer{
			ServiceType: corev1.ServiceTypeLoadBalancer,
			// Certificates are made before the Service has its address.
			CertSANs: kubelet.AddressesFor(p.Ports.Base()).Balanced(),
		},
		Components: &v1alpha1.ManagedComponents{
			ControllerManager: &v1alpha1.ManagedComponent{FeatureGates: gates, ExtraArgs: requests(map[string]string{
				"cluster-status-update-frequency":  statusFrequency.String(),
				"controllers":                      "*,hpaScaleTargetMarker,deploymentReplicasSyncer",
				"enable-no-execute-taint-eviction": "true",
				"cluster-failure-threshold":        failureThreshold.String(),
				"cluster-success-threshold":        successThreshold.String(),
				"cluster-monitor-grace-period":     monitorGrace.String(),
				"graceful-eviction-timeout":        "1m",
				"cluster-api-qps":                  "200", "cluster-api-burst": "400",
			})},
			Scheduler:      &v1alpha1.ManagedComponent{FeatureGates: gates, ExtraArgs: requests(nil)},
			Webhook:        &v1alpha1.ManagedComponent{ExtraArgs: map[string]string{"allow-no-execute-taint-policy": "true"}},
			MetricsAdapter: &v1alpha1.ManagedComponent{Replicas: ptr.To(int32(1))},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("writing the defaults of managed instances: %w", err)
	}
	return b, nil
}
