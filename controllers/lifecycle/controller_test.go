package lifecycle_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func externalDefaults() v1alpha1.ManagedInstance {
	return v1alpha1.ManagedInstance{Etcd: &v1alpha1.ManagedEtcd{External: &v1alpha1.ExternalEtcd{
		Endpoints: []string{inner.Etcd()}, CredentialSecretRef: v1alpha1.SecretReference{Name: "etcd-credential"},
	}}}
}

func etcdCredential(t *testing.T) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "etcd-credential"}, Data: map[string][]byte{
		"ca.crt": []byte("a"), "tls.crt": []byte("b"), "tls.key": []byte("c"),
	}}
	if err := host.Client.Create(t.Context(), s); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

func TestAManagedInstanceIsInstalledAndItsKubeconfigPublished(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	kubeconfig := karmada.Kubeconfig("kairship")
	operate(t, kubeconfig)
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "europe")

	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
	i := instance(t, "europe")
	if i.CredentialSecret() != "europe-kubeconfig" {
		t.Errorf("the kubeconfig is said to be in %q", i.CredentialSecret())
	}
	var secret corev1.Secret
	if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "europe-kubeconfig"}, &secret); err != nil {
		t.Fatal(err)
	}
	if string(secret.Data[v1alpha1.KubeconfigKey]) != string(kubeconfig) {
		t.Error("what is published is not the operator's kubeconfig")
	}
	var names []string
	for _, s := range i.Status.Steps {
		names = append(names, s.Name)
		if s.State != v1alpha1.StepSucceeded || s.StartedAt == nil || s.FinishedAt == nil {
			t.Errorf("step %+v has not succeeded with its times", s)
		}
	}
	want := "Namespace Operator Certificates Etcd APIServer AggregatedAPIServer ResourceTypes Components Kubeconfig PullRegistration"
	if strings.Join(names, " ") != want {
		t.Errorf("the steps are %v", names)
	}
	inside := dynamic.NewForConfigOrDie(inner.Config)
	if _, err := inside.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("kube-public").Get(t.Context(), "cluster-info", metav1.GetOptions{}); err != nil {
		t.Errorf("clusters that register themselves find no cluster-info: %v", err)
	}

	// The operator issues another one.
	var admin corev1.Secret
	if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: "kairship-europe", Name: "europe-karmada-admin-config"}, &admin); err != nil {
		t.Fatal(err)
	}
	another := karmada.Kubeconfig("kairship-again")
	admin.Data["karmada.config"] = another
	if err := host.Client.Update(t.Context(), &admin); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "europe-kubeconfig"}, &secret); err != nil {
			return err.Error()
		}
		if string(secret.Data[v1alpha1.KubeconfigKey]) != string(another) {
			return "the former kubeconfig is still published"
		}
		return ""
	})

	// Somebody edits the operator's object.
	k := karmadaOf(t, "europe")
	if err := unstructured.SetNestedField(k.Object, int64(7), "spec", "components", "karmadaScheduler", "replicas"); err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(k.Object, "2", "spec", "components", "karmadaScheduler", "extraArgs", "v"); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Update(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		scheduler, _, _ := unstructured.NestedMap(karmadaOf(t, "europe").Object, "spec", "components", "karmadaScheduler")
		if scheduler["replicas"] != int64(1) || scheduler["extraArgs"].(map[string]any)["v"] != "2" {
			return "the scheduler is as the other left it, or the other's own field is gone"
		}
		return ""
	})
}

func TestWhatTheOperatorSaysOfAFailureIsTheMessageOfTheStep(t *testing.T) {
	o := operate(t, nil)
	o.fail = "the image cannot be pulled"
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "broken")
	if c := says(t, "broken", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstallFailed); !strings.Contains(c.Message, o.fail) {
		t.Errorf("the condition says %q", c.Message)
	}
	i := instance(t, "broken")
	if !slices.ContainsFunc(i.Status.Steps, func(s v1alpha1.Step) bool {
		return s.State == v1alpha1.StepFailed && strings.Contains(s.Message, o.fail)
	}) {
		t.Errorf("no step failed: %+v", i.Status.Steps)
	}
	// An installation that never came to its end is in nobody's way.
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	gone(t, "broken")
}

