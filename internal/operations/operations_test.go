package operations_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/operations"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = "kairship-system"

// start follows a host cluster until the test ends.
func start(t *testing.T) (*testenv.Server, *operations.Operations) {
	t.Helper()
	host := testenv.Start(t, testenv.KairshipDefinitions)
	if err := host.EnsureNamespace(namespace); err != nil {
		t.Fatal(err)
	}
	o, err := operations.New(host.Config, namespace, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	testenv.Eventually(t, func() string {
		if !o.Ready() {
			return "it has read nothing yet"
		}
		return ""
	})
	return host, o
}

func TestAnOperationIsMadeFollowedAndCancelled(t *testing.T) {
	host, o := start(t)
	ada, eve := auth.NewPrincipal("oidc", "ada", []string{"owners"}), auth.NewPrincipal("oidc", "eve", nil)
	nobody := rbac.Scope{}
	spec := v1alpha1.OperationSpec{Kind: v1alpha1.OperationAttachInstance, Instance: "asia", Actor: v1alpha1.OperationActor{Name: ada.Name, Groups: ada.Groups},
		CreateInstance: &v1alpha1.CreateInstanceInput{Instance: "{}"}}
	secret := map[string][]byte{v1alpha1.KubeconfigKey: []byte("the-kubeconfig")}

	// A dry run is bounded by what a person waits for, which the first request to an API server that has just started may take.
	testenv.Eventually(t, func() string {
		if _, err := o.Create(t.Context(), spec, secret, true); err != nil {
			return err.Error()
		}
		return ""
	})
	var all v1alpha1.OperationList
	var secrets corev1.SecretList
	if err := errors.Join(host.Client.List(t.Context(), &all), host.Client.List(t.Context(), &secrets, client.InNamespace(namespace))); err != nil || len(all.Items)+len(secrets.Items) > 0 {
		t.Fatalf("a dry run made %d operations and %d Secrets: %v", len(all.Items), len(secrets.Items), err)
	}

	made, err := o.Create(t.Context(), spec, secret, false)
	if err != nil {
		t.Fatal(err)
	}
	if o.Operation(ada, nobody, made.Name) == nil {
		t.Error("who made it does not see it at once")
	}
	if o.Operation(eve, nobody, made.Name) != nil || len(o.Operations(eve, nobody)) > 0 {
		t.Error("somebody else sees it")
	}
	if mine, there := o.Unfinished(ada.Name, "asia"); len(mine) != 1 || len(there) != 1 {
		t.Errorf("unfinished are %d and %d", len(mine), len(there))
	}
	var operation v1alpha1.Operation
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: made.Name}, &operation); err != nil {
		t.Fatal(err)
	}
	var stored corev1.Secret
	if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: made.Name}, &stored); err != nil || !metav1.IsControlledBy(&stored, &operation) || string(stored.Data[v1alpha1.KubeconfigKey]) != "the-kubeconfig" {
		t.Errorf("the Secret is %v: %v", stored.OwnerReferences, err)
	}

	if _, err := o.Follow(t.Context(), eve, nobody, made.Name); err == nil {
		t.Error("somebody else follows it")
	}
	changes, err := o.Follow(t.Context(), ada, nobody, made.Name)
	if err != nil {
		t.Fatal(err)
	}
	if first := <-changes; first.State != model.OperationPending {
		t.Errorf("it begins as %s", first.State)
	}
	if cancelled, err := o.Cancel(t.Context(), made.Name, "another", false); err == nil {
		t.Errorf("one of another UID is cancelled: %+v", cancelled)
	}
	if cancelled, err := o.Cancel(t.Context(), made.Name, made.UID, false); err != nil || !cancelled.CancelRequested {
		t.Errorf("cancelled is %+v: %v", cancelled, err)
	}
	for got := range changes {
		if got.CancelRequested {
			break
		}
	}
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: made.Name}, &operation); err != nil {
		t.Fatal(err)
	}
	now := metav1.Now()
	operation.Status = v1alpha1.OperationStatus{State: v1alpha1.OperationCancelled, FinishedAt: &now}
	if err := host.Client.Status().Update(t.Context(), &operation); err != nil {
		t.Fatal(err)
	}
	last := model.OperationPending
	for got := range changes { // ends by itself
		last = got.State
	}
	if last != model.OperationCancelled {
		t.Errorf("it ended as %s", last)
	}
}

