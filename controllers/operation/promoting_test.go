package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/karmada-io/karmada/pkg/util/names"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/promotion"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// Where an object is promoted from osaka, with what it needs.
const promotedSpace = "shop"

var (
	policyKind  = schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: "PropagationPolicy"}
	bindingKind = schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha2", Kind: "ResourceBinding"}
	parts       = []schema.GroupVersionKind{policyKind, {Group: "apps", Version: "v1", Kind: "Deployment"}, {Version: "v1", Kind: "ConfigMap"}, {Version: "v1", Kind: "Service"}}
)

func promote() v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationPromoteResource, Instance: "japan", Cluster: "osaka", RequestID: "promotion",
		Object:          &v1alpha1.OperationObject{APIVersion: "apps/v1", Kind: "Deployment", Namespace: promotedSpace, Name: "web"},
		PromoteResource: &v1alpha1.PromoteResourceInput{Dependencies: true}}
}

// through attaches the instance japan: the same Karmada, by a server that forwards requests for its member osaka to the member.
func (f federation) through(t *testing.T) {
	t.Helper()
	to, err := url.Parse(f.member.Config.Host)
	must(t, err)
	asAdministrator, err := rest.TransportFor(f.member.Config)
	must(t, err)
	const prefix = "/apis/cluster.karmada.io/v1alpha1/clusters/osaka/proxy"
	forward := &httputil.ReverseProxy{Transport: asAdministrator, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Path = strings.TrimPrefix(r.In.URL.Path, prefix)
		r.SetURL(to)
		for header := range r.Out.Header {
			if header == "Authorization" || strings.HasPrefix(header, "Impersonate-") {
				r.Out.Header.Del(header)
			}
		}
	}}
	k := testenv.NewKarmada(t, f.karmada)
	k.Instead(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, prefix) {
			return false
		}
		forward.ServeHTTP(w, r)
		return true
	})
	suite.Attach(t, host, "japan", k.Kubeconfig("kairship"))
}

// list are the objects of a kind where promoted objects are.
func list(ctx context.Context, s *testenv.Server, kind schema.GroupVersionKind) []unstructured.Unstructured {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(kind)
	if s.Client.List(ctx, all, client.InNamespace(promotedSpace)) != nil {
		return nil
	}
	return all.Items
}

// takeOver makes bindings of templates that have a policy, which say that all is applied, and removes those of templates that are gone, as Karmada does.
func (f federation) takeOver(ctx context.Context) {
	wanted := map[string]bool{}
	for _, p := range list(ctx, f.karmada, policyKind) {
		selectors, _, _ := unstructured.NestedSlice(p.Object, "spec", "resourceSelectors")
		for _, s := range selectors {
			selected, _ := s.(map[string]any)
			of := &unstructured.Unstructured{}
			of.SetAPIVersion(fmt.Sprint(selected["apiVersion"]))
			of.SetKind(fmt.Sprint(selected["kind"]))
			name := fmt.Sprint(selected["name"])
			if f.karmada.Client.Get(ctx, client.ObjectKey{Namespace: promotedSpace, Name: name}, of) != nil {
				continue
			}
			b := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"resource": map[string]any{"apiVersion": of.GetAPIVersion(), "kind": of.GetKind(), "name": name}}}}
			b.SetGroupVersionKind(bindingKind)
			b.SetNamespace(promotedSpace)
			b.SetName(names.GenerateBindingName(of.GetKind(), name))
			wanted[b.GetName()] = true
			if f.karmada.Client.Create(ctx, b) != nil {
				continue // it is there already
			}
			_ = unstructured.SetNestedSlice(b.Object, []any{map[string]any{"clusterName": "osaka", "applied": true}}, "status", "aggregatedStatus")
			if f.karmada.Client.Status().Update(ctx, b) != nil {
				_ = f.karmada.Client.Delete(ctx, b) // tried again
			}
		}
	}
	for _, b := range list(ctx, f.karmada, bindingKind) {
		if !wanted[b.GetName()] {
			_ = f.karmada.Client.Delete(ctx, &b)
		}
	}
}

// unpromote removes what a promotion left in the instance, and its namespace.
func (f federation) unpromote(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	for _, kind := range parts {
		for _, o := range list(ctx, f.karmada, kind) {
			suite.Remove(t, f.karmada, &o)
		}
	}
	testenv.Eventually(t, func() string {
		if left := list(ctx, f.karmada, bindingKind); len(left) > 0 {
			return "there are bindings"
		}
		var ns corev1.Namespace
		err := f.karmada.Client.Get(ctx, client.ObjectKey{Name: promotedSpace}, &ns)
		if apierrors.IsNotFound(err) {
			return ""
		}
		if err == nil && ns.DeletionTimestamp == nil {
			_ = f.karmada.Client.Delete(ctx, &ns)
		}
		ns.Spec.Finalizers = nil
		_ = f.karmada.Client.SubResource("finalize").Update(ctx, &ns)
		return "the namespace is still there"
	})
}

// promoted is what of a promotion there is in the instance, and that the member has what it had.
func (f federation) promoted(t *testing.T, runs *appsv1.Deployment) []string {
	t.Helper()
	ctx := context.Background()
	out := []string{}
	for _, kind := range parts {
		for _, o := range list(ctx, f.karmada, kind) {
			preserves, _, _ := unstructured.NestedBool(o.Object, "spec", "preserveResourcesOnDeletion")
			out = append(out, fmt.Sprintf("instance: %s %s, marked %t, preserves %t", kind.Kind, o.GetName(), o.GetAnnotations()[v1alpha1.AnnotationOperation] != "", preserves))
		}
	}
	var is appsv1.Deployment
	must(t, f.member.Client.Get(ctx, client.ObjectKeyFromObject(runs), &is))
	return append(out, fmt.Sprintf("member: untouched %t", is.UID == runs.UID && is.ResourceVersion == runs.ResourceVersion))
}

