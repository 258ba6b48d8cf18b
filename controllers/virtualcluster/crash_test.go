package virtualcluster_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/transport"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func startWith(t *testing.T, wrap transport.WrapperFunc) (stop func()) {
	t.Helper()
	return runWith(t, wrap, clock.RealClock{})
}

// summary is what there is of an instance, without what differs from one to the next.
func summary(t *testing.T, name string) any {
	t.Helper()
	var out []string
	for _, p := range pediaClusters(t.Context(), name) {
		spec := p.Object["spec"].(map[string]any)
		out = append(out, fmt.Sprintf("%s: %v, %v", p.GetName(), p.GetLabels(), spec["syncResources"]))
	}
	slices.Sort(out)
	if s := secret(t, "kairship."+name); s != nil {
		out = append(out, fmt.Sprintf("Secret with %d keys", len(s.Data)))
	}
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err == nil {
		out = append(out, fmt.Sprintf("finalizers: %v", i.Finalizers))
		for _, c := range i.Status.Conditions {
			out = append(out, fmt.Sprintf("%s %s %s %s", c.Type, c.Status, c.Reason, c.Message))
		}
	}
	return out
}

func TestADeathAtAnyWriteOfARegistrationIsMadeGood(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			karmada := testenv.NewKarmada(t, first)
			karmada.Join("m1", http.StatusOK)
			karmada.Join("m2", http.StatusOK)
			attach(t, "asia", karmada.Kubeconfig("kairship"))
		},
		Start: startWith,
		Settled: func() string {
			if n := len(pediaClusters(context.Background(), "asia")); n != 3 {
				return fmt.Sprintf("there are %d of 3 PediaClusters", n)
			}
			var i v1alpha1.Instance
			if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "asia"}, &i); err != nil {
				return err.Error()
			}
			if v := i.Status.VirtualCluster; v == nil || v.Members == nil || *v.Members != 2 {
				return fmt.Sprintf("the status has %+v", v)
			}
			return ""
		},
		State: func(t *testing.T) any { return summary(t, "asia") },
	}.Run(t)
}

func TestADeathAtAnyWriteOfARemovalIsMadeGood(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			karmada := testenv.NewKarmada(t, first)
			karmada.Join("m1", http.StatusOK)
			attach(t, "asia", karmada.Kubeconfig("kairship"))
			stop := startWith(t, nil)
			appears(t, "kairship.asia.m1")
			stop()
			if err := host.Client.Delete(t.Context(), instance(t, "asia")); err != nil {
				t.Fatal(err)
			}
		},
		Start: startWith,
		Settled: func() string {
			var i v1alpha1.Instance
			if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "asia"}, &i); !apierrors.IsNotFound(err) {
				return fmt.Sprintf("the Instance is still there: %v", err)
			}
			return ""
		},
		State: func(t *testing.T) any { return summary(t, "asia") },
	}.Run(t)
}
