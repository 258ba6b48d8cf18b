package e2e

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kairship-io/kairship/internal/model"
)

var (
	deploymentResource = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	namespaceResource  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	secretResource     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	roleResource       = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}
	bindingResource    = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}
	podResource        = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	serviceResource    = schema.GroupVersionResource{Version: "v1", Resource: "services"}
)

// fleetChanges is held while the fleet gets members and agents and loses them: the playground does one at a time.
var fleetChanges sync.Mutex

func changeFleet(t *testing.T, args ...string) string {
	t.Helper()
	fleetChanges.Lock()
	defer fleetChanges.Unlock()
	return fleetDo(t, args...)
}

// newMember starts a member that is joined to nothing, and returns its kubeconfig. It goes with the test.
func newMember(t *testing.T, name string) string {
	t.Helper()
	path := strings.TrimSpace(changeFleet(t, "member", name))
	t.Cleanup(func() {
		fleetChanges.Lock()
		defer fleetChanges.Unlock()
		if _, err := playground("member", name, "--remove"); err != nil {
			t.Error(err)
		}
	})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// begun is what a mutation that begins an operation answers.
type begun struct {
	Operation *struct{ ID, State string }
	Command   *string
	Placed    *struct {
		Total   int
		Objects []struct{ Kind, Namespace, Name string }
	}
	Promoted []struct {
		Kind, Name string
		Changes    []struct{ Path string }
	}
	Left       []struct{ Kind, Name, Reason string }
	UserErrors []struct {
		Code, Message string
		Field         []string
	}
}

func (b begun) problems() (out []string) {
	for _, e := range b.UserErrors {
		out = append(out, e.Code+" "+strings.Join(e.Field, "."))
	}
	return out
}

const (
	joinQuery   = `mutation($in: JoinClusterInput!) { out: joinCluster(input: $in) { operation { id state } command userErrors { code message field } } }`
	unjoinQuery = `mutation($in: UnjoinClusterInput!) { out: unjoinCluster(input: $in) { operation { id state } placed { total objects { kind namespace name } } userErrors { code message field } } }`
)

func begin(t *testing.T, query string, input map[string]any) begun {
	t.Helper()
	return into[struct{ Out begun }](t, query, map[string]any{"in": input}).Out
}

// ends waits until an operation has ended, and returns its state and what it says.
func ends(t *testing.T, b begun, within time.Duration) (state, message string) {
	t.Helper()
	if b.Operation == nil {
		t.Fatalf("no operation was begun: %+v", b.UserErrors)
	}
	type answer struct {
		Operation *struct {
			State, Message string
			Steps          []struct{ Name, State, Message string }
		}
	}
	eventually(t, within, func() error {
		got, err := read[answer](t, `query($id: ID!) { operation(id: $id) { state message steps { name state message } } }`, map[string]any{"id": b.Operation.ID})
		if err != nil {
			return err
		}
		if got.Operation == nil {
			return errors.New("the operation is not there")
		}
		state, message = got.Operation.State, got.Operation.Message
		if !slices.Contains([]string{"SUCCEEDED", "FAILED", "CANCELLED"}, state) {
			return fmt.Errorf("it has not ended: %+v", got.Operation)
		}
		for _, s := range got.Operation.Steps {
			message += fmt.Sprintf("; %s %s: %s", s.Name, s.State, s.Message)
		}
		return nil
	})
	return state, message
}

func succeeds(t *testing.T, b begun, within time.Duration) {
	t.Helper()
	state, message := ends(t, b, within)
	if state != "SUCCEEDED" {
		t.Fatalf("it is %s: %s", state, message)
	}
	t.Log(message)
}

// use propagates a Deployment in a namespace to a member that joined by a name, and waits until it runs there.
func use(t *testing.T, ns, member, as string) {
	t.Helper()
	removeNamespace(t, ns)
	leaveNothing(t, ns)
	if got := apply(t, map[string]any{"manifests": fmt.Sprintf(`
{apiVersion: v1, kind: Namespace, metadata: {name: %[1]s}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: %[1]s}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "registry.example/web:1"}]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: %[1]s, name: web}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], placement: {clusterAffinity: {clusterNames: [%[2]s]}}}}`, ns, as)}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	eventually(t, time.Minute, func() error {
		d, err := karmada(t, member).Resource(deploymentResource).Namespace(ns).Get(t.Context(), "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if ready := fieldOf(d, "status", "readyReplicas"); ready != "2" {
			return fmt.Errorf("%s of 2 replicas are ready", ready)
		}
		return nil
	})
}

// leftOf is what of a joining is left in an instance and a member; of one that cannot be asked, "", in the instance alone.
func leftOf(t *testing.T, instance, member, as string) error {
	t.Helper()
	outside := karmada(t, instance)
	var left []string
	look := func(where string, c dynamic.Interface, kind schema.GroupVersionResource, namespace string, mine func(unstructured.Unstructured) bool) {
		list, err := c.Resource(kind).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			left = append(left, err.Error())
			return
		}
		for _, o := range list.Items {
			if mine(o) {
				left = append(left, where+": "+kind.Resource+" "+o.GetNamespace()+"/"+o.GetName())
			}
		}
	}
	named := func(parts ...string) func(unstructured.Unstructured) bool {
		return func(o unstructured.Unstructured) bool {
			return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(o.GetName(), p) })
		}
	}
	for _, kind := range []schema.GroupVersionResource{namespaceResource, roleResource, bindingResource} {
		if member != "" {
			look(member, karmada(t, member), kind, "", named("karmada", "kairship", "e2e-pushed", "e2e-pulled"))
		}
		look(instance, outside, kind, "", named("karmada-es-"+as, "karmada:"+as+":"))
	}
	look(instance, outside, clusterResource, "", named(as))
	look(instance, outside, secretResource, "karmada-cluster", named(as))
	if len(left) > 0 {
		return fmt.Errorf("these are left: %q", left)
	}
	return nil
}