func TestNothingIsLeftOfACascade(t *testing.T) {
	etcdCredential(t)
	karmada := testenv.NewKarmada(t, inner)
	operate(t, karmada.Kubeconfig("kairship"))
	start(t, externalDefaults(), nil)
	made := create(t, "europe")
	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)

	prefix := "/kairship/europe-" + string(made.UID)[:8]
	etcd := etcdOf(t, inner)
	keys := []string{prefix + "/a", prefix + "/b", prefix + "-aggregated/a"}
	neighbour := prefix + "9/a"
	for _, key := range append(keys, neighbour) {
		if _, err := etcd.Put(t.Context(), key, "x"); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _, _ = etcd.Delete(context.Background(), neighbour) })
	if err := host.Client.Delete(t.Context(), instance(t, "europe")); err != nil {
		t.Fatal(err)
	}
	gone(t, "europe")
	if l := left(t, "europe"); len(l) > 0 {
		t.Errorf("left behind: %v", l)
	}
	got, err := etcd.Get(t.Context(), "/kairship/", clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Kvs) != 1 || string(got.Kvs[0].Key) != neighbour {
		t.Errorf("etcd holds %v; want the neighbour's key alone", got.Kvs)
	}
}

func TestJoinedClustersHoldADeletionBackUntilTheyHaveLeft(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	operate(t, karmada.Kubeconfig("kairship"))
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "europe")
	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
	karmada.Join("frankfurt", http.StatusOK)
	if err := host.Client.Delete(t.Context(), instance(t, "europe")); err != nil {
		t.Fatal(err)
	}
	if c := says(t, "europe", v1alpha1.ConditionDeletable, v1alpha1.ReasonMembersJoined); !strings.Contains(c.Message, "frankfurt") {
		t.Errorf("the condition does not name the cluster: %s", c.Message)
	}
	if karmadaOf(t, "europe").GetDeletionTimestamp() != nil {
		t.Error("the control plane goes although a cluster is joined")
	}
	karmada.Leave("frankfurt")
	gone(t, "europe")
}

func TestAForcedDeletionGoesOnAlthoughClustersAreJoinedOrTheKarmadaDoesNotAnswer(t *testing.T) {
	for _, test := range []struct {
		name   string
		spoil  func(*testenv.Karmada)
		reason string
	}{
		{"joined", func(k *testenv.Karmada) { k.Join("frankfurt", http.StatusOK) }, v1alpha1.ReasonMembersJoined},
		{"down", func(k *testenv.Karmada) { k.Set(testenv.Down) }, v1alpha1.ReasonUnreachable},
	} {
		t.Run(test.name, func(t *testing.T) {
			karmada := testenv.NewKarmada(t, inner)
			operate(t, karmada.Kubeconfig("kairship"))
			start(t, v1alpha1.ManagedInstance{}, nil)
			create(t, "europe")
			says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
			test.spoil(karmada)
			if err := host.Client.Delete(t.Context(), instance(t, "europe")); err != nil {
				t.Fatal(err)
			}
			says(t, "europe", v1alpha1.ConditionDeletable, test.reason)
			update(t, "europe", func(i *v1alpha1.Instance) {
				metav1.SetMetaDataAnnotation(&i.ObjectMeta, v1alpha1.AnnotationForceDelete, "europe")
			})
			gone(t, "europe")
			if l := left(t, "europe"); len(l) > 0 {
				t.Errorf("left behind: %v", l)
			}
		})
	}
}

func TestAnOrphanedControlPlaneGoesOnRunningWithoutKairshipsMarks(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	operate(t, karmada.Kubeconfig("kairship"))
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "europe", func(i *v1alpha1.Instance) {
		i.Spec.DeletionPolicy = v1alpha1.DeletionOrphan
		i.Spec.Settings = &v1alpha1.InstanceSettings{Failover: &v1alpha1.FailoverSettings{Enabled: true}}
	})
	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
	says(t, "europe", v1alpha1.ConditionSettingsApplied, v1alpha1.ReasonApplied)
	karmada.Join("frankfurt", http.StatusOK)
	if err := host.Client.Delete(t.Context(), instance(t, "europe")); err != nil {
		t.Fatal(err)
	}
	gone(t, "europe")
	k := karmadaOf(t, "europe")
	if k == nil || k.GetDeletionTimestamp() != nil {
		t.Fatal("the control plane is gone, or goes")
	}
	for name := range k.GetLabels() {
		if strings.HasPrefix(name, v1alpha1.AnnotationPrefix) {
			t.Errorf("label %s is left", name)
		}
	}
	for name := range k.GetAnnotations() {
		if strings.HasPrefix(name, v1alpha1.AnnotationPrefix) {
			t.Errorf("annotation %s is left", name)
		}
	}
	err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "europe-kubeconfig"}, &corev1.Secret{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the published kubeconfig: %v", err)
	}
	if err := policy(t); !apierrors.IsNotFound(err) {
		t.Errorf("the ClusterTaintPolicy: %v", err)
	}
}