// A promotion that dies at any of its writes is finished, or undone, by its successors: nothing is made twice, nothing is left, and the member keeps what it
// has.
func TestADeathAtAnyWriteOfAPromotionIsMadeGood(t *testing.T) {
	f := federated(t)
	f.through(t)
	runs := f.run(t)
	ctx, cancel := context.WithCancel(context.Background())
	var karmada sync.WaitGroup
	karmada.Go(func() {
		for ctx.Err() == nil {
			f.takeOver(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond): // as often as a watch would tell
			}
		}
	})
	t.Cleanup(func() { cancel(); karmada.Wait() })
	// A policy of somebody else, of the name that the last one would have.
	taken := promotion.PolicyRef(model.Ref{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Service"}, Namespace: promotedSpace, Name: "web"})
	policies := func(marked, preserves bool) (out []string) {
		for _, kind := range parts[1:] {
			name := promotion.PolicyRef(model.Ref{GVK: kind, Namespace: promotedSpace, Name: partNames[kind.Kind]}).Name
			out = append(out, fmt.Sprintf("instance: PropagationPolicy %s, marked %t, preserves %t", name, marked, preserves))
		}
		slices.Sort(out)
		return out
	}
	for name, tc := range map[string]struct {
		taken bool
		want  []string
		ends  string
	}{
		"one that succeeds": {false, append(policies(false, false), "instance: Deployment web, marked false, preserves false",
			"instance: ConfigMap settings, marked false, preserves false", "instance: Service web, marked false, preserves false", "member: untouched true"), "SUCCEEDED"},
		"one that is undone": {true, []string{fmt.Sprintf("instance: PropagationPolicy %s, marked false, preserves false", taken.Name), "member: untouched true"}, "FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			var b *book
			t.Cleanup(func() { f.unpromote(t) })
			testenv.Crashes{
				Setup: func(t *testing.T) {
					f.unpromote(t)
					if tc.taken {
						must(t, f.karmada.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: promotedSpace}}))
						p := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"resourceSelectors": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "none"}}}}}
						p.SetGroupVersionKind(policyKind)
						p.SetNamespace(taken.Namespace)
						p.SetName(taken.Name)
						must(t, f.karmada.Client.Create(t.Context(), p))
					}
					b = &book{}
					ask(t, "promotion", promote())
				},
				Start:   func(t *testing.T, wrap transport.WrapperFunc) func() { return start(t, wrap, audited(t, b)) },
				Settled: func() string { return ended("promotion") },
				State: func(t *testing.T) any {
					t.Helper()
					got := f.promoted(t, runs)
					if !slices.Equal(got, tc.want) {
						t.Errorf("there is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
					}
					told, want := b.lines("promotion"), 1
					if strings.Contains(tc.ends, string(audit.Succeeded)) {
						want = 2 * len(partNames) // each object, and its policy
					}
					if len(told) != want || !strings.Contains(told[0], tc.ends) {
						t.Errorf("the audit log has %q", told)
					}
					return slices.Concat(got, told, summary(now(context.Background(), "promotion")))
				},
			}.Run(t)
		})
	}
}

// partNames are the names of what is promoted.
var partNames = map[string]string{"Deployment": "web", "ConfigMap": "settings", "Service": "web"}

// run makes a Deployment in the member, with what it needs.
func (f federation) run(t *testing.T) *appsv1.Deployment {
	t.Helper()
	labels := map[string]string{"app": "web"}
	meta := metav1.ObjectMeta{Namespace: promotedSpace, Name: "web"}
	d := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.example/web:1",
			EnvFrom: []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "settings"}}}}}}}},
	}}
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: promotedSpace}}, d,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: promotedSpace, Name: "settings"}, Data: map[string]string{"a": "b"}},
		&corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Selector: labels, Ports: []corev1.ServicePort{{Port: 80}}}},
	} {
		must(t, f.member.Client.Create(t.Context(), o))
	}
	return d
}

// deletions are the paths of what is deleted, in order.
type deletions struct {
	mu    sync.Mutex
	paths []string
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (d *deletions) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodDelete {
			d.mu.Lock()
			d.paths = append(d.paths, r.URL.Path)
			d.mu.Unlock()
		}
		return next.RoundTrip(r)
	})
}

// first is where the first deletion of a resource is; -1 for none.
func (d *deletions) first(resource string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.IndexFunc(d.paths, func(p string) bool { return strings.Contains(p, "/"+resource+"/") })
}

// The policy says that what it takes over stays in the member: it is there until its template is gone.
func TestAPromotionThatIsCancelledKeepsItsPolicyUntilItsTemplateIsGone(t *testing.T) {
	f := federated(t)
	f.through(t)
	const space = "undone"
	for _, o := range []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: space}}, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "lone"}}} {
		must(t, f.member.Client.Create(t.Context(), o))
	}
	d := &deletions{}
	start(t, d.wrap)
	spec := promote()
	spec.Object = &v1alpha1.OperationObject{APIVersion: "v1", Kind: "ConfigMap", Namespace: space, Name: "lone"}
	spec.PromoteResource = &v1alpha1.PromoteResourceInput{}
	ask(t, "undone", spec)
	during(t, "undone", "Take over", "for Karmada to see") // nothing here makes its binding
	cancel(t, "undone")
	testenv.Eventually(t, func() string { return ended("undone") })
	if template, policy := d.first("configmaps"), d.first("propagationpolicies"); template < 0 || policy < template {
		t.Errorf("deleted in the order %q", d.paths)
	}
}