// A member joins by its kubeconfig, is used, and leaves once what runs there has moved; nothing of it is left.
func pushMember(t *testing.T) {
	kubeconfig := newMember(t, "osaka")
	input := func(edits ...string) map[string]any {
		in := map[string]any{"instance": "asia", "name": "kansai", "mode": "PUSH", "kubeconfig": kubeconfig, "region": "jp-osaka"}
		for i := 0; i < len(edits); i += 2 {
			in[edits[i]] = edits[i+1]
		}
		return in
	}
	for _, tc := range []struct {
		input map[string]any
		want  string
	}{
		{input("name", "Not A Name"), "BAD_USER_INPUT input.name"},
		{input("name", "hangzhou"), "CONFLICT input.name"},
		{input("kubeconfig", "{}"), "BAD_USER_INPUT input.kubeconfig"},
		{input("mode", "PULL"), "BAD_USER_INPUT input.kubeconfig"},
		{input("instance", "africa"), "NOT_FOUND input.instance"},
		{input("region", "../x"), "BAD_USER_INPUT input.region"},
	} {
		if got := begin(t, joinQuery, tc.input).problems(); len(got) != 1 || got[0] != tc.want {
			t.Errorf("%v is answered %q, want %q", tc.input["name"], got, tc.want)
		}
	}
	if got := askAs(t, idTokenOf(t, "editor"), joinQuery, map[string]any{"in": input()}); len(got.Errors) != 1 || got.Errors[0].Extensions.Code != "FORBIDDEN" {
		t.Errorf("an Editor is answered %+v", got.Errors)
	}
	dry := input()
	dry["dryRun"] = true
	if got := begin(t, joinQuery, dry); len(got.UserErrors) > 0 || got.Operation != nil {
		t.Fatalf("a dry run is answered %+v", got)
	}
	if err := leftOf(t, "asia", "osaka", "kansai"); err != nil {
		t.Fatal("of refusals and dry runs:", err)
	}
	succeeds(t, begin(t, joinQuery, input()), 3*time.Minute)
	use(t, "e2e-pushed", "osaka", "kansai")
	joinedOnce(t, "asia", "osaka", "kansai")

	for instance, want := range map[string]string{"asia": `under the name "kansai"`, "europe": `instance "asia" holds it under the name "kansai"`} {
		twin := input("name", "twin", "instance", instance)
		twin["dryRun"] = true
		eventually(t, 30*time.Second, func() error { // a server that just started does not know all instances
			got := begin(t, joinQuery, twin)
			if len(got.UserErrors) != 1 || got.problems()[0] != "CONFLICT input.kubeconfig" || !strings.Contains(got.UserErrors[0].Message, want) {
				return fmt.Errorf("the same cluster again in %s is answered %+v", instance, got.UserErrors)
			}
			return nil
		})
	}

	id := model.ClusterID("asia", "kansai")
	if got := begin(t, unjoinQuery, map[string]any{"id": id, "dryRun": true}); got.Operation != nil || got.Placed == nil || got.Placed.Total == 0 {
		t.Errorf("a dry run of the removal is answered %+v", got)
	}
	out := begin(t, unjoinQuery, map[string]any{"id": id})
	if out.Placed == nil || !slices.ContainsFunc(out.Placed.Objects, func(o struct{ Kind, Namespace, Name string }) bool { return o.Kind == "deployment" && o.Name == "web" }) {
		t.Errorf("what is placed there is %+v", out.Placed)
	}
	moves(t, out, "e2e-pushed", "tokyo")
	succeeds(t, out, 8*time.Minute)
	eventually(t, time.Minute, func() error { return leftOf(t, "asia", "osaka", "kansai") })
}

