package role_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/rbac/role"
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
		"reading everything":                     {rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"*"}, Resources: []string{"*"}}, `"get" on clusters/proxy`},
		"reading the core group":                 {rbacv1.PolicyRule{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"*"}}, "the Secrets that hold the credentials of the members; name the resources"},
		"Secrets by their name":                  {rule("*", "", "secrets"), ""},
		"writing policies":                       {rule("create", "policy.karmada.io", "overridepolicies"), ""},
		"reading Works":                          {rule("list", "work.karmada.io", "works"), ""},
		"asking for a certificate":               {rule("create", "certificates.k8s.io", "certificatesigningrequests"), ""},
		"reading admission policies":             {rule("watch", "admissionregistration.k8s.io", "validatingadmissionpolicies"), ""},
		"writing Works":                          {rule("patch", "work.karmada.io", "works"), `"patch" on works.work.karmada.io`},
		"writing bindings of namespaces":         {rule("update", "work.karmada.io", "resourcebindings"), `"update" on resourcebindings`},
		"writing bindings":                       {rule("create", "work.karmada.io", "clusterresourcebindings"), `"create" on clusterresourcebindings`},
		"everything of Karmada's works":          {rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{"work.karmada.io"}, Resources: []string{"*"}}, `"create" on works`},
		"interpreters":                           {rule("create", "config.karmada.io", "resourceinterpretercustomizations"), "on resourceinterpretercustomizations"},
		"interpreters by webhook":                {rule("update", "config.karmada.io", "resourceinterpreterwebhookconfigurations"), "on resourceinterpreterwebhookconfigurations"},
		"mutating webhooks":                      {rule("create", "admissionregistration.k8s.io", "mutatingwebhookconfigurations"), "on mutatingwebhookconfigurations"},
		"validating webhooks":                    {rule("patch", "admissionregistration.k8s.io", "validatingwebhookconfigurations"), "on validatingwebhookconfigurations"},
		"admission policies":                     {rule("update", "admissionregistration.k8s.io", "validatingadmissionpolicies"), "on validatingadmissionpolicies"},
		"taking admission policies away":         {rule("delete", "admissionregistration.k8s.io", "validatingadmissionpolicybindings"), `"delete" on validatingadmissionpolicybindings`},
		"taking them all away":                   {rule("deletecollection", "admissionregistration.k8s.io", "validatingadmissionpolicies"), `"deletecollection" on`},
		"mutating admission policies":            {rule("create", "admissionregistration.k8s.io", "mutatingadmissionpolicies"), "on mutatingadmissionpolicies"},
		"definitions":                            {rule("create", "apiextensions.k8s.io", "customresourcedefinitions"), "on customresourcedefinitions"},
		"aggregated APIs":                        {rule("patch", "apiregistration.k8s.io", "apiservices"), "on apiservices"},
		"approving certificates":                 {rule("update", "certificates.k8s.io", "certificatesigningrequests/approval"), "on certificatesigningrequests/approval"},
		"issuing certificates":                   {rule("patch", "certificates.k8s.io", "certificatesigningrequests/status"), "on certificatesigningrequests/status"},
		"approving for a signer":                 {rule("approve", "certificates.k8s.io", "signers"), `"approve" on signers`},
		"signing":                                {rule("sign", "certificates.k8s.io", "signers"), `"sign" on signers`},
		"members through Karmada":                {rule("get", "cluster.karmada.io", "clusters/proxy"), `"get" on clusters/proxy`},
		"one path of the members":                {rule("get", "cluster.karmada.io", "clusters/proxy/api"), `"get" on clusters/proxy`},
		"members by the subresource of anything": {rule("create", "*", "*/proxy"), "on clusters/proxy"},
		"being known in the members":             {rule("impersonate-in-members", "cluster.karmada.io", "clusters/proxy"), "on clusters/proxy"},
		"members themselves":                     {rule("create", "cluster.karmada.io", "clusters"), `"create" on clusters`},
		"what the search keeps of the members":   {rule("get", "search.karmada.io", "search/cache"), "on search"},
		"members through the search":             {rule("get", "search.karmada.io", "proxying/proxy"), "on proxying"},
		"impersonate groups":                     {rule("impersonate", "", "groups"), `"impersonate" on groups`},
		"impersonate groups of authentication":   {rule("impersonate", "authentication.k8s.io", "groups"), `"impersonate" on groups.authentication.k8s.io`},
		"impersonate accounts there":             {rule("impersonate", "authentication.k8s.io", "serviceaccounts"), `"impersonate" on serviceaccounts.authentication.k8s.io`},
		"impersonate by a uid":                   {rule("impersonate", "authentication.k8s.io", "uids"), `"impersonate" on uids`},
		"attesting":                              {rule("attest", "certificates.k8s.io", "signers"), `"attest" on signers`},
		"bindings of admission policies":         {rule("create", "admissionregistration.k8s.io", "validatingadmissionpolicybindings"), "on validatingadmissionpolicybindings"},
		"bindings of mutating ones":              {rule("update", "admissionregistration.k8s.io", "mutatingadmissionpolicybindings"), "on mutatingadmissionpolicybindings"},
		"every pod of a node":                    {rule("get", "", "nodes/proxy"), "on nodes/proxy"},
		"a path behind the proxy of a node":      {rule("create", "", "nodes/proxy/exec"), "on nodes/proxy"},
		"volumes of any path":                    {rule("create", "", "persistentvolumes"), "on persistentvolumes"},
		"the labels of namespaces":               {rule("patch", "", "namespaces"), "on namespaces"},
		"namespaces, to make them":               {rule("create", "", "namespaces"), ""},
		"copies of the members":                  {rule("create", "search.karmada.io", "resourceregistries"), "on resourceregistries"},
		"impersonate users of authentication":    {rule("impersonate", "authentication.k8s.io", "users"), `"impersonate" on users.authentication.k8s.io`},
		"impersonate by a narrower verb":         {rule("impersonate:user-info", "authentication.k8s.io", "users"), `"impersonate:user-info" on users`},
		"one admission policy of a name": {rbacv1.PolicyRule{
			Verbs: []string{"patch"}, APIGroups: []string{"admissionregistration.k8s.io"}, Resources: []string{"validatingadmissionpolicies"}, ResourceNames: []string{"overrides.kairship.io"},
		}, "on validatingadmissionpolicies"},
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

