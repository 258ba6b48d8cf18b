package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/bench/controllers/standin"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const (
	namespace             = "kairship-system"
	clusterpediaNamespace = "clusterpedia-system"
	// callTimeout bounds each request of the measurement itself.
	callTimeout = 30 * time.Second
)

// fleet is everything that a measurement starts.
type fleet struct {
	env  testenv.Environment
	host *testenv.Server
	// kubeconfig is the file by which a process reaches the host cluster.
	kubeconfig string
	scratch    string
	logs       *os.File
	manager    *process
	pedia      *clusterpedia

	// karmadas by the name of their instance. They keep running when it is detached.
	karmadas map[string]*standin.Karmada
}

// startFleet starts the host cluster, the stand-in for Clusterpedia and the controller manager.
func startFleet(ctx context.Context, o options) (f *fleet, err error) {
	f = &fleet{karmadas: map[string]*standin.Karmada{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.stop())
		}
	}()
	if f.host, err = f.env.Start(testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions); err != nil {
		return f, err
	}
	for _, name := range []string{namespace, clusterpediaNamespace} {
		if err := f.host.EnsureNamespace(name); err != nil {
			return f, err
		}
	}
	if f.scratch, err = os.MkdirTemp("", "kairship-bench-"); err != nil {
		return f, fmt.Errorf("making a folder: %w", err)
	}
	f.kubeconfig = filepath.Join(f.scratch, "host.kubeconfig")
	if err := f.writeKubeconfig(f.kubeconfig); err != nil {
		return f, err
	}
	if f.pedia, err = startClusterpedia(ctx, f.host.Config); err != nil {
		return f, err
	}
	logs := o.logs
	if logs == "" {
		logs = filepath.Join(f.scratch, "controller-manager.log")
	}
	if f.logs, err = os.Create(logs); err != nil {
		return f, fmt.Errorf("making a file for the logs: %w", err)
	}
	f.manager, err = startManager(ctx, o.kairship, f.kubeconfig, f.logs)
	return f, err
}

// stop stops everything in the order of dependencies.
func (f *fleet) stop() error {
	var failed []error
	if f.manager != nil {
		failed = append(failed, f.manager.stop())
	}
	if f.pedia != nil {
		f.pedia.stop()
	}
	for _, k := range f.karmadas {
		failed = append(failed, k.Stop())
	}
	failed = append(failed, f.env.Stop())
	if f.logs != nil {
		failed = append(failed, f.logs.Close())
	}
	if f.scratch != "" {
		failed = append(failed, os.RemoveAll(f.scratch))
	}
	return errors.Join(failed...)
}

func (f *fleet) writeKubeconfig(path string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["host"] = &clientcmdapi.Cluster{Server: f.host.Config.Host, CertificateAuthorityData: f.host.Config.CAData}
	config.AuthInfos["admin"] = &clientcmdapi.AuthInfo{ClientCertificateData: f.host.Config.CertData, ClientKeyData: f.host.Config.KeyData}
	config.Contexts["host"] = &clientcmdapi.Context{Cluster: "host", AuthInfo: "admin"}
	config.CurrentContext = "host"
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing the kubeconfig of the host cluster: %w", err)
	}
	return nil
}

// attach attaches many new Karmadas at once, under consecutive names.
func (f *fleet) attach(ctx context.Context, content standin.Content, many int) (names []string, err error) {
	for range many {
		k, err := standin.Start(ctx, len(f.karmadas), content)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("bench-%03d", len(f.karmadas))
		f.karmadas[name] = k
		names = append(names, name)
	}
	const atOnce = 8
	slots := make(chan struct{}, atOnce)
	failed := make([]error, many)
	var creating sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		creating.Go(func() {
			failed[i] = f.create(ctx, name, f.karmadas[name])
			<-slots
		})
	}
	creating.Wait()
	return names, errors.Join(failed...)
}