// joinedOnce expects of a member that joined what one joining makes: one Cluster, with its two Secrets, and two accounts in the member.
func joinedOnce(t *testing.T, instance, member, as string) {
	t.Helper()
	system, err := karmada(t, member).Resource(namespaceResource).Get(t.Context(), "kube-system", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	count := func(cluster string, kind schema.GroupVersionResource, namespace string, mine func(*unstructured.Unstructured) bool) (names []string) {
		list, err := karmada(t, cluster).Resource(kind).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list.Items {
			if mine(&o) {
				names = append(names, o.GetName())
			}
		}
		slices.Sort(names)
		return names
	}
	all := func(*unstructured.Unstructured) bool { return true }
	for what, c := range map[string]struct{ got, want []string }{
		"Clusters":        {count(instance, clusterResource, "", func(o *unstructured.Unstructured) bool { return fieldOf(o, "spec", "id") == string(system.GetUID()) }), []string{as}},
		"Secrets":         {count(instance, secretResource, "karmada-cluster", func(o *unstructured.Unstructured) bool { return strings.HasPrefix(o.GetName(), as) }), []string{as, as + "-impersonator"}},
		"ServiceAccounts": {count(member, schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}, "karmada-cluster", func(o *unstructured.Unstructured) bool { return o.GetName() != "default" }), []string{"karmada-impersonator", "karmada-" + as}},
		"tokens":          {count(member, secretResource, "karmada-cluster", all), []string{"karmada-impersonator", "karmada-" + as}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("there are %s %q, want %q", what, c.got, c.want)
		}
	}
}

// moves lets the Deployment of use go to another member as soon as a removal waits for it.
func moves(t *testing.T, b begun, ns, to string) {
	t.Helper()
	eventually(t, 2*time.Minute, func() error {
		o, err := operationNow(t, b.Operation.ID)
		if err == nil && !strings.Contains(o.Message, ns+"/web") {
			err = fmt.Errorf("it does not wait for the Deployment: %+v", o)
		}
		return err
	})
	patch := fmt.Appendf(nil, `{"spec":{"placement":{"clusterAffinity":{"clusterNames":[%q]}}}}`, to)
	if _, err := karmada(t, "asia").Resource(policyResource("propagationpolicies")).Namespace(ns).Patch(t.Context(), "web", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// A member that registers itself joins, is used, and leaves.
func pullMember(t *testing.T) {
	newMember(t, "nara")
	out := begin(t, joinQuery, map[string]any{"instance": "asia", "name": "nara", "mode": "PULL", "tokenMinutes": 10})
	if out.Command == nil || !strings.HasPrefix(*out.Command, "karmadactl register ") {
		t.Fatalf("answered %+v", out)
	}
	changeFleet(t, "agent", "nara", "--command", *out.Command)
	succeeds(t, out, 3*time.Minute)
	use(t, "e2e-pulled", "nara", "nara")
	left := begin(t, unjoinQuery, map[string]any{"id": model.ClusterID("asia", "nara")})
	moves(t, left, "e2e-pulled", "tokyo")
	succeeds(t, left, 8*time.Minute)
	changeFleet(t, "agent", "nara", "--remove")
	eventually(t, time.Minute, func() error { return leftOf(t, "asia", "nara", "nara") })
}

// A member that does not answer any more is removed by force, and it is told what stays in it.
func lostMember(t *testing.T) {
	kubeconfig := newMember(t, "kobe")
	succeeds(t, begin(t, joinQuery, map[string]any{"instance": "asia", "name": "kobe", "mode": "PUSH", "kubeconfig": kubeconfig}), 3*time.Minute)
	stop(t, "kobe")
	id := model.ClusterID("asia", "kobe")
	eventually(t, 2*time.Minute, func() error {
		if got := begin(t, unjoinQuery, map[string]any{"id": id, "dryRun": true}).problems(); len(got) != 1 || got[0] != "BAD_USER_INPUT input.force" {
			return fmt.Errorf("without force it is answered %q", got)
		}
		return nil
	})
	out := begin(t, unjoinQuery, map[string]any{"id": id, "force": true})
	state, message := ends(t, out, 8*time.Minute)
	if state != "SUCCEEDED" || !strings.Contains(message, "karmada-controller-manager:karmada-kobe") {
		t.Errorf("it is %s: %s", state, message)
	}
	eventually(t, time.Minute, func() error { return leftOf(t, "asia", "", "kobe") })
}
