package actions

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// CreateInstance installs a control plane.
type CreateInstance struct {
	NewInstance
	Version          string
	Namespace        string
	HighAvailability *bool
	Components       *model.ManagedComponentsInput
	Etcd             *model.ManagedEtcdInput
	APIServer        *model.ManagedAPIServerInput
	ImageRegistry    string
	// DeletionPolicy is empty for the default.
	DeletionPolicy model.DeletionPolicy
}

// Verb names the action.
func (a *CreateInstance) Verb() string { return "createInstance" }

// Do returns the instance as it will be, and the operation that installs it.
func (a *CreateInstance) Do(ctx context.Context, call *Call) (*InstanceChange, []model.UserError, error) {
	i, err := a.object(call)
	if err != nil {
		return nil, nil, err
	}
	i.Spec.Source, i.Spec.DeletionPolicy = v1alpha1.InstanceManaged, policies[a.DeletionPolicy]
	if i.Spec.Managed, err = a.managed(); err != nil {
		return nil, nil, err
	}
	return a.begin(ctx, call, v1alpha1.OperationCreateInstance, i, nil)
}

var policies = map[model.DeletionPolicy]v1alpha1.DeletionPolicy{model.DeletionCascade: v1alpha1.DeletionCascade, model.DeletionOrphan: v1alpha1.DeletionOrphan}

// managed is what is to be installed; nil when nothing is said of it.
func (a *CreateInstance) managed() (*v1alpha1.ManagedInstance, error) {
	m := &v1alpha1.ManagedInstance{Version: a.Version, Namespace: a.Namespace, HighAvailability: a.HighAvailability, ImageRegistry: a.ImageRegistry}
	var err error
	if m.Components, err = componentsOf(a.Components); err != nil {
		return nil, err
	}
	if m.Etcd, err = etcdOf(a.Etcd); err != nil {
		return nil, err
	}
	if s := a.APIServer; s != nil {
		m.APIServer = &v1alpha1.ManagedAPIServer{CertSANs: s.CertSANs}
		if m.APIServer.ServiceAnnotations, err = entriesOf("apiServer", s.ServiceAnnotations); err != nil {
			return nil, err
		}
		if s.ServiceType != nil {
			m.APIServer.ServiceType = corev1.ServiceType(*s.ServiceType)
		}
		if s.LoadBalancerClass != nil {
			m.APIServer.LoadBalancerClass = *s.LoadBalancerClass
		}
	}
	return m, nil
}

func componentsOf(in *model.ManagedComponentsInput) (*v1alpha1.ManagedComponents, error) {
	if in == nil {
		return nil, nil //nolint:nilnil // nothing was said
	}
	out := &v1alpha1.ManagedComponents{}
	for _, c := range []struct {
		from *model.ManagedComponentInput
		to   **v1alpha1.ManagedComponent
	}{
		{in.APIServer, &out.APIServer}, {in.AggregatedAPIServer, &out.AggregatedAPIServer}, {in.KubeControllerManager, &out.KubeControllerManager},
		{in.ControllerManager, &out.ControllerManager}, {in.Scheduler, &out.Scheduler}, {in.Webhook, &out.Webhook},
		{in.Descheduler, &out.Descheduler}, {in.MetricsAdapter, &out.MetricsAdapter},
	} {
		if c.from == nil {
			continue
		}
		made := &v1alpha1.ManagedComponent{Replicas: c.from.Replicas}
		requests, err := amounts("components", c.from.Requests)
		if err != nil {
			return nil, err
		}
		limits, err := amounts("components", c.from.Limits)
		if err != nil {
			return nil, err
		}
		if requests != nil || limits != nil {
			made.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: limits}
		}
		if made.ExtraArgs, err = entriesOf("components", c.from.ExtraArgs); err != nil {
			return nil, err
		}
		*c.to = made
	}
	return out, nil
}

func etcdOf(in *model.ManagedEtcdInput) (*v1alpha1.ManagedEtcd, error) {
	switch {
	case in == nil:
		return nil, nil //nolint:nilnil // nothing was said
	case (in.Local == nil) == (in.External == nil):
		return nil, model.BadInput("etcd", "needs one of `local` and `external`")
	case in.External != nil:
		return &v1alpha1.ManagedEtcd{External: &v1alpha1.ExternalEtcd{
			Endpoints: in.External.Endpoints, CredentialSecretRef: v1alpha1.SecretReference{Name: in.External.CredentialSecret},
		}}, nil
	}
	local := &v1alpha1.LocalEtcd{Replicas: in.Local.Replicas}
	if in.Local.StorageSize != nil {
		size, err := quantity("etcd", *in.Local.StorageSize)
		if err != nil {
			return nil, err
		}
		local.StorageSize = &size
	}
	if in.Local.StorageClassName != nil {
		local.StorageClassName = *in.Local.StorageClassName
	}
	return &v1alpha1.ManagedEtcd{Local: local}, nil
}
