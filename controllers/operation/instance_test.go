package operation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// dropped removes an Instance with the test, and the Secrets of its name.
func dropped(t *testing.T, name string) {
	t.Helper()
	t.Cleanup(func() {
		suite.Remove(t, host, &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}})
		if err := host.Client.DeleteAllOf(context.Background(), &corev1.Secret{}, client.InNamespace(namespace)); err != nil {
			t.Error(err)
		}
	})
}

// appears waits for an Instance.
func appears(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var out *v1alpha1.Instance
	testenv.Eventually(t, func() string {
		if out = instanceOf(t, name); out == nil {
			return "there is no instance " + name
		}
		return ""
	})
	return out
}

const about = "europe"

func TestACreationHasTheStepsOfTheInstallation(t *testing.T) {
	dropped(t, about)
	start(t, nil)
	o := ask(t, "creation", create(about))
	i := appears(t, about)
	if i.Labels["tier"] != "gold" || i.Spec.DisplayName != "Europe" || i.Annotations[v1alpha1.AnnotationOperation] != string(o.UID) {
		t.Errorf("the instance is %+v", i)
	}
	becomes(t, "creation", "Running: for the installation to begin", "Create Succeeded", "Install Running: for the installation to begin", "Connect Pending")
	report(t, about, installed(metav1.ConditionFalse, v1alpha1.ReasonInstalling, "the etcd starts", v1alpha1.Step{Name: "Namespace", State: v1alpha1.StepSucceeded}, v1alpha1.Step{Name: "Etcd", State: v1alpha1.StepRunning, Message: "1 of 3"}))
	becomes(t, "creation", "Running: the etcd starts", "Create Succeeded", "Install Running: the etcd starts", "Install: Namespace Succeeded", "Install: Etcd Running: 1 of 3", "Connect Pending")
	report(t, about, installed(metav1.ConditionTrue, v1alpha1.ReasonInstalled, "", v1alpha1.Step{Name: "Namespace", State: v1alpha1.StepSucceeded}, v1alpha1.Step{Name: "Etcd", State: v1alpha1.StepSucceeded}))
	becomes(t, "creation", "Running: for the control plane to be asked", "Create Succeeded", "Install Succeeded", "Install: Namespace Succeeded", "Install: Etcd Succeeded",
		"Connect Running: for the control plane to be asked")
	report(t, about, running)
	becomes(t, "creation", "Succeeded", "Create Succeeded", "Install Succeeded", "Install: Namespace Succeeded", "Install: Etcd Succeeded", "Connect Succeeded")
	testenv.Eventually(t, func() string { return ended("creation") })
	if done := now(t.Context(), "creation"); done.Status.FinishedAt == nil || len(done.Finalizers) > 0 || done.Status.Cancellable {
		t.Errorf("it ended as %+v with %q", done.Status, done.Finalizers)
	}
}

func TestAnInstallationThatIsRefusedLeavesNothing(t *testing.T) {
	dropped(t, about)
	start(t, nil)
	ask(t, "creation", create(about))
	appears(t, about)
	report(t, about, installed(metav1.ConditionFalse, v1alpha1.ReasonSpecRefused, "there is no operator"))
	becomes(t, "creation", "Failed: the instance cannot be installed: there is no operator", "Create Succeeded",
		"Install Failed: the instance cannot be installed: there is no operator", "Connect Pending", "Undo Succeeded")
	if instanceOf(t, about) != nil {
		t.Error("the instance is still there")
	}
}

// The instance of somebody else is neither taken nor removed.
func TestAnInstanceThatIsThereIsLeftAsItIs(t *testing.T) {
	suite.Attach(t, host, about, []byte("x"))
	start(t, nil)
	ask(t, "creation", create(about))
	becomes(t, "creation", `Failed: there is an instance "europe" already`, `Create Failed: there is an instance "europe" already`, "Install Pending", "Connect Pending", "Undo Succeeded")
	if i := instanceOf(t, about); i == nil || i.DeletionTimestamp != nil || i.Spec.Source != v1alpha1.InstanceAttached {
		t.Errorf("the instance is %+v", i)
	}
}

