package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// summary is what there is of an instance, without what differs from one to the next.
func summary(t *testing.T, name string) any {
	t.Helper()
	out := left(t, name)
	slices.Sort(out)
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err == nil {
		out = append(out, fmt.Sprintf("finalizers %v, kubeconfig %q", i.Finalizers, i.CredentialSecret()))
		for _, c := range i.Status.Conditions {
			out = append(out, fmt.Sprintf("%s %s %s %s", c.Type, c.Status, c.Reason, c.Message))
		}
		for _, s := range i.Status.Steps {
			out = append(out, fmt.Sprintf("%s %s %s", s.Name, s.State, s.Message))
		}
		k := karmadaOf(t, name)
		uid := string(i.UID)[:8]
		out = append(out, strings.ReplaceAll(fmt.Sprint(k.Object["spec"]), uid, "UID"))
	}
	return out
}

func TestADeathAtAnyWriteOfAnInstallationIsMadeGood(t *testing.T) {
	etcdCredential(t)
	testenv.Crashes{
		Setup: func(t *testing.T) {
			karmada := testenv.NewKarmada(t, inner)
			operate(t, karmada.Kubeconfig("kairship"))
			create(t, "europe")
		},
		Start: func(t *testing.T, wrap transport.WrapperFunc) func() {
			t.Helper()
			return start(t, externalDefaults(), wrap)
		},
		Settled: func() string {
			var i v1alpha1.Instance
			if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "europe"}, &i); err != nil {
				return err.Error()
			}
			for _, c := range i.Status.Conditions {
				if c.Type == v1alpha1.ConditionInstalled && c.Status == "True" {
					return ""
				}
			}
			return fmt.Sprintf("not installed: %+v", i.Status)
		},
		State: func(t *testing.T) any { return summary(t, "europe") },
	}.Run(t)
}

func TestADeathAtAnyWriteOfARemovalIsMadeGood(t *testing.T) {
	etcdCredential(t)
	testenv.Crashes{
		Setup: func(t *testing.T) {
			karmada := testenv.NewKarmada(t, inner)
			operate(t, karmada.Kubeconfig("kairship"))
			made := create(t, "europe")
			stop := start(t, externalDefaults(), nil)
			says(t, "europe", v1alpha1.ConditionInstalled, v1alpha1.ReasonInstalled)
			stop()
			if _, err := etcdOf(t, inner).Put(t.Context(), "/kairship/europe-"+string(made.UID)[:8]+"/a", "x"); err != nil {
				t.Fatal(err)
			}
			if err := host.Client.Delete(t.Context(), instance(t, "europe")); err != nil {
				t.Fatal(err)
			}
		},
		Start: func(t *testing.T, wrap transport.WrapperFunc) func() {
			t.Helper()
			return start(t, externalDefaults(), wrap)
		},
		Settled: func() string { return present("europe") },
		State:   func(t *testing.T) any { return summary(t, "europe") },
	}.Run(t)
}
