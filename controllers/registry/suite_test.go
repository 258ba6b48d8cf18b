package registry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/registry"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var host *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace("global")
	})
}

// now is the clock of every controller, well after any deletion when the test says so.
func start(t *testing.T, options registry.Options) (now *testclock.FakePassiveClock, stop func()) {
	t.Helper()
	return startThrough(t, nil, options)
}

func startThrough(t *testing.T, wrap transport.WrapperFunc, options registry.Options) (now *testclock.FakePassiveClock, stop func()) {
	t.Helper()
	now = testclock.NewFakePassiveClock(time.Now())
	if options.Retry == 0 {
		options.Retry = 200 * time.Millisecond
	}
	return now, suite.Run(t, host, suite.Options{Wrap: wrap, Clock: now}, func(o controllers.Options) controllers.Controller {
		options.Options = o
		return registry.New(options)
	})
}

// attach makes an Instance; nothing is behind it.
func attach(t *testing.T, name, displayName string) *v1alpha1.Instance {
	t.Helper()
	t.Cleanup(func() {
		for _, kind := range []schema.GroupVersionKind{v1alpha1.GlobalResourceKind, workspace} {
			suite.Remove(t, host, objectOf(kind, name))
		}
	})
	return suite.Attach(t, host, name, nil, func(i *v1alpha1.Instance) { i.Spec.DisplayName = displayName })
}

func objectOf(kind schema.GroupVersionKind, instance string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	u.SetName("instance-" + instance)
	if kind == workspace {
		u.SetNamespace("global")
	}
	return u
}

func globalResource(t *testing.T, instance string) *v1alpha1.GlobalResource {
	t.Helper()
	var g v1alpha1.GlobalResource
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "instance-" + instance}, &g); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		t.Fatal(err)
	}
	return &g
}

func reaches(t *testing.T, name string, status metav1.ConditionStatus, reason string) metav1.Condition {
	t.Helper()
	var c *metav1.Condition
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
			return err.Error()
		}
		if c = meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionRegistered); c == nil || c.Reason != reason || c.Status != status {
			return fmt.Sprintf("want %s %s, have %+v", status, reason, c)
		}
		return ""
	})
	return *c
}

var builtin = []v1alpha1.GlobalRole{
	{Name: "Admin", Description: "May do everything.", Namespaced: true},
	{Name: "Editor", Description: "May change everything but permissions and member clusters.", Namespaced: true},
	{Name: "Viewer", Description: "May read everything but Secrets.", Namespaced: true},
}

// isTold says what is wrong with what global management is told.
func isTold(t *testing.T, name, displayName string, roles ...v1alpha1.GlobalRole) string {
	t.Helper()
	g := globalResource(t, name)
	if g == nil {
		return "there is no GlobalResource"
	}
	if g.DeletionTimestamp != nil {
		return "it is being deleted"
	}
	return cmp.Diff(v1alpha1.GlobalResource{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app.kubernetes.io/managed-by": "kairship", "kairship.io/instance": name}},
		Spec:       v1alpha1.GlobalResourceSpec{Kind: "Instance", Name: name, DisplayName: displayName, Roles: append(builtin[:3:3], roles...)},
	}, v1alpha1.GlobalResource{ObjectMeta: metav1.ObjectMeta{Labels: g.Labels}, Spec: g.Spec})
}

