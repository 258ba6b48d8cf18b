package instance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// An Admin of an instance gives it another user; where it leads to is for owners. Which Karmada answers there is told by its server alone.
func TestAnInstanceIsLedToAnotherServerByOwnersAlone(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions)
	if err := host.EnsureNamespace(kairshipNamespace); err != nil {
		t.Fatal(err)
	}
	const address = "https://karmada.example:5443"
	ca, other := host.Config.CAData, append([]byte("\n"), host.Config.CAData...)
	old := testenv.Kubeconfig(t, address, ca, &api.AuthInfo{Token: "old"})
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceAttached,
		Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}}}}
	if err := host.Client.Create(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	secret := credential("asia", old)
	secret.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(i, v1alpha1.InstanceKind)}
	if err := host.Client.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w, err := instance.NewWriter(runFleet(t, host))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, server string
		ca           []byte
		elsewhere    bool
		want         string
	}{
		{"another server", "https://attacker.example:5443", ca, false, "only owners may lead it to another server"},
		{"another port", "https://karmada.example:6443", ca, false, "only owners may lead it to another server"},
		{"another authority", address, other, false, "only owners may lead it to another server"},
		{"no https", "http://karmada.example:5443", ca, false, "must begin with https"},
		{"another user", address, ca, false, ""},
		{"another server, by an owner", "https://new.example:5443", ca, true, ""},
	} {
		raw := testenv.Kubeconfig(t, tc.server, tc.ca, &api.AuthInfo{Token: strings.ReplaceAll("new-of-"+tc.name, " ", "-")})
		var before, after corev1.Secret
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(secret), &before); err != nil {
			t.Fatal(err)
		}
		err := w.Rotate(t.Context(), "asia", raw, tc.elsewhere, false)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(secret), &after); err != nil {
			t.Fatal(err)
		}
		if changed := string(after.Data[v1alpha1.KubeconfigKey]) == string(raw); changed != (tc.want == "") || !changed && before.ResourceVersion != after.ResourceVersion {
			t.Errorf("%s: stored %t", tc.name, changed)
		}
	}
}

// Who edits an older version than the one of now is told what others changed since, as long as it is remembered.
func TestAConflictOfAnInstanceKnowsTheVersionBefore(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions)
	if err := host.EnsureNamespace(kairshipNamespace); err != nil {
		t.Fatal(err)
	}
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceAttached,
		Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}}}}
	if err := host.Client.Create(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	fleet := runFleet(t, host)
	w, err := instance.NewWriter(fleet)
	if err != nil {
		t.Fatal(err)
	}
	describe := func(as string) func(*v1alpha1.Instance) error {
		return func(i *v1alpha1.Instance) error { i.Spec.Description = as; return nil }
	}
	known := func() string {
		is, err := fleet.Instance(everything, "asia")
		if err != nil {
			return ""
		}
		return is.ResourceVersion
	}
	var versions []string
	edit := func(as string) {
		t.Helper()
		is, err := w.Edit(t.Context(), everything, "asia", "", false, describe(as))
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, is.ResourceVersion)
		testenv.Eventually(t, func() string {
			if got := known(); got != is.ResourceVersion {
				return "the fleet knows version " + got
			}
			return ""
		})
	}
	for _, as := range []string{"one", "two", "three"} {
		edit(as)
	}
	refused := func(version string) *model.InstanceChangedError {
		t.Helper()
		_, err := w.Edit(t.Context(), everything, "asia", version, true, describe("mine"))
		changed := (*model.InstanceChangedError)(nil)
		if !errors.As(err, &changed) || !strings.HasPrefix(err.Error(), "resourceVersion: ") {
			t.Fatalf("version %q is answered %v", version, err)
		}
		return changed
	}
	if got := refused(versions[0]); !strings.Contains(string(got.Was), `"one"`) || !strings.Contains(string(got.Is), `"three"`) || !strings.Contains(string(got.Would), `"mine"`) {
		t.Errorf("it was %s, is %s and would be %s", got.Was, got.Is, got.Would)
	}
	if got := refused("of-another-server"); got.Was != nil {
		t.Errorf("a version that nobody has seen was %s", got.Was)
	}
	for n := range 11 {
		edit(fmt.Sprintf("again-%d", n))
	}
	if got := refused(versions[0]); got.Was != nil {
		t.Errorf("a version is kept for ever: %s", got.Was)
	}
}
