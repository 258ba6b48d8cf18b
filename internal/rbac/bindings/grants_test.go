package bindings_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/bindings"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// Bindings and roles come and go; what a person may see follows, and whoever waits is told.
func TestRightsFollowTheHostCluster(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions)
	authorizer := rbac.NewAuthorizer(nil)
	f, err := bindings.New(host.Config, authorizer, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	testenv.Eventually(t, func() string {
		if !f.Ready() {
			return "it has read nothing yet"
		}
		return ""
	})

	mary := auth.NewPrincipal("oidc", "mary", []string{"eu"})
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	sees := func(instance string, want bool) {
		t.Helper()
		testenv.Eventually(t, func() string {
			if got := !authorizer.Scope(mary).Sees(instance, deployments).None(); got != want {
				return "mary sees Deployments of " + instance + ": " + map[bool]string{true: "yes", false: "no"}[got]
			}
			return ""
		})
	}
	sees("asia", false)

	changed := authorizer.Changed()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "operator"},
		Rules: []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}}}}
	binding := &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: "eu"}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectGroup, Name: "kairship:oidc:eu"}, Role: "operator", Scope: v1alpha1.AccessScope{Instance: "asia"}}}
	if err := errors.Join(host.Client.Create(ctx, role), host.Client.Create(ctx, binding)); err != nil {
		t.Fatal(err)
	}
	<-changed
	sees("asia", false) // the role is not offered
	role.Labels = map[string]string{v1alpha1.LabelRole: "true"}
	if err := host.Client.Update(ctx, role); err != nil {
		t.Fatal(err)
	}
	sees("asia", true)
	sees("europe", false)
	role.Rules[0].Resources = []string{"daemonsets"}
	if err := host.Client.Update(ctx, role); err != nil {
		t.Fatal(err)
	}
	sees("asia", false)
	binding.Spec.Role = v1alpha1.RoleViewer
	if err := host.Client.Update(ctx, binding); err != nil {
		t.Fatal(err)
	}
	sees("asia", true)
	changed = authorizer.Changed()
	if err := host.Client.Delete(ctx, binding); err != nil {
		t.Fatal(err)
	}
	<-changed
	sees("asia", false)
}