func (f *fleet) create(ctx context.Context, name string, k *standin.Karmada) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	kubeconfig, err := k.Kubeconfig()
	if err != nil {
		return err
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + "-kubeconfig"},
		Data:       map[string][]byte{v1alpha1.KubeconfigKey: kubeconfig},
	}
	if err := f.host.Client.Create(ctx, secret); err != nil {
		return fmt.Errorf("making the Secret of instance %q: %w", name, err)
	}
	instance := &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.InstanceSpec{
			Source:   v1alpha1.InstanceAttached,
			Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: secret.Name}},
		},
	}
	if err := f.host.Client.Create(ctx, instance); err != nil {
		return fmt.Errorf("making instance %q: %w", name, err)
	}
	return nil
}

// detach deletes an instance and waits until it has gone.
func (f *fleet) detach(ctx context.Context, name string) error {
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := f.host.Client.Delete(ctx, instance); err != nil {
		return fmt.Errorf("deleting instance %q: %w", name, err)
	}
	err := poll(ctx, time.Minute, 50*time.Millisecond, func(ctx context.Context) (string, error) {
		err := f.host.Client.Get(ctx, client.ObjectKeyFromObject(instance), instance)
		if client.IgnoreNotFound(err) != nil {
			return "", err
		}
		if err == nil {
			return fmt.Sprintf("instance %q is still there, held by %v", name, instance.Finalizers), nil
		}
		return "", nil
	})
	if err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + "-kubeconfig"}}
	if err := f.host.Client.Delete(ctx, secret); err != nil {
		return fmt.Errorf("deleting the Secret of instance %q: %w", name, err)
	}
	return nil
}

// untilReady waits until every instance is fully ready.
func (f *fleet) untilReady(ctx context.Context, content standin.Content, within time.Duration) error {
	return poll(ctx, within, 250*time.Millisecond, func(ctx context.Context) (string, error) {
		if err := f.manager.alive(); err != nil {
			return "", err
		}
		var list v1alpha1.InstanceList
		if err := f.host.Client.List(ctx, &list); err != nil {
			return "", fmt.Errorf("listing instances: %w", err)
		}
		missing, first := 0, ""
		for i := range list.Items {
			if why := unready(&list.Items[i], content); why != "" {
				if missing++; first == "" {
					first = fmt.Sprintf("instance %q %s", list.Items[i].Name, why)
				}
			}
		}
		if missing > 0 {
			return fmt.Sprintf("%d of %d instances are not ready: %s", missing, len(list.Items), first), nil
		}
		return "", nil
	})
}

// unready returns why an instance is not fully ready yet.
func unready(instance *v1alpha1.Instance, content standin.Content) string {
	for _, c := range instance.Status.Conditions {
		if c.Status != metav1.ConditionTrue {
			return fmt.Sprintf("has %s %s: %s: %s", c.Type, c.Status, c.Reason, c.Message)
		}
	}
	for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionReadPathSynced, v1alpha1.ConditionAccessApplied} {
		if !meta.IsStatusConditionTrue(instance.Status.Conditions, kind) {
			return "has no condition " + kind
		}
	}
	switch s, v := instance.Status.Statistics, instance.Status.VirtualCluster; {
	case v == nil || v.MembersSynced == nil || int(*v.MembersSynced) != content.Clusters:
		return "has members that are not registered"
	case s == nil || int(s.Clusters.Total) != content.Clusters || int(s.Workloads["Deployment"].Ready) != content.Workloads:
		return "has no statistics, or not all of them"
	}
	return ""
}

// requests returns the requests to all Karmadas, and the watches and connections that are open there.
func (f *fleet) requests() (all standin.Counts, watches, connections int) {
	all = standin.Counts{}
	for _, k := range f.karmadas {
		all.Add(k.Requests.Counts())
		watches += k.Requests.Watches()
		connections += k.Requests.Connections()
	}
	return all, watches, connections
}

// names are those of the instances, in order.
func (f *fleet) names() []string {
	var names []string
	for name := range f.karmadas {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// poll asks until there is no reason to wait any more.
func poll(ctx context.Context, within, every time.Duration, ask func(context.Context) (why string, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	last := "nothing was answered"
	for {
		why, err := ask(ctx)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err == nil && why == "" {
			return nil
		}
		if err == nil {
			last = why
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("after %s: %s", within, last)
		}
	}
}