func TestWithoutPolicyWritesNothingElseIsLost(t *testing.T) {
	policies := []string{"clusteroverridepolicies", "clusterpropagationpolicies", "overridepolicies", "propagationpolicies"}
	r := func(verbs, groups string, resources ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: strings.Fields(verbs), APIGroups: strings.Split(groups, " "), Resources: resources}
	}
	for name, tt := range map[string]struct {
		rule rbacv1.PolicyRule
		want []rbacv1.PolicyRule
	}{
		"nothing of policies":        {r("create", "apps", "deployments"), []rbacv1.PolicyRule{r("create", "apps", "deployments")}},
		"reading":                    {r("get list watch", "policy.karmada.io", "*"), []rbacv1.PolicyRule{r("get list watch", "policy.karmada.io", "*")}},
		"writing":                    {r("create patch", "policy.karmada.io", policies...), nil},
		"reading and writing":        {r("get create", "policy.karmada.io", "overridepolicies"), []rbacv1.PolicyRule{r("get", "policy.karmada.io", "overridepolicies")}},
		"everything":                 {r("*", "policy.karmada.io", "*"), []rbacv1.PolicyRule{r("get list watch", "policy.karmada.io", "*")}},
		"everything of two groups":   {r("* x", "apps policy.karmada.io", "*"), []rbacv1.PolicyRule{r("* x", "apps", "*"), r("get list watch", "policy.karmada.io", "*")}},
		"one kind in every group":    {r("update", "*", "propagationpolicies"), nil},
		"other policies":             {r("create", "policy.karmada.io", "federatedresourcequotas"), []rbacv1.PolicyRule{r("create", "policy.karmada.io", "federatedresourcequotas")}},
		"the policies of Kubernetes": {r("create", "policy", "poddisruptionbudgets"), []rbacv1.PolicyRule{r("create", "policy", "poddisruptionbudgets")}},
	} {
		t.Run(name, func(t *testing.T) {
			got := role.WithoutPolicyWrites([]rbacv1.PolicyRule{tt.rule})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if role.WritesPolicies(got) {
				t.Errorf("%+v writes policies", got)
			}
		})
	}
	if !role.WritesPolicies(role.Editor(nil)) || role.WritesPolicies(role.Viewer(nil)) || !role.WritesPolicies(role.Admin()) {
		t.Error("who writes policies is told wrong")
	}
}

func TestSecretsAreForNamespacesThatAreNotTheControlPlanes(t *testing.T) {
	r := func(verbs, group string, resources ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: strings.Fields(verbs), APIGroups: []string{group}, Resources: resources}
	}
	for name, tt := range map[string]struct {
		rule             rbacv1.PolicyRule
		everywhere, data []rbacv1.PolicyRule
	}{
		"reading Secrets":      {r("get", "", "secrets"), nil, []rbacv1.PolicyRule{r("get", "", "secrets")}},
		"Secrets among others": {r("get create", "", "pods", "secrets"), []rbacv1.PolicyRule{r("get create", "", "pods")}, []rbacv1.PolicyRule{r("get create", "", "secrets")}},
		"reading ConfigMaps":   {r("get list", "", "configmaps"), []rbacv1.PolicyRule{r("get list", "", "configmaps")}, nil},
		"writing ConfigMaps":   {r("get patch", "", "configmaps"), []rbacv1.PolicyRule{r("get", "", "configmaps")}, []rbacv1.PolicyRule{r("get patch", "", "configmaps")}},
		"all on both": {
			r("*", "*", "configmaps", "secrets", "jobs"), []rbacv1.PolicyRule{r("*", "*", "jobs"), r("get list watch", "*", "configmaps")},
			[]rbacv1.PolicyRule{r("*", "*", "configmaps", "secrets")},
		},
		"what leads to servers": {
			r("get patch", "", "services/status", "services", "pods"), []rbacv1.PolicyRule{r("get patch", "", "pods"), r("get", "", "services/status", "services")},
			[]rbacv1.PolicyRule{r("get patch", "", "services/status", "services")},
		},
		"a group in which all is guarded": {r("create", "multicluster.x-k8s.io", "*"), nil, []rbacv1.PolicyRule{r("create", "multicluster.x-k8s.io", "*")}},
		"another group":                   {r("*", "apps", "*"), []rbacv1.PolicyRule{r("*", "apps", "*")}, nil},
		"beside another group": {
			rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{"apps", "discovery.k8s.io"}, Resources: []string{"*"}},
			[]rbacv1.PolicyRule{r("create", "apps", "*")}, []rbacv1.PolicyRule{r("create", "discovery.k8s.io", "*")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere, data := role.Divided([]rbacv1.PolicyRule{tt.rule})
			if diff := cmp.Diff(tt.everywhere, everywhere) + cmp.Diff(tt.data, data); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