var taintPolicies = schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "clustertaintpolicies"}

func policy(t *testing.T) error {
	t.Helper()
	_, err := dynamic.NewForConfigOrDie(inner.Config).Resource(taintPolicies).Get(t.Context(), "kairship-failover", metav1.GetOptions{})
	return err
}

func TestFailoverOfAnAttachedInstanceComesAndGoesWithItsSetting(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "asia"}, Data: map[string][]byte{v1alpha1.KubeconfigKey: karmada.Kubeconfig("kairship")}}
	if err := host.Client.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), secret) })
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "asia", func(i *v1alpha1.Instance) {
		i.Spec.Source = v1alpha1.InstanceAttached
		i.Spec.Attached = &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}}
		i.Spec.Settings = &v1alpha1.InstanceSettings{
			Failover:    &v1alpha1.FailoverSettings{Enabled: true},
			Descheduler: &v1alpha1.DeschedulerSettings{Enabled: true},
		}
	})
	if c := says(t, "asia", v1alpha1.ConditionSettingsApplied, v1alpha1.ReasonPartlyApplied); !strings.Contains(c.Message, "settings.descheduler") {
		t.Errorf("the condition does not say what cannot be done: %s", c.Message)
	}
	testenv.Eventually(t, func() string { return text(policy(t)) })

	// A cluster that failed meanwhile carries the taint, which Karmada would keep for ever.
	karmada.Join("tokyo", http.StatusOK)
	inside := dynamic.NewForConfigOrDie(inner.Config).Resource(schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"})
	tokyo, err := inside.Get(t.Context(), "tokyo", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	taints := []any{
		map[string]any{"key": "cluster.karmada.io/not-ready", "effect": "NoExecute"},
		map[string]any{"key": "cluster.karmada.io/not-ready", "effect": "NoSchedule"},
	}
	if err := unstructured.SetNestedSlice(tokyo.Object, taints, "spec", "taints"); err != nil {
		t.Fatal(err)
	}
	if _, err := inside.Update(t.Context(), tokyo, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	// It is removed, too, when that fails at first.
	var refused atomic.Int32
	karmada.Instead(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/clustertaintpolicies/") || refused.Add(1) > 2 {
			return false
		}
		http.Error(w, "busy", http.StatusInternalServerError)
		return true
	})
	update(t, "asia", func(i *v1alpha1.Instance) { i.Spec.Settings = nil })
	testenv.Eventually(t, func() string {
		if err := policy(t); !apierrors.IsNotFound(err) {
			return fmt.Sprintf("the policy is still there: %v", err)
		}
		if f := instance(t, "asia").Finalizers; len(f) > 0 {
			return "the finalizer is still there"
		}
		return ""
	})
	if tokyo, err = inside.Get(t.Context(), "tokyo", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	kept, _, _ := unstructured.NestedSlice(tokyo.Object, "spec", "taints")
	if len(kept) != 1 || kept[0].(map[string]any)["effect"] != "NoSchedule" {
		t.Errorf("the cluster has the taints %v", kept)
	}
}

func TestASecretOfSomebodyElseIsNotWrittenOver(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	operate(t, karmada.Kubeconfig("kairship"))
	theirs := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "europe-kubeconfig"}, Data: map[string][]byte{"kubeconfig": []byte("theirs")}}
	if err := host.Client.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "europe")
	if c := says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonNotOurs); !strings.Contains(c.Message, "europe-kubeconfig") {
		t.Errorf("the condition does not name the Secret: %s", c.Message)
	}
	if err := host.Client.Delete(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
}

func TestAChangedVersionIsRefusedAndTheFormerOneStays(t *testing.T) {
	karmada := testenv.NewKarmada(t, inner)
	operate(t, karmada.Kubeconfig("kairship"))
	start(t, v1alpha1.ManagedInstance{}, nil)
	create(t, "europe", func(i *v1alpha1.Instance) { i.Spec.Managed = &v1alpha1.ManagedInstance{Version: "v1.18.1"} })
	says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
	update(t, "europe", func(i *v1alpha1.Instance) { i.Spec.Managed.Version = "v1.18.2" })
	c := says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonSpecRefused)
	if !strings.Contains(c.Message, "spec.managed.version") {
		t.Errorf("the condition does not name the field: %s", c.Message)
	}
	tag, _, _ := unstructured.NestedString(karmadaOf(t, "europe").Object, "spec", "components", "karmadaScheduler", "imageTag")
	if tag != "v1.18.1" {
		t.Errorf("the scheduler's image tag is %q", tag)
	}
}
