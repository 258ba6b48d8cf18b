package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/bench/controllers/standin"
)

const (
	labInstance  = "lab"
	wideInstance = "lab-wide"
	// moreInstances begins the names of further instances, with as many clusters as a workload is in.
	moreInstances, moreClusters = "lab-more-", labTargets
	labNamespace                = "kairship-system"
	// registering is how long the controllers and Clusterpedia may take to register an instance or remove it.
	registering = 2 * time.Minute
)

// labFleet is an instance of the lab: a stand-in for a Karmada with some members, all of them empty, that Kairship has
// attached and Clusterpedia follows. Rows that are added to the read store in its name afterwards stay there:
// Clusterpedia removes only what it has seen itself, and it never saw them. A restart of its synchro manager would end
// that, but does not happen during a run.
type labFleet struct {
	name    string
	members int
	host    client.Client
	karmada *standin.Karmada
}

func (l *labFleet) secret() string { return l.name + "-kubeconfig" }

// attachLab makes the instance and waits until it is followed. What an interrupted run left is removed.
func attachLab(ctx context.Context, f *fleet, name string, number, members int) (l *labFleet, err error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, fmt.Errorf("registering types: %w", err)
	}
	l = &labFleet{name: name, members: members}
	if l.host, err = client.New(f.host, client.Options{Scheme: scheme}); err != nil {
		return nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	if err := l.delete(ctx); err != nil {
		return nil, err
	}
	// Another loopback address than those of bench/controllers, which may run at the same time.
	const first = 5010
	if l.karmada, err = standin.Start(ctx, first+number, standin.Content{Clusters: members}); err != nil {
		return nil, err
	}
	if err := l.create(ctx); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		return nil, errors.Join(err, l.detach(ctx))
	}
	return l, nil
}

func (l *labFleet) create(ctx context.Context) error {
	kubeconfig, err := l.karmada.Kubeconfig()
	if err != nil {
		return err
	}
	if err := announce(ctx, kubeconfig, l.members); err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: labNamespace, Name: l.secret()},
		Data: map[string][]byte{v1alpha1.KubeconfigKey: kubeconfig}}
	if err := l.host.Create(ctx, secret); err != nil {
		return fmt.Errorf("making the Secret of the lab's instance: %w", err)
	}
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: l.name}, Spec: v1alpha1.InstanceSpec{
		Source: v1alpha1.InstanceAttached, DisplayName: "Read store lab of " + fmt.Sprint(l.members) + " clusters",
		Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: secret.Name}},
	}}
	if err := l.host.Create(ctx, instance); err != nil {
		return fmt.Errorf("making the lab's instance: %w", err)
	}
	return until(ctx, "the lab's instance is in the read store", func(ctx context.Context) (string, error) {
		if err := l.host.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
			return "", fmt.Errorf("reading the lab's instance: %w", err)
		}
		v := instance.Status.VirtualCluster
		if v == nil || v.MembersSynced == nil || int(*v.MembersSynced) != l.members {
			return "its members are not all registered", nil
		}
		if c := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionReadPathSynced); c == nil || c.Status != metav1.ConditionTrue {
			return fmt.Sprintf("its condition %s is %+v", v1alpha1.ConditionReadPathSynced, c), nil
		}
		return "", nil
	})
}

// announce makes the APIServices of what the stand-in and its members serve. Clusterpedia reads from them which kinds
// there are, and waits for the first of them.
func announce(ctx context.Context, kubeconfig []byte, members int) error {
	cfg, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of the lab's Karmada: %w", err)
	}
	cfg.QPS = -1
	servers := []string{cfg.Host}
	for i := range members {
		servers = append(servers, fmt.Sprintf("%s/apis/cluster.karmada.io/v1alpha1/clusters/%s/proxy", cfg.Host, memberName(i)))
	}
	for _, server := range servers {
		cfg := rest.CopyConfig(cfg)
		cfg.Host = server
		found, err := discovery.NewDiscoveryClientForConfig(cfg)
		if err != nil {
			return fmt.Errorf("making a client of the lab's Karmada: %w", err)
		}
		groups, err := found.ServerGroups()
		if err != nil {
			return fmt.Errorf("asking the lab's Karmada what it serves: %w", err)
		}
		services, err := dynamic.NewForConfig(cfg)
		if err != nil {
			return fmt.Errorf("making a client of the lab's Karmada: %w", err)
		}
		for _, g := range groups.Groups {
			for _, v := range g.Versions {
				service := &unstructured.Unstructured{Object: map[string]any{
					"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": map[string]any{"name": v.Version + "." + g.Name},
					"spec": map[string]any{"group": g.Name, "version": v.Version, "groupPriorityMinimum": int64(1000), "versionPriority": int64(15)}}}
				gvr := schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
				if _, err := services.Resource(gvr).Create(ctx, service, metav1.CreateOptions{}); err != nil {
					return fmt.Errorf("announcing %s: %w", v.GroupVersion, err)
				}
			}
		}
	}
	return nil
}

// memberName is the name of a member of the stand-in.
func memberName(i int) string { return fmt.Sprintf("member-%02d", i+1) }

// detach removes the instance and ends the stand-in.
func (l *labFleet) detach(ctx context.Context) error {
	return errors.Join(l.delete(ctx), l.karmada.Stop())
}

func (l *labFleet) delete(ctx context.Context) error {
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: l.name}}
	if err := l.host.Delete(ctx, instance); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting the lab's instance: %w", err)
	}
	err := until(ctx, "the lab's instance is gone", func(ctx context.Context) (string, error) {
		err := l.host.Get(ctx, client.ObjectKeyFromObject(instance), instance)
		if apierrors.IsNotFound(err) {
			return "", nil
		}
		return fmt.Sprintf("it is held by %v", instance.Finalizers), err
	})
	if err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: labNamespace, Name: l.secret()}}
	if err := l.host.Delete(ctx, secret); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting the Secret of the lab's instance: %w", err)
	}
	return nil
}

// until asks until there is no reason to wait any more.
func until(ctx context.Context, what string, ask func(context.Context) (why string, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, registering)
	defer cancel()
	tick := time.NewTicker(time.Second / 4)
	defer tick.Stop()
	last := ""
	for {
		why, err := ask(ctx)
		if err == nil && why == "" {
			return nil
		}
		if ctx.Err() == nil {
			last = why
			if err != nil {
				last = err.Error()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("waiting until %s: %w: %s", what, ctx.Err(), last)
		}
	}
}
