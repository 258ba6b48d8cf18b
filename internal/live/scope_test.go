package live

import (
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// watcher is a role of the operators, for Jobs alone.
var watcher = rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "watcher", Labels: map[string]string{v1alpha1.LabelRole: "true"}},
	Rules: []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{"batch"}, Resources: []string{"jobs"}}}}

// roleIn is the scope of somebody with one role.
func roleIn(role v1alpha1.AccessRole, instance string, namespaces ...string) rbac.Scope {
	a := rbac.NewAuthorizer(nil)
	a.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:mary"}, Role: role,
		Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}}, []rbacv1.ClusterRole{watcher}))
	return a.Scope(auth.NewPrincipal("oidc", "mary", nil))
}

// All share one watch, and each is sent what they may see.
func TestASubscriberIsToldWhatTheyMaySee(t *testing.T) {
	namespaces := []string{"pay", "shop", "shop-2"}
	for name, c := range map[string]struct {
		scope  rbac.Scope
		filter *model.WorkloadFilter
		// The namespaces of the Deployments and Jobs that are seen.
		deployments, jobs []string
	}{
		"an instance":                 {roleIn(v1alpha1.RoleViewer, "asia"), nil, namespaces, namespaces},
		"a namespace":                 {roleIn(v1alpha1.RoleEditor, "asia", "shop"), nil, []string{"shop"}, []string{"shop"}},
		"namespaces of every one":     {roleIn(v1alpha1.RoleViewer, "", "pay", "shop"), nil, []string{"pay", "shop"}, []string{"pay", "shop"}},
		"a kind":                      {roleIn("watcher", "asia"), nil, nil, namespaces},
		"a kind in a namespace":       {roleIn("watcher", "asia", "pay"), nil, nil, []string{"pay"}},
		"what a filter lets through":  {roleIn(v1alpha1.RoleViewer, "asia", "pay", "shop"), &model.WorkloadFilter{Namespaces: []string{"shop", "shop-2"}}, []string{"shop"}, []string{"shop"}},
		"a filter for what is hidden": {roleIn(v1alpha1.RoleViewer, "asia", "pay"), &model.WorkloadFilter{Namespaces: []string{"shop"}}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := livetest.New(t)
			f := newFixture(t, s)
			for _, namespace := range namespaces {
				s.Put("deployments", deployment(namespace, "web"))
				s.Put("jobs", deployment(namespace, "once"))
			}
			all := f.workloads(t.Context(), nil)
			sub := f.workloadsOf(t.Context(), c.scope, c.filter)
			for reader, sees := range map[*subscriber][2][]string{all: {namespaces, namespaces}, sub: {c.deployments, c.jobs}} {
				var want []string
				for _, namespace := range namespaces {
					if slices.Contains(sees[1], namespace) {
						want = append(want, "SNAPSHOT "+namespace+"/once")
					}
					if slices.Contains(sees[0], namespace) {
						want = append(want, "SNAPSHOT "+namespace+"/web")
					}
				}
				reader.want(append(want, "SYNCED")...)
			}
			// What is hidden from them would come before what is shown next.
			for _, kind := range []struct {
				resource, name string
				seen           []string
			}{{"deployments", "web", c.deployments}, {"jobs", "once", c.jobs}} {
				for _, change := range []string{"MODIFIED", "DELETED", "ADDED"} {
					var hers, everybodys []string
					for _, namespace := range namespaces {
						line := change + " " + namespace + "/" + kind.name
						if everybodys = append(everybodys, line); slices.Contains(kind.seen, namespace) {
							hers = append(hers, line)
						}
						if change == "DELETED" {
							s.Drop(kind.resource, namespace, kind.name)
						} else {
							s.Put(kind.resource, deployment(namespace, kind.name))
						}
					}
					all.want(everybodys...)
					sub.want(hers...)
				}
			}
		})
	}
}

func TestAWorkloadThatIsHiddenLooksLikeOneThatIsNotThere(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "web"))
	f := newFixture(t, s)
	ref := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "web"}
	for name, c := range map[string]struct {
		scope rbac.Scope
		want  []string
	}{
		"to whom it is shown":          {roleIn(v1alpha1.RoleViewer, "asia", "shop"), []string{"SNAPSHOT shop/web", "SYNCED"}},
		"to whom its namespace is not": {roleIn(v1alpha1.RoleViewer, "asia", "pay"), []string{"SYNCED"}},
		"to whom its kind is not":      {roleIn("watcher", "asia"), []string{"SYNCED"}},
	} {
		t.Run(name, func(t *testing.T) {
			ch, err := f.Workload(t.Context(), c.scope, ref)
			if err != nil {
				t.Fatal(err)
			}
			(&subscriber{t, ch}).want(c.want...)
		})
	}
}