func TestACancelledCreationLeavesNothing(t *testing.T) {
	dropped(t, about)
	start(t, nil)
	o := ask(t, "creation", create(about))
	appears(t, about)
	testenv.Eventually(t, func() string {
		if is := now(t.Context(), "creation"); !is.Status.Cancellable {
			return "it cannot be cancelled"
		}
		return ""
	})
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"cancel":true}}`))
	if err := host.Client.Patch(t.Context(), o, patch); err != nil {
		t.Fatal(err)
	}
	becomes(t, "creation", "Cancelled: it was cancelled", "Create Succeeded", "Install Failed: for the installation to begin", "Connect Pending", "Undo Succeeded")
	if instanceOf(t, about) != nil {
		t.Error("the instance is still there")
	}
}

func TestARightThatIsTakenEndsAnOperation(t *testing.T) {
	dropped(t, about)
	start(t, nil)
	b := &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: "adas"}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: ada}, Role: v1alpha1.RoleAdmin}}
	if err := host.Client.Create(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, b) })
	spec := create(about)
	spec.Actor.Name = ada
	testenv.Eventually(t, func() string { // the controller has to know the binding
		ask := &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: "creation"}, Spec: spec}
		if err := client.IgnoreAlreadyExists(host.Client.Create(t.Context(), ask)); err != nil {
			return err.Error()
		}
		if is := now(t.Context(), "creation"); is.Status.State == v1alpha1.OperationFailed {
			suite.Remove(t, host, is)
		}
		if instanceOf(t, about) == nil {
			return "there is no instance"
		}
		return ""
	})
	t.Cleanup(func() { suite.Remove(t, host, &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: "creation"}}) })
	suite.Remove(t, host, b)
	testenv.Eventually(t, func() string {
		is := now(t.Context(), "creation")
		if want := ada + " may not do this: only owners may create and attach instances"; is.Status.State != v1alpha1.OperationFailed || is.Status.Message != want {
			return fmt.Sprint(summary(is))
		}
		return ""
	})
	if instanceOf(t, about) != nil {
		t.Error("the instance is still there")
	}
}

func TestNobodyWithoutARightBeginsAnything(t *testing.T) {
	start(t, nil)
	for name, spec := range map[string]v1alpha1.OperationSpec{
		"creates": create(about),
		"deletes": {Kind: v1alpha1.OperationDeleteInstance, Instance: about, DeleteInstance: &v1alpha1.DeleteInstanceInput{Force: true}},
	} {
		spec.Actor = v1alpha1.OperationActor{Name: "kairship:oidc:eve", Groups: []string{"kairship:oidc:others"}}
		ask(t, name, spec)
		testenv.Eventually(t, func() string { return ended(name) })
		if is := now(t.Context(), name); is.Status.State != v1alpha1.OperationFailed || !strings.HasPrefix(is.Status.Message, "kairship:oidc:eve may not do this: ") {
			t.Errorf("%s: %q", name, summary(is))
		}
	}
	if instanceOf(t, about) != nil {
		t.Error("there is an instance")
	}
}

const attachedSpec = `{"spec":{"source":"Attached","attached":{"kubeconfigSecretRef":{"name":"instance-europe"}}}}`

func attach() v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationAttachInstance, Instance: about, CreateInstance: &v1alpha1.CreateInstanceInput{Instance: attachedSpec}}
}

func TestAnAttachedInstanceOwnsItsKubeconfig(t *testing.T) {
	dropped(t, about)
	start(t, nil)
	o := ask(t, "attachment", attach(), "the-kubeconfig")
	i := appears(t, about)
	testenv.Eventually(t, func() string {
		var s corev1.Secret
		if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: i.CredentialSecret()}, &s); err != nil {
			return err.Error()
		}
		if !metav1.IsControlledBy(&s, i) || string(s.Data[v1alpha1.KubeconfigKey]) != "the-kubeconfig" {
			return fmt.Sprintf("the Secret is %+v", s.ObjectMeta)
		}
		return ""
	})
	report(t, about, running)
	becomes(t, "attachment", "Succeeded", "Kubeconfig Succeeded", "Create Succeeded", "Connect Succeeded")
	if left := secrets(t); len(left) != 1 || left[0] != "Secret "+i.CredentialSecret() {
		t.Errorf("Secrets are %q; the operation's own is not to be left", left)
	}
	if said := fmt.Sprint(now(t.Context(), "attachment")); strings.Contains(said, "the-kubeconfig") {
		t.Errorf("%s holds it: %s", o.Name, said)
	}
}

func TestADeletionEndsWhenNothingIsLeft(t *testing.T) {
	dropped(t, about)
	i := suite.Attach(t, host, about, nil, func(i *v1alpha1.Instance) { i.Finalizers = []string{"kairship.io/access"} })
	owned := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "owned", Labels: map[string]string{v1alpha1.LabelInstance: about},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(i, v1alpha1.InstanceKind)}}}
	other := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "other", Labels: map[string]string{v1alpha1.LabelInstance: about}}}
	for _, s := range []*corev1.Secret{owned, other} {
		if err := host.Client.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	start(t, nil)
	ask(t, "deletion", v1alpha1.OperationSpec{Kind: v1alpha1.OperationDeleteInstance, Instance: about, DeleteInstance: &v1alpha1.DeleteInstanceInput{UID: string(i.UID)}})
	waiting := "still to be removed: what these controllers made: access"
	becomes(t, "deletion", "Running: "+waiting, "Delete Succeeded", "Remove Running: "+waiting)
	is := instanceOf(t, about)
	if is.Finalizers = nil; host.Client.Update(t.Context(), is) != nil {
		t.Fatal("the finalizer stays")
	}
	becomes(t, "deletion", "Succeeded", "Delete Succeeded", "Remove Succeeded")
	if left := secrets(t); len(left) != 1 || left[0] != "Secret other" {
		t.Errorf("Secrets are %q", left)
	}
}

func TestADeletionOfANamesakeIsRefused(t *testing.T) {
	suite.Attach(t, host, about, nil)
	start(t, nil)
	ask(t, "deletion", v1alpha1.OperationSpec{Kind: v1alpha1.OperationDeleteInstance, Instance: about, DeleteInstance: &v1alpha1.DeleteInstanceInput{UID: "another"}})
	why := `instance "europe" is another one than was meant: it was made anew`
	becomes(t, "deletion", "Failed: "+why, "Delete Failed: "+why, "Remove Pending")
	if i := instanceOf(t, about); i == nil || i.DeletionTimestamp != nil {
		t.Error("it is deleted all the same")
	}
}

func TestADeathAtAnyWriteOfAnAttachmentIsMadeGood(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			dropped(t, about)
			ask(t, "attachment", attach(), "the-kubeconfig")
		},
		Start: func(t *testing.T, wrap transport.WrapperFunc) func() { t.Helper(); return start(t, wrap) },
		Settled: func() string {
			// The other controllers.
			var i v1alpha1.Instance
			if host.Client.Get(context.Background(), client.ObjectKey{Name: about}, &i) == nil && i.Status.Phase == "" {
				running(&i)
				_ = host.Client.Status().Update(context.Background(), &i)
			}
			return ended("attachment")
		},
		State: func(t *testing.T) any {
			t.Helper()
			out := summary(now(t.Context(), "attachment"))
			for _, s := range secrets(t) {
				out = append(out, s[:strings.LastIndex(s, "-")])
			}
			return append(out, fmt.Sprint(instanceOf(t, about).Spec.Source))
		},
	}.Run(t)
}

func TestOperationsThatEndedAreKeptForATime(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		spec := create("nobodys-" + name)
		spec.TTL = &metav1.Duration{Duration: time.Hour}
		if name == "two" {
			spec.TTL.Duration = 0
		}
		spec.Actor.Name = "kairship:oidc:eve"
		ask(t, name, spec)
	}
	start(t, nil)
	testenv.Eventually(t, func() string {
		if now(t.Context(), "two") != nil {
			return "the one without a time is still there"
		}
		return ended("one")
	})
}
