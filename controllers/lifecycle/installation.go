package lifecycle

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// annotationInstallation records on an Instance what was decided at its installation and holds until its removal,
// whatever changes in its spec and in the defaults.
const annotationInstallation = v1alpha1.AnnotationPrefix + "installation"

// installation is what cannot be changed after an instance was installed.
type installation struct {
	Namespace string                `json:"namespace"`
	Version   string                `json:"version,omitempty"`
	Etcd      *v1alpha1.ManagedEtcd `json:"etcd,omitempty"`
	CertSANs  []string              `json:"certSANs,omitempty"`
}

// installationOf is what would be decided for an instance now.
func installationOf(instance *v1alpha1.Instance, m v1alpha1.ManagedInstance) installation {
	i := installation{Namespace: or(m.Namespace, namespaceOf(instance.Name)), Version: m.Version}
	if m.Etcd != nil && (m.Etcd.Local != nil || m.Etcd.External != nil) {
		i.Etcd = m.Etcd.DeepCopy()
		if i.Etcd.Local != nil {
			// These can be changed.
			i.Etcd.Local.Resources = nil
		}
	}
	if m.APIServer != nil {
		i.CertSANs = slices.Clone(m.APIServer.CertSANs)
		slices.Sort(i.CertSANs)
	}
	return i
}

// installed reads what was decided; nil when nothing was.
func installed(instance *v1alpha1.Instance) (*installation, error) {
	text, ok := instance.Annotations[annotationInstallation]
	if !ok {
		return nil, nil //nolint:nilnil // nothing was decided
	}
	var i installation
	if err := json.Unmarshal([]byte(text), &i); err != nil || i.Namespace == "" {
		return nil, fmt.Errorf("annotation %s of instance %q is not what Kairship wrote; it is needed to find the control plane: restore it", annotationInstallation, instance.Name)
	}
	return &i, nil
}

func (i installation) String() string {
	// Strings and numbers alone: this cannot fail.
	text, _ := json.Marshal(i) //nolint:errchkjson // see above
	return string(text)
}

// external returns the shared etcd; nil when the instance has its own.
func (i installation) external() *v1alpha1.ExternalEtcd {
	if i.Etcd == nil {
		return nil
	}
	return i.Etcd.External
}

// pin replaces what the merged spec says now by what was decided, and lists what a person asks for in vain. A change of
// the defaults alone is not listed.
func (i installation) pin(instance *v1alpha1.Instance, m v1alpha1.ManagedInstance) (v1alpha1.ManagedInstance, []string) {
	var refused []string
	now, own := installationOf(instance, m), instance.Spec.Managed
	if own == nil {
		own = &v1alpha1.ManagedInstance{}
	}
	if own.Namespace != "" && own.Namespace != i.Namespace {
		refused = append(refused, fmt.Sprintf("spec.managed.namespace is %q, and the control plane runs in %q: it cannot be moved", own.Namespace, i.Namespace))
	}
	if own.Version != "" && own.Version != i.Version {
		refused = append(refused, fmt.Sprintf("spec.managed.version is %s, and %s is installed: the Karmada operator cannot upgrade; set the former one again, or make a new instance", own.Version, or(i.Version, "the operator's own version")))
	}
	if own.Etcd != nil && !equality.Semantic.DeepEqual(now.Etcd, i.Etcd) {
		refused = append(refused, "spec.managed.etcd cannot be changed after the installation: the data would stay behind; set it as it was")
	}
	if own.APIServer != nil && len(own.APIServer.CertSANs) > 0 && !slices.Equal(now.CertSANs, i.CertSANs) {
		refused = append(refused, fmt.Sprintf("spec.managed.apiServer.certSANs cannot be changed after the installation: the certificate was issued for %v", i.CertSANs))
	}

	m.Namespace, m.Version = i.Namespace, i.Version
	etcd := i.Etcd.DeepCopy()
	if etcd != nil && etcd.Local != nil && m.Etcd != nil && m.Etcd.Local != nil {
		etcd.Local.Resources = m.Etcd.Local.Resources
	}
	m.Etcd = etcd
	if m.APIServer != nil || len(i.CertSANs) > 0 {
		server := v1alpha1.ManagedAPIServer{}
		if m.APIServer != nil {
			server = *m.APIServer.DeepCopy()
		}
		server.CertSANs = slices.Clone(i.CertSANs)
		m.APIServer = &server
	}
	return m, refused
}
