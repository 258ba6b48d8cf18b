package access_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// may asks the Karmada whether somebody may do something: "verb resource[/sub][.group] [namespace]".
func may(t *testing.T, user string, groups []string, what string) bool {
	t.Helper()
	verb, rest, _ := strings.Cut(what, " ")
	resource, namespace, _ := strings.Cut(rest, " ")
	resource, group, _ := strings.Cut(resource, ".")
	resource, sub, _ := strings.Cut(resource, "/")
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user, Groups: append([]string{"system:authenticated"}, groups...),
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Version: "*", Resource: resource, Subresource: sub, Namespace: namespace, Name: "x"},
	}}
	if err := instance.Client.Create(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	return review.Status.Allowed
}

// rights says what is wrong with what somebody may do.
func rights(t *testing.T, user string, groups, allowed, denied []string) string {
	t.Helper()
	var wrong []string
	for _, what := range allowed {
		if !may(t, user, groups, what) {
			wrong = append(wrong, "may not "+what)
		}
	}
	for _, what := range denied {
		if may(t, user, groups, what) {
			wrong = append(wrong, "may "+what)
		}
	}
	return strings.Join(wrong, "; ")
}

// define makes a kind in the Karmada that nobody knew of.
func define(t *testing.T) {
	t.Helper()
	anything := true
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{
				OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &anything},
			}}},
		},
	}
	if err := instance.Client.Create(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = instance.Client.Delete(context.Background(), crd) })
}