// Everybody who sees an operation is told that another instance holds the cluster, and which one only who may know of it.
func TestTheInstanceThatHoldsAClusterIsNamedToThoseWhoSeeIt(t *testing.T) {
	holding := model.Holding{Instance: "europe", Cluster: "kyoto"}
	o := operations.Of(&v1alpha1.Operation{
		ObjectMeta: metav1.ObjectMeta{Name: "join"}, Spec: v1alpha1.OperationSpec{Kind: v1alpha1.OperationJoinCluster, Instance: "asia", Cluster: "osaka"},
		Status: v1alpha1.OperationStatus{State: v1alpha1.OperationFailed, Message: holding.Told(false), Steps: []v1alpha1.Step{{Name: "Check", Message: holding.Told(false)}},
			Found: map[string]string{v1alpha1.FoundHolder: holding.Instance, v1alpha1.FoundHeldAs: holding.Cluster}},
	})
	authorizer := rbac.NewAuthorizer(nil)
	bind := func(who string, role v1alpha1.AccessRole, instance string) v1alpha1.AccessBinding {
		return v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: who + instance}, Spec: v1alpha1.AccessBindingSpec{
			Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:" + who}, Role: role, Scope: v1alpha1.AccessScope{Instance: instance}}}
	}
	authorizer.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{
		bind("ada", v1alpha1.RoleAdmin, "asia"), bind("bob", v1alpha1.RoleAdmin, "asia"), bind("bob", v1alpha1.RoleViewer, "europe"),
	}, nil))
	for who, named := range map[string]bool{"ada": false, "bob": true} {
		p := auth.NewPrincipal(auth.OriginOIDC, who, nil)
		s := authorizer.Scope(p)
		changes, err := o.Follow(t.Context(), p, s, "join")
		if err != nil {
			t.Fatal(err)
		}
		for how, is := range map[string]*model.Operation{"listed": o.Operations(p, s)[0], "read": o.Operation(p, s, "join"), "followed": <-changes} {
			if want := holding.Told(named); is.Message != want || is.Steps[0].Message != want {
				t.Errorf("%s by %s, it says %q and %q, want %q", how, who, is.Message, is.Steps[0].Message, want)
			}
		}
	}
}

// An operation whose Secret is not stored is taken back, and the error does not quote the Secret.
func TestAnOperationWithoutItsSecretIsTakenBack(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions)
	o, err := operations.New(host.Config, "nowhere", slog.New(slog.DiscardHandler)) // a namespace that is not there
	if err != nil {
		t.Fatal(err)
	}
	spec := v1alpha1.OperationSpec{Kind: v1alpha1.OperationAttachInstance, Instance: "asia", Actor: v1alpha1.OperationActor{Name: "kairship:oidc:ada"},
		CreateInstance: &v1alpha1.CreateInstanceInput{Instance: "{}"}}
	made, err := o.Create(t.Context(), spec, map[string][]byte{v1alpha1.KubeconfigKey: []byte("the-kubeconfig")}, false)
	if err == nil || strings.Contains(err.Error(), "the-kubeconfig") {
		t.Fatalf("made %+v: %v", made, err)
	}
	var all v1alpha1.OperationList
	if err := host.Client.List(t.Context(), &all); err != nil || len(all.Items) != 1 || !all.Items[0].Spec.Cancel {
		t.Errorf("there is %+v: %v", all.Items, err)
	}
}
