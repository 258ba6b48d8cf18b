package role_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/role"
)

func rule(verb, group, resource string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{"get", verb}, APIGroups: []string{group}, Resources: []string{"configmaps", resource}}
}

func TestARoleWithWhichOneCouldTakeEveryOtherRightIsRefused(t *testing.T) {
	const rbac = "rbac.authorization.k8s.io"
	for name, tt := range map[string]struct {
		rule    rbacv1.PolicyRule
		refused string
	}{
		"reading roles":                          {rule("list", rbac, "clusterroles"), ""},
		"writing bindings of what one has":       {rule("create", rbac, "rolebindings"), ""},
		"scaling":                                {rule("patch", "apps", "deployments/scale"), ""},
		"everything of one group":                {rbacv1.PolicyRule{Verbs: []string{"*"}, APIGroups: []string{"apps"}, Resources: []string{"*"}}, ""},
		"reading everything":                     {rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"*"}, Resources: []string{"*"}}, ""},
		"escalate":                               {rule("escalate", rbac, "clusterroles"), `"escalate" on clusterroles.rbac`},
		"escalate within namespaces":             {rule("escalate", rbac, "roles"), `"escalate" on roles.rbac`},
		"bind":                                   {rule("bind", rbac, "roles"), `"bind"`},
		"every verb on roles":                    {rule("*", rbac, "roles"), `"escalate"`},
		"impersonate users":                      {rule("impersonate", "", "users"), `"impersonate" on users`},
		"impersonate accounts":                   {rule("impersonate", "", "serviceaccounts"), `"impersonate" on serviceaccounts`},
		"every verb on accounts, as in \"edit\"": {rule("*", "", "serviceaccounts"), `"impersonate" on serviceaccounts`},
		"impersonate one extra field":            {rule("impersonate", "authentication.k8s.io", "userextras/scopes"), `"impersonate" on userextras`},
		"tokens":                                 {rule("create", "", "serviceaccounts/token"), `"create" on serviceaccounts/token`},
		"tokens by the subresource of anything":  {rule("create", "", "*/token"), `"create" on serviceaccounts/token`},
		"everything":                             {rbacv1.PolicyRule{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}}, `"escalate"`},
		"one role of a name": {rbacv1.PolicyRule{
			Verbs: []string{"bind"}, APIGroups: []string{rbac}, Resources: []string{"clusterroles"}, ResourceNames: []string{"view"},
		}, `"bind"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := role.Refused(&rbacv1.ClusterRole{
				ObjectMeta: metav1.ObjectMeta{Name: "custom", Labels: map[string]string{"kairship.io/role": "true"}}, Rules: []rbacv1.PolicyRule{tt.rule},
			})
			if tt.refused == "" && err != nil || tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
				t.Errorf("want %q, got %v", tt.refused, err)
			}
		})
	}
}

func TestARoleHasToBeLabelledAndNamedAsABindingCanNameIt(t *testing.T) {
	for name, ok := range map[string]bool{
		"operator": true, "a": true, strings.Repeat("a", 63): true,
		strings.Repeat("a", 64): false, "system:node": false, "a.b": false, "Admin": false, "a-": false,
	} {
		labelled := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kairship.io/role": "true"}}}
		if err := role.Refused(labelled); (err == nil) != ok {
			t.Errorf("%s: want ok %v, got %v", name, ok, err)
		}
		labelled.Labels["kairship.io/role"] = "false"
		if role.Refused(labelled) == nil {
			t.Errorf("%s is taken without its label", name)
		}
	}
}

func TestDescriptionsLeaveOutWhatIsRefused(t *testing.T) {
	labelled := func(name string, rules ...rbacv1.PolicyRule) rbacv1.ClusterRole {
		return rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"kairship.io/role": "true"}, Annotations: map[string]string{"kairship.io/description": "of " + name},
		}, Rules: rules}
	}
	var names []string
	for _, d := range role.Descriptions([]rbacv1.ClusterRole{labelled("z"), labelled("bad", rule("impersonate", "", "users")), labelled("a")}) {
		names = append(names, d.Name+" "+d.Description)
	}
	if diff := cmp.Diff([]string{"a of a", "z of z"}, names[3:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What holds of every role but Admin, whatever a Karmada defines.
func TestNoRoleButAdminHoldsAStarThatReachesTooFar(t *testing.T) {
	definitions := []string{"widgets.example.com", "works.work.karmada.io", "resourceinterpreterwebhookconfigurations.config.karmada.io", "nonsense"}
	open := []string{"", "*", "cluster.karmada.io", "search.karmada.io", "work.karmada.io"}
	for name, rules := range map[string][]rbacv1.PolicyRule{
		"Editor": role.Editor(definitions), "Viewer": role.Viewer(definitions), "Editor's data": role.EditorData(),
	} {
		for _, r := range rules {
			for _, group := range r.APIGroups {
				if slices.Contains(r.Resources, "*") && slices.Contains(open, group) || group == "*" || slices.Contains(r.Verbs, "*") || len(r.NonResourceURLs) > 0 {
					t.Errorf("%s: %+v", name, r)
				}
			}
			if slices.Contains(r.APIGroups, "work.karmada.io") && slices.Contains(r.Resources, "works") {
				t.Errorf("%s holds Works: %+v", name, r)
			}
		}
	}
	want := []rbacv1.PolicyRule{{
		Verbs: []string{"get", "list", "watch"}, APIGroups: []string{"example.com"}, Resources: []string{"widgets", "widgets/scale", "widgets/status"},
	}}
	viewer := role.Viewer(definitions)
	if diff := cmp.Diff(want, viewer[len(role.Viewer(nil)):]); diff != "" {
		t.Errorf("what definitions add (-want +got):\n%s", diff)
	}
}