func TestWhatEachRoleMayDoInAKarmada(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, instance)
	attach(t, "rights", karmada.Kubeconfig("kairship"))
	define(t)
	for _, name := range []string{"shop", "karmada-cluster", "karmada-system"} {
		if err := instance.EnsureNamespace(name); err != nil {
			t.Fatal(err)
		}
	}
	custom := role(t, "reader-of-secrets", rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"secrets"}})

	// What nobody gets but an Admin: each a way to every other right, or to the members.
	beyond := []string{
		"create clusterrolebindings.rbac.authorization.k8s.io", "escalate clusterroles.rbac.authorization.k8s.io", "bind clusterroles.rbac.authorization.k8s.io",
		"update rolebindings.rbac.authorization.k8s.io shop", "patch roles.rbac.authorization.k8s.io shop",
		"impersonate users", "impersonate groups", "impersonate serviceaccounts shop", "create serviceaccounts/token shop",
		"get secrets karmada-cluster", "list secrets karmada-cluster", "list secrets", "create secrets kube-system", "patch secrets karmada-system",
		"update configmaps kube-system", "patch configmaps karmada-system",
		"patch services karmada-system", "update endpoints kube-system", "delete endpointslices.discovery.k8s.io karmada-system", "create serviceaccounts karmada-system",
		"create multiclusterservices.networking.karmada.io kube-system", "create serviceexports.multicluster.x-k8s.io karmada-es-tokyo", "patch federatedhpas.autoscaling.karmada.io karmada-system",
		"get clusters/proxy.cluster.karmada.io", "create clusters/proxy.cluster.karmada.io",
		"create clusters.cluster.karmada.io", "update clusters.cluster.karmada.io", "delete clusters.cluster.karmada.io", "patch clusters/status.cluster.karmada.io",
		"get works.work.karmada.io karmada-es-tokyo", "list works.work.karmada.io", "create works.work.karmada.io karmada-es-tokyo",
		"update resourcebindings.work.karmada.io shop", "create clusterresourcebindings.work.karmada.io",
		"get search/cache.search.karmada.io", "get proxying/proxy.search.karmada.io", "create resourceregistries.search.karmada.io",
		"create resourceinterpretercustomizations.config.karmada.io", "create clustertaintpolicies.policy.karmada.io", "create remedies.remedy.karmada.io",
		"create mutatingwebhookconfigurations.admissionregistration.k8s.io", "create apiservices.apiregistration.k8s.io", "create customresourcedefinitions.apiextensions.k8s.io",
		"create certificatesigningrequests.certificates.k8s.io", "update certificatesigningrequests/approval.certificates.k8s.io", "approve signers.certificates.k8s.io",
		"update leases.coordination.k8s.io kube-system", "delete namespaces shop", "update namespaces shop", "update resourcequotas shop",
		"get nodes/proxy", "get services/proxy shop", "get pods/proxy shop", "update nodes",
	}
	reads := []string{
		"get configmaps shop", "list pods shop", "get pods/log shop", "watch deployments.apps", "get namespaces", "list nodes",
		"list clusters.cluster.karmada.io", "get propagationpolicies.policy.karmada.io shop", "list resourcebindings.work.karmada.io shop",
		"list clusterroles.rbac.authorization.k8s.io", "list customresourcedefinitions.apiextensions.k8s.io", "get widgets.example.com shop", "watch widgets.example.com",
	}
	writes := []string{
		"create deployments.apps shop", "patch deployments/scale.apps shop", "create jobs.batch shop", "create deployments.apps",
		"create propagationpolicies.policy.karmada.io shop", "create clusterpropagationpolicies.policy.karmada.io", "update clusteroverridepolicies.policy.karmada.io",
		"create workloadrebalancers.apps.karmada.io", "create widgets.example.com shop", "deletecollection widgets.example.com",
		"create pods/exec shop", "get pods/exec shop", "create namespaces",
	}
	data := []string{"get secrets shop", "list secrets shop", "create secrets shop", "delete secrets default", "patch configmaps shop", "delete services shop",
		"create serviceaccounts shop", "create multiclusterservices.networking.karmada.io shop", "update endpointslices.discovery.k8s.io shop"}
	everything := append(append(append(append([]string{"get anything.of.any.group"}, beyond...), reads...), writes...), data...)
	within := func(in []string, namespace string) (inside, outside []string) {
		for _, what := range in {
			if strings.HasSuffix(what, " "+namespace) {
				inside = append(inside, what)
			} else {
				outside = append(outside, what)
			}
		}
		return inside, outside
	}
	readsInside, readsOutside := within(reads, "shop")
	writesInside, writesOutside := within(writes, "shop")
	dataInside, dataOutside := within(data, "shop")
	everythingInside, everythingOutside := within(everything, "shop")

	for _, tt := range []struct {
		name            string
		kind            string
		role            v1alpha1.AccessRole
		namespaces      []string
		allowed, denied []string
	}{
		{"admin", "User", "Admin", nil, everything, nil},
		{"admin-of-shop", "User", "Admin", []string{"shop"}, everythingInside, everythingOutside},
		{"editor", "User", "Editor", nil, append(append(reads[:len(reads):len(reads)], writes...), data...), beyond},
		{"editors", "Group", "Editor", nil, append(append(reads[:len(reads):len(reads)], writes...), data...), beyond},
		{
			"editor-of-shop", "User", "Editor", []string{"shop"}, append(append(readsInside[:len(readsInside):len(readsInside)], writesInside...), dataInside...),
			append(append(append(readsOutside[:len(readsOutside):len(readsOutside)], writesOutside...), dataOutside...), beyond...),
		},
		{"viewer", "User", "Viewer", nil, reads, append(append(beyond[:len(beyond):len(beyond)], writes...), data...)},
		{
			"viewer-of-shop", "Group", "Viewer", []string{"shop"}, readsInside,
			append(append(append(readsOutside[:len(readsOutside):len(readsOutside)], beyond...), writes...), data...),
		},
		{
			"custom", "User", v1alpha1.AccessRole(custom.Name), nil, []string{"get secrets shop", "get secrets default"},
			append(append([]string{"list secrets shop", "get secrets karmada-cluster", "get secrets"}, reads...), writes...),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := "kairship:oidc:" + tt.name
			bind(t, "rights-"+tt.name, name, tt.kind, tt.role, v1alpha1.AccessScope{Instance: "rights", Namespaces: tt.namespaces})
			inForce(t, "rights-"+tt.name)
			user, groups := name, []string(nil)
			if tt.kind == v1alpha1.SubjectGroup {
				user, groups = "kairship:oidc:somebody", []string{name}
			}
			testenv.Eventually(t, func() string { return rights(t, user, groups, tt.allowed, tt.denied) })
			if wrong := rights(t, "kairship:oidc:somebody", nil, nil, everything); wrong != "" {
				t.Errorf("a stranger %s", wrong)
			}
		})
	}
}

// role makes a ClusterRole of the host cluster that AccessBindings can name.
func role(t *testing.T, name string, rules ...rbacv1.PolicyRule) *rbacv1.ClusterRole {
	t.Helper()
	r := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kairship.io/role": "true"}}, Rules: rules}
	if err := host.Client.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), r) })
	return r
}

// bind makes an AccessBinding.
func bind(t *testing.T, name, subject, kind string, role v1alpha1.AccessRole, scope v1alpha1.AccessScope) *v1alpha1.AccessBinding {
	t.Helper()
	b := &v1alpha1.AccessBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: kind, Name: subject}, Role: role, Scope: scope},
	}
	if err := host.Client.Create(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unbind(t, name) })
	return b
}

// unbind removes an AccessBinding whoever holds it.
func unbind(t *testing.T, name string) {
	t.Helper()
	ctx := context.Background()
	testenv.Eventually(t, func() string {
		var b v1alpha1.AccessBinding
		if err := host.Client.Get(ctx, client.ObjectKey{Name: name}, &b); err != nil {
			return strings.TrimSuffix(fmt.Sprint(client.IgnoreNotFound(err)), "<nil>")
		}
		b.Finalizers = nil
		_ = host.Client.Update(ctx, &b)
		_ = host.Client.Delete(ctx, &b)
		return "it is still there"
	})
}
