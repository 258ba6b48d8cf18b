package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// What is hidden is not said to be absent: whoever may not see something is told so, or nothing.

// seeing are upstreams of somebody with one role in asia, which is lister with other rules when they are given.
func seeing(t *testing.T, role v1alpha1.AccessRole, rules []rbacv1.PolicyRule, namespaces ...string) *upstreams {
	t.Helper()
	custom := lister
	custom.Rules = rules
	u := newUpstreams(t)
	u.identify = holder(custom, v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"},
		Role: role, Scope: v1alpha1.AccessScope{Instance: "asia", Namespaces: namespaces}}})
	return u
}

func listing(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{"get", "list"}, APIGroups: []string{group}, Resources: resources}
}

func TestADiagnosisSaysNothingOfWhatItsReaderMayNotSee(t *testing.T) {
	for _, c := range []struct {
		name       string
		role       v1alpha1.AccessRole
		rules      []rbacv1.PolicyRule
		namespaces []string
		told       bool
	}{
		{"a dependency that is not there", v1alpha1.RoleViewer, nil, []string{"shop"}, true},
		{"a dependency of a hidden kind", "lister", []rbacv1.PolicyRule{listing("apps", "deployments"), listing("work.karmada.io", "resourcebindings"),
			listing("policy.karmada.io", "propagationpolicies", "clusterpropagationpolicies")}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := seeing(t, c.role, c.rules, c.namespaces...)
			if c.told {
				rows := slices.DeleteFunc(world(t), func(r pediatest.Row) bool { return r.Kind == "ConfigMap" })
				identify := u.identify
				u = newUpstreamsOf(t, rows)
				u.identify = identify
			}
			got := u.ask(t, `{instance(name:"asia"){workload(kind:DEPLOYMENT, namespace:"shop", name:"cart"){propagation{diagnosis{code}}}}}`, nil)
			if told := strings.Contains(fmt.Sprint(got.Data), string(model.FindingDependencyWaiting)); told != c.told || len(got.Errors) > 0 {
				t.Errorf("that it waits is told: %t, want %t: %v %v", told, c.told, got.Data, got.Errors)
			}
		})
	}
}

func TestADiagnosisSaysThatPoliciesMayBeHidden(t *testing.T) {
	for _, c := range []struct {
		name string
		u    *upstreams
		want string
	}{
		{"who sees all policies", seeing(t, v1alpha1.RoleViewer, nil), "no policy selects it"},
		{"from whom cluster-wide policies are hidden", seeing(t, v1alpha1.RoleViewer, nil, "shop"), "no policy that you may see selects it"},
		{"from whom policies of namespaces are hidden", seeing(t, "lister", []rbacv1.PolicyRule{listing("apps", "daemonsets"),
			listing("policy.karmada.io", "clusterpropagationpolicies")}), "no policy that you may see selects it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.u.ask(t, `{instance(name:"asia"){workload(kind:DAEMON_SET, namespace:"shop", name:"agent"){propagation{diagnosis{code message}}}}}`, nil)
			if told := fmt.Sprint(got.Data); !strings.Contains(told, string(model.FindingNoPolicy)) || !strings.Contains(told, c.want+":") || len(got.Errors) > 0 {
				t.Errorf("want %q: %v %v", c.want, got.Data, got.Errors)
			}
		})
	}
}

func TestAListThatMayNotBeReadIsForbiddenAndNotEmpty(t *testing.T) {
	member := schematest.Path{`instance(name: "asia")`, `cluster(name: "member-00")`}
	for _, c := range []struct {
		name string
		u    *upstreams
		path schematest.Path
		list string
	}{
		{"what is in no namespace, by a role in one", seeing(t, v1alpha1.RoleEditor, nil, "shop"), member, "nodeList"},
		{"a kind that the role does not have", seeing(t, "lister", []rbacv1.PolicyRule{listing("apps", "deployments")}), member, "pods"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.u.ask(t, c.path.Query(c.list+"{nodes{__typename}}"), nil)
			if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeForbidden {
				t.Errorf("got %v %v", got.Data, got.Errors)
			}
		})
	}
}