func TestAnInstanceIsRegisteredAndStaysSo(t *testing.T) {
	start(t, registry.Options{})
	i := attach(t, "asia", "")
	c := reaches(t, "asia", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	if !strings.Contains(c.Message, `"instance-asia"`) || c.ObservedGeneration != 1 {
		t.Errorf("condition: %+v", c)
	}
	if diff := isTold(t, "asia", "asia"); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name   string
		meddle func(*v1alpha1.GlobalResource) error
	}{
		{"deleting it", func(g *v1alpha1.GlobalResource) error { return host.Client.Delete(t.Context(), g) }},
		{"changing the name that people see", func(g *v1alpha1.GlobalResource) error {
			g.Spec.DisplayName = "Atlantis"
			return host.Client.Update(t.Context(), g)
		}},
		{"adding a role", func(g *v1alpha1.GlobalResource) error {
			g.Spec.Roles = append(g.Spec.Roles, v1alpha1.GlobalRole{Name: "God"})
			return host.Client.Update(t.Context(), g)
		}},
		{"taking the roles away", func(g *v1alpha1.GlobalResource) error {
			g.Spec.Roles = nil
			return host.Client.Update(t.Context(), g)
		}},
		{"taking its labels", func(g *v1alpha1.GlobalResource) error {
			g.Labels = nil
			return host.Client.Update(t.Context(), g)
		}},
		{"labelling it for another", func(g *v1alpha1.GlobalResource) error {
			g.Labels["kairship.io/instance"] = "nowhere"
			return host.Client.Update(t.Context(), g)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := globalResource(t, "asia")
			if err := tt.meddle(before.DeepCopy()); err != nil {
				t.Fatal(err)
			}
			testenv.Eventually(t, func() string {
				if g := globalResource(t, "asia"); g != nil && g.ResourceVersion == before.ResourceVersion {
					return "nothing has happened"
				}
				return isTold(t, "asia", "asia")
			})
		})
	}

	t.Run("a new display name is told", func(t *testing.T) {
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(i), i); err != nil {
			t.Fatal(err)
		}
		if err := host.Client.Patch(t.Context(), i, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"displayName":"Asia-Pacific"}}`))); err != nil {
			t.Fatal(err)
		}
		testenv.Eventually(t, func() string { return isTold(t, "asia", "Asia-Pacific") })
	})
}

func TestTheRolesOfTheOperatorsAreTold(t *testing.T) {
	start(t, registry.Options{})
	attach(t, "roles", "Roles")
	reaches(t, "roles", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	custom := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "restarter", Labels: map[string]string{"kairship.io/role": "true"}, Annotations: map[string]string{"kairship.io/description": "May restart."}},
		Rules:      []rbacv1.PolicyRule{{Verbs: []string{"patch"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}}},
	}
	if err := host.Client.Create(t.Context(), custom); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, custom) })
	told := v1alpha1.GlobalRole{Name: "restarter", Description: "May restart.", Namespaced: true}
	testenv.Eventually(t, func() string { return isTold(t, "roles", "Roles", told) })

	custom.Rules[0].Verbs, custom.Rules[0].APIGroups, custom.Rules[0].Resources = []string{"escalate"}, []string{"rbac.authorization.k8s.io"}, []string{"roles"}
	if err := host.Client.Update(t.Context(), custom); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return isTold(t, "roles", "Roles") })

	custom.Rules[0].Verbs = []string{"get"}
	if err := host.Client.Update(t.Context(), custom); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return isTold(t, "roles", "Roles", told) })
	custom.Labels = nil
	if err := host.Client.Update(t.Context(), custom); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return isTold(t, "roles", "Roles") })
}

func TestWhatGlobalManagementAnswersIsSaidOfTheInstance(t *testing.T) {
	start(t, registry.Options{})
	attach(t, "answered", "")
	reaches(t, "answered", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	g := globalResource(t, "answered")
	answer := func(conditions ...metav1.Condition) {
		t.Helper()
		g.Status.Conditions = conditions
		if err := host.Client.Status().Update(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	answer(metav1.Condition{Type: "Registered", Status: metav1.ConditionFalse, Reason: "NoLicence", Message: "the licence has run out", LastTransitionTime: metav1.Now()})
	if c := reaches(t, "answered", metav1.ConditionFalse, "NoLicence"); c.Message != "the licence has run out" {
		t.Errorf("condition: %+v", c)
	}
	answer(metav1.Condition{Type: "Registered", Status: metav1.ConditionTrue, Reason: "Licensed", LastTransitionTime: metav1.Now()})
	reaches(t, "answered", metav1.ConditionTrue, "Licensed")
	answer()
	reaches(t, "answered", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
}

func TestAnObjectOfSomebodyElseIsLeftAlone(t *testing.T) {
	start(t, registry.Options{})
	theirs := &v1alpha1.GlobalResource{
		ObjectMeta: metav1.ObjectMeta{Name: "instance-taken"}, Spec: v1alpha1.GlobalResourceSpec{Kind: "Cluster", Name: "x"},
	}
	if err := host.Client.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, theirs) })
	i := attach(t, "taken", "")
	reaches(t, "taken", metav1.ConditionFalse, v1alpha1.ReasonNotOurs)
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	left(t, i)
	if g := globalResource(t, "taken"); g == nil || g.ResourceVersion != theirs.ResourceVersion {
		t.Errorf("it was touched: %+v", g)
	}
}

func TestAnObjectOfSomebodyElseThatGoesMakesRoom(t *testing.T) {
	start(t, registry.Options{})
	theirs := &v1alpha1.GlobalResource{
		ObjectMeta: metav1.ObjectMeta{Name: "instance-room"}, Spec: v1alpha1.GlobalResourceSpec{Kind: "Cluster", Name: "x"},
	}
	if err := host.Client.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	attach(t, "room", "")
	reaches(t, "room", metav1.ConditionFalse, v1alpha1.ReasonNotOurs)
	if err := host.Client.Delete(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	reaches(t, "room", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
}

// left waits until an Instance is no more.
func left(t *testing.T, i *v1alpha1.Instance) {
	t.Helper()
	testenv.Eventually(t, func() string {
		var still v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(i), &still); !apierrors.IsNotFound(err) {
			return fmt.Sprintf("the Instance is still there: %v", still.Finalizers)
		}
		return ""
	})
}

func TestTheRegistrationGoesWithTheInstance(t *testing.T) {
	start(t, registry.Options{})
	i := attach(t, "leaving", "")
	reaches(t, "leaving", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	// Global management may have something to do first.
	g := globalResource(t, "leaving")
	g.Finalizers = []string{"example.com/global-management"}
	if err := host.Client.Update(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	reaches(t, "leaving", metav1.ConditionFalse, v1alpha1.ReasonRemoving)
	g = globalResource(t, "leaving")
	g.Finalizers = nil
	if err := host.Client.Update(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	left(t, i)
	if g := globalResource(t, "leaving"); g != nil {
		t.Errorf("it is still there: %+v", g)
	}
}

func TestADeletionThatIsHeldBackTakesNothingDown(t *testing.T) {
	start(t, registry.Options{})
	i := &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "held", Finalizers: []string{"kairship.io/lifecycle"}},
		Spec:       v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged},
	}
	if err := host.Client.Create(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, i); suite.Remove(t, host, objectOf(v1alpha1.GlobalResourceKind, "held")) })
	reaches(t, "held", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	// It is even put back.
	if err := host.Client.Delete(t.Context(), globalResource(t, "held")); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return isTold(t, "held", "held") })
	if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(i), i); err != nil {
		t.Fatal(err)
	}
	meta.SetStatusCondition(&i.Status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionDeletable, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonDeletable, ObservedGeneration: i.Generation,
	})
	if err := host.Client.Status().Update(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if globalResource(t, "held") != nil {
			return "it is still registered"
		}
		return ""
	})
}

func TestWhatIsLeftOfAnInstanceThatIsNoMoreIsRemoved(t *testing.T) {
	orphan := &v1alpha1.GlobalResource{
		ObjectMeta: metav1.ObjectMeta{Name: "instance-orphan", Labels: map[string]string{"app.kubernetes.io/managed-by": "kairship", "kairship.io/instance": "orphan"}},
		Spec:       v1alpha1.GlobalResourceSpec{Kind: "Instance", Name: "orphan"},
	}
	theirs := &v1alpha1.GlobalResource{ObjectMeta: metav1.ObjectMeta{Name: "instance-theirs"}, Spec: v1alpha1.GlobalResourceSpec{Kind: "Instance", Name: "theirs"}}
	for _, g := range []*v1alpha1.GlobalResource{orphan, theirs} {
		if err := host.Client.Create(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { suite.Remove(t, host, g) })
	}
	start(t, registry.Options{})
	testenv.Eventually(t, func() string {
		if globalResource(t, "orphan") != nil {
			return "it is still there"
		}
		return ""
	})
	if globalResource(t, "theirs") == nil {
		t.Error("what was somebody else's is gone as well")
	}
}

// workspace is a kind of a platform that has its own.
var workspace = schema.GroupVersionKind{Group: "platform.example.com", Version: "v1", Kind: "Workspace"}

func defineWorkspace(t *testing.T) {
	t.Helper()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "workspaces.platform.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "platform.example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "workspaces", Singular: "workspace", Kind: "Workspace", ListKind: "WorkspaceList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
						"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
							"title": text, "ref": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"type": text, "name": text}},
						}},
					},
				}},
			}},
		},
	}
	if err := host.Client.Create(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, crd) })
}

var workspaceLayout = registry.Layout{Kind: "spec.ref.type", Name: "spec.ref.name", DisplayName: "spec.title"}

func isWorkspace(t *testing.T, name string) string {
	t.Helper()
	u := objectOf(workspace, name)
	if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(u), u); err != nil {
		return err.Error()
	}
	return cmp.Diff(map[string]any{"title": name, "ref": map[string]any{"type": "Instance", "name": name}}, u.Object["spec"])
}

func TestAKindOfThePlatformIsWrittenWhenItIsServed(t *testing.T) {
	_, stop := start(t, registry.Options{})
	i := attach(t, "moving", "")
	reaches(t, "moving", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	stop()

	// 1. Not served yet.
	_, stop = start(t, registry.Options{Kind: workspace, KindNamespace: "global", Layout: workspaceLayout})
	if c := reaches(t, "moving", metav1.ConditionFalse, v1alpha1.ReasonKindNotServed); !strings.Contains(c.Message, "Workspace.platform.example.com") {
		t.Errorf("condition: %+v", c)
	}
	// 2. Served: the GlobalResource of before goes.
	defineWorkspace(t)
	reaches(t, "moving", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	if diff := isWorkspace(t, "moving"); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if globalResource(t, "moving") != nil {
		t.Error("it is registered by a GlobalResource still")
	}
	if err := host.Client.Delete(t.Context(), objectOf(workspace, "moving")); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return isWorkspace(t, "moving") })
	stop()

	// 3. A kind that is namespaced needs a namespace.
	_, stop = start(t, registry.Options{Kind: workspace, Layout: workspaceLayout})
	reaches(t, "moving", metav1.ConditionFalse, v1alpha1.ReasonNamespaceRequired)
	stop()

	// 4. A field that the kind does not have is named.
	_, stop = start(t, registry.Options{Kind: workspace, KindNamespace: "global", Layout: registry.Layout{Name: "spec.ref.name", Roles: "spec.roles"}})
	if c := reaches(t, "moving", metav1.ConditionFalse, v1alpha1.ReasonWriteFailed); !strings.Contains(c.Message, "spec.roles") {
		t.Errorf("condition: %+v", c)
	}
	stop()

	// 5. It goes with the instance.
	start(t, registry.Options{Kind: workspace, KindNamespace: "global", Layout: workspaceLayout})
	reaches(t, "moving", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
	if err := host.Client.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	left(t, i)
	u := objectOf(workspace, "moving")
	if err := host.Client.Get(t.Context(), client.ObjectKeyFromObject(u), u); !apierrors.IsNotFound(err) {
		t.Errorf("the Workspace is still there: %v", err)
	}
}

func TestAKindThatIsServedNoMoreHoldsNoInstance(t *testing.T) {
	start(t, registry.Options{Kind: workspace, KindNamespace: "global", Layout: workspaceLayout})
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "workspaces.platform.example.com"}}
	t.Run("defined", func(t *testing.T) {
		defineWorkspace(t)
		i := attach(t, "stranded", "")
		reaches(t, "stranded", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
		suite.Remove(t, host, crd)
		reaches(t, "stranded", metav1.ConditionFalse, v1alpha1.ReasonKindNotServed)
		if err := host.Client.Delete(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		left(t, i)
	})
}

func TestARegistrationSurvivesACrashAtEveryWrite(t *testing.T) {
	attached := func(t *testing.T) any {
		t.Helper()
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "crashing"}, &i); err != nil {
			t.Fatal(err)
		}
		c := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionRegistered)
		return []any{isTold(t, "crashing", "crashing"), i.Finalizers, i.Annotations, c.Status, c.Reason, c.Message}
	}
	start := func(t *testing.T, wrap transport.WrapperFunc) func() {
		t.Helper()
		_, stop := startThrough(t, wrap, registry.Options{})
		return stop
	}
	t.Run("while it is made", func(t *testing.T) {
		testenv.Crashes{
			Setup: func(t *testing.T) { t.Helper(); attach(t, "crashing", "") },
			Start: start,
			Settled: func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "crashing"}, &i); err != nil {
					return err.Error()
				}
				if !meta.IsStatusConditionTrue(i.Status.Conditions, v1alpha1.ConditionRegistered) {
					return "it is not registered"
				}
				return ""
			},
			State: attached,
		}.Run(t)
	})
	t.Run("while it is removed", func(t *testing.T) {
		testenv.Crashes{
			Setup: func(t *testing.T) {
				t.Helper()
				i := attach(t, "crashing", "")
				stop := start(t, nil)
				reaches(t, "crashing", metav1.ConditionTrue, v1alpha1.ReasonRegistered)
				stop()
				if err := host.Client.Delete(t.Context(), i); err != nil {
					t.Fatal(err)
				}
			},
			Start: start,
			Settled: func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "crashing"}, &i); !apierrors.IsNotFound(err) {
					return "the Instance is still there"
				}
				return ""
			},
			State: func(t *testing.T) any { t.Helper(); return globalResource(t, "crashing") == nil },
		}.Run(t)
	})
}
