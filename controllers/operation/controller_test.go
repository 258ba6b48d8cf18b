package operation_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/operation"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// An Operation cannot be turned into another one, nor its cancellation taken back.
func TestNothingOfAnOperationCanBeChangedButThatItIsCancelled(t *testing.T) {
	o := ask(t, "fixed", create("fixed"))
	for name, change := range map[string]func(*v1alpha1.OperationSpec){
		"kind": func(s *v1alpha1.OperationSpec) {
			s.Kind, s.CreateInstance, s.DeleteInstance = v1alpha1.OperationDeleteInstance, nil, &v1alpha1.DeleteInstanceInput{}
		},
		"instance": func(s *v1alpha1.OperationSpec) { s.Instance = "other" },
		"actor":    func(s *v1alpha1.OperationSpec) { s.Actor.Name = "kairship:oidc:eve" },
		"groups":   func(s *v1alpha1.OperationSpec) { s.Actor.Groups = nil },
		"cluster":  func(s *v1alpha1.OperationSpec) { s.Cluster = "member" },
		"its uid":  func(s *v1alpha1.OperationSpec) { s.InstanceUID = "other" },
		"Karmada":  func(s *v1alpha1.OperationSpec) { s.KarmadaUID = "other" },
		"ttl":      func(s *v1alpha1.OperationSpec) { s.TTL = &metav1.Duration{Duration: time.Hour} },
		"input":    func(s *v1alpha1.OperationSpec) { s.CreateInstance.Instance = `{"spec":{"source":"Attached"}}` },
	} {
		after := o.DeepCopy()
		change(&after.Spec)
		if err := host.Client.Update(t.Context(), after); !apierrors.IsInvalid(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o.Spec.Cancel = true
	if err := host.Client.Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	o.Spec.Cancel = false
	if err := host.Client.Update(t.Context(), o); !apierrors.IsInvalid(err) {
		t.Errorf("a cancellation is taken back: %v", err)
	}
}

// toy is a kind of operation that makes three ConfigMaps, the last one when a gate is open.
func toy(cancellable bool) operation.Kind {
	made := func(r *operation.Run, name string) v1alpha1.MadeObject {
		return v1alpha1.MadeObject{Where: v1alpha1.MadeInHost, APIVersion: "v1", Kind: "ConfigMap", Namespace: r.Namespace, Name: name}
	}
	step := func(name string, gated bool) operation.Step {
		return operation.Step{Name: name, Cancellable: cancellable, Do: func(ctx context.Context, r *operation.Run) (operation.Outcome, error) {
			if gated && host.Client.Get(ctx, client.ObjectKey{Namespace: r.Namespace, Name: "gate"}, &corev1.ConfigMap{}) != nil {
				return operation.Wait("for the gate", 0), nil //nolint:nilerr // it is not open yet
			}
			if err := r.Make(ctx, made(r, name)); err != nil {
				return operation.Outcome{}, err
			}
			m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: name, Annotations: map[string]string{v1alpha1.AnnotationOperation: r.Mark()}}}
			err := r.Live.Get(ctx, client.ObjectKeyFromObject(m), &corev1.ConfigMap{})
			if apierrors.IsNotFound(err) {
				err = r.Client.Create(ctx, m)
			}
			return operation.Done(), err
		}}
	}
	return operation.Kind{
		Name: v1alpha1.OperationUnjoinCluster,
		Allowed: func(r *operation.Run) error {
			if r.Scope.Admin(r.Operation.Spec.Instance) {
				return nil
			}
			return fmt.Errorf("no Admin of %s", r.Operation.Spec.Instance)
		},
		Steps: func(*v1alpha1.Operation) []operation.Step {
			return []operation.Step{step("one", false), step("two", false), step("three", true)}
		},
		Undo: func(ctx context.Context, r *operation.Run) (operation.Outcome, error) {
			for _, m := range r.Operation.Status.Made {
				err := r.Client.Delete(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: m.Name}})
				if client.IgnoreNotFound(err) != nil {
					return operation.Outcome{}, err
				}
			}
			return operation.Done(), nil
		},
	}
}

func withToy(cancellable bool) func(*operation.Options) {
	return func(o *operation.Options) { o.Kinds = []operation.Kind{toy(cancellable)} }
}

func toySpec() v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationUnjoinCluster, Instance: "europe", Cluster: "m", UnjoinCluster: &v1alpha1.UnjoinClusterInput{}}
}

// maps are the ConfigMaps that are there.
func maps(t *testing.T) (out []string) {
	t.Helper()
	var all corev1.ConfigMapList
	if err := host.Client.List(t.Context(), &all, client.InNamespace(namespace)); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.Items {
		out = append(out, m.Name)
	}
	return out
}

func putMap(t *testing.T, name string) {
	t.Helper()
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := host.Client.Create(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, m) })
}

func withoutMaps(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		if err := host.Client.DeleteAllOf(context.Background(), &corev1.ConfigMap{}, client.InNamespace(namespace)); err != nil {
			t.Error(err)
		}
	})
}

func TestADeathAtAnyWriteOfAnOperationIsMadeGood(t *testing.T) {
	var b *book
	testenv.Crashes{
		Setup: func(t *testing.T) {
			withoutMaps(t)
			putMap(t, "gate")
			b = &book{}
			spec := toySpec()
			spec.RequestID = "once"
			ask(t, "toy", spec, "secret")
		},
		Start: func(t *testing.T, wrap transport.WrapperFunc) func() {
			t.Helper()
			return start(t, wrap, withToy(true), audited(t, b))
		},
		Settled: func() string { return ended("toy") },
		State: func(t *testing.T) any {
			t.Helper()
			told := b.lines("once")
			if len(told) != 1 {
				t.Errorf("the audit log has %q", told)
			}
			return slices.Concat(summary(now(t.Context(), "toy")), maps(t), secrets(t), told)
		},
	}.Run(t)
}

func secrets(t *testing.T) (out []string) {
	t.Helper()
	var all corev1.SecretList
	if err := host.Client.List(t.Context(), &all, client.InNamespace(namespace)); err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Items {
		out = append(out, "Secret "+s.Name)
	}
	return out
}
