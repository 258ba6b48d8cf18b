package promotion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
)

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const cart = `
apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: shop
  name: cart
  uid: 1234
  resourceVersion: "7"
  generation: 3
  creationTimestamp: 2026-01-01T00:00:00Z
  labels: {app: cart, propagationpolicy.karmada.io/permanent-id: x, kairship.io/members: x}
  annotations:
    deployment.kubernetes.io/revision: "3"
    kairship.io/operation: another
    kubectl.kubernetes.io/last-applied-configuration: "{}"
    team: shop
  managedFields: [{manager: x}]
  finalizers: [x/y]
spec:
  replicas: 2
  template:
    metadata: {labels: {app: cart, tier: web}}
    spec:
      serviceAccountName: cart
      imagePullSecrets: [{name: registry}]
      initContainers: [{name: i, envFrom: [{secretRef: {name: seed, optional: true}}]}]
      containers:
      - name: web
        env:
        - {name: A, valueFrom: {configMapKeyRef: {name: settings, key: a}}}
        - {name: B, valueFrom: {secretKeyRef: {name: password, key: b}}}
        envFrom: [{configMapRef: {name: settings, optional: true}}]
      volumes:
      - {name: a, configMap: {name: files}}
      - {name: b, secret: {secretName: keys}}
      - {name: c, projected: {sources: [{configMap: {name: kube-root-ca.crt}}, {secret: {name: more}}]}}
      - {name: d, persistentVolumeClaim: {claimName: data}}
status: {replicas: 2}
`

func TestATemplateIsWithoutWhatItsClusterMadeOfIt(t *testing.T) {
	before := object(t, cart)
	got := Template(before)
	want := object(t, cart)
	delete(want, "status")
	want["metadata"] = map[string]any{"namespace": "shop", "name": "cart", "labels": map[string]any{"app": "cart"}, "annotations": map[string]any{"team": "shop"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("template (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(object(t, cart), before); diff != "" {
		t.Errorf("the object itself was changed (-want +got):\n%s", diff)
	}
}

func TestFieldsThatAClusterWritesAreNotInTheTemplate(t *testing.T) {
	for name, tt := range map[string]struct{ from, want string }{
		"the addresses of a Service": {
			`{kind: Service, metadata: {name: s}, spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], healthCheckNodePort: 30001, ports: [{port: 80, nodePort: 30000}]}}`,
			`{kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}`},
		"but not that a Service has none": {
			`{kind: Service, metadata: {name: s}, spec: {clusterIP: None, clusterIPs: [None]}}`,
			`{kind: Service, metadata: {name: s}, spec: {clusterIP: None, clusterIPs: [None]}}`},
		"the volume of a claim": {
			`{kind: PersistentVolumeClaim, metadata: {name: c, annotations: {pv.kubernetes.io/bind-completed: "yes"}}, spec: {volumeName: pv-1, storageClassName: fast}}`,
			`{kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: fast}}`},
		"the tokens of an account": {
			`{kind: ServiceAccount, metadata: {name: a}, secrets: [{name: a-token-x}]}`, `{kind: ServiceAccount, metadata: {name: a}}`},
		"the selector of a Job": {
			`{kind: Job, metadata: {name: j}, spec: {selector: {matchLabels: {x: y}}, template: {metadata: {labels: {job-name: j, app: j}}}}}`,
			`{kind: Job, metadata: {name: j}, spec: {template: {metadata: {labels: {app: j}}}}}`},
		"but not one that somebody chose": {
			`{kind: Job, metadata: {name: j}, spec: {manualSelector: true, selector: {matchLabels: {x: y}}}}`,
			`{kind: Job, metadata: {name: j}, spec: {manualSelector: true, selector: {matchLabels: {x: y}}}}`},
		"an odd object": {`{kind: Service, metadata: {name: s, labels: 7}, spec: [1], status: x}`, `{kind: Service, metadata: {name: s}, spec: [1]}`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(object(t, tt.want), Template(object(t, tt.from))); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

func deployment(name string) model.Ref {
	return model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: name}
}

func TestWhatAnObjectNeeds(t *testing.T) {
	var got []string
	for _, d := range Dependencies(deployment("cart"), object(t, cart)) {
		line := d.Ref.GVK.Kind + " " + d.Ref.Namespace + "/" + d.Ref.Name
		if d.Optional {
			line += " (optional)"
		}
		got = append(got, line)
	}
	want := []string{"ConfigMap shop/files", "ConfigMap shop/settings", "PersistentVolumeClaim shop/data", "Secret shop/keys", "Secret shop/more",
		"Secret shop/password", "Secret shop/registry", "Secret shop/seed (optional)", "ServiceAccount shop/cart"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
}

func TestOddObjectsNeedNothingAndDoNotPanic(t *testing.T) {
	for _, text := range []string{`{}`, `{spec: 1}`, `{kind: CronJob, spec: {jobTemplate: []}}`, `{spec: {template: {spec: {containers: [1, {env: x}], volumes: [{configMap: []}]}}}}`} {
		if got := Dependencies(deployment("x"), object(t, text)); len(got) > 0 {
			t.Errorf("%s needs %v", text, got)
		}
	}
}

func TestWhatCannotBePromoted(t *testing.T) {
	kind := func(group, kind string) schema.GroupVersionKind {
		return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
	}
	for name, tt := range map[string]struct {
		ref  model.Ref
		text string
		want string
	}{
		"a Deployment":                    {deployment("cart"), cart, ""},
		"what a controller owns":          {deployment("x"), `{metadata: {ownerReferences: [{kind: ReplicaSet, name: cart-1, controller: true}]}}`, `belongs to ReplicaSet "cart-1"`},
		"what somebody else only has":     {deployment("x"), `{metadata: {ownerReferences: [{kind: App, name: shop}]}}`, ""},
		"what Karmada placed":             {deployment("x"), `{metadata: {labels: {karmada.io/managed: "true"}}}`, "is placed by Karmada already"},
		"what goes":                       {deployment("x"), `{metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}}`, "is being deleted"},
		"a Node":                          {model.Ref{GVK: kind("", "Node"), Name: "n"}, `{}`, "a machine of its cluster"},
		"Karmada's own":                   {model.Ref{GVK: kind("policy.karmada.io", "PropagationPolicy"), Name: "n"}, `{}`, "one of the federation itself"},
		"what Karmada does not propagate": {model.Ref{GVK: kind("", "Secret"), Namespace: "kube-system", Name: "n"}, `{}`, `nothing of namespace "kube-system"`},
		"the token of an account":         {model.Ref{GVK: kind("", "Secret"), Namespace: "shop", Name: "n"}, `{type: kubernetes.io/service-account-token}`, "is the token of an account"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Promotable(tt.ref, object(t, tt.text))
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestThePolicyThatTakesAnObjectOver(t *testing.T) {
	got := Policy(deployment("cart"), "hangzhou", 0, true)
	want := object(t, `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {namespace: shop, name: `+PolicyRef(deployment("cart")).Name+`}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: cart}]
  conflictResolution: Overwrite
  preserveResourcesOnDeletion: true
  placement: {clusterAffinity: {clusterNames: [hangzhou]}}
`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
	if a, b := PolicyRef(deployment("cart")).Name, PolicyRef(deployment("cart.v2")).Name; a == b || !strings.HasPrefix(a, "promoted-deployment-cart-") {
		t.Errorf("names %q and %q", a, b)
	}
	if name := PolicyRef(deployment(strings.Repeat("a", 253))).Name; len(name) > 63 {
		t.Errorf("%q is too long for a name", name)
	}
}

func TestThePolicyWinsOverOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		policies string
		want     int64
	}{
		"none":                              {`[]`, 0},
		"one for all Deployments":           {`[{metadata: {name: a}, spec: {resourceSelectors: [{kind: Deployment}]}}]`, 0},
		"one that names it":                 {`[{metadata: {name: a}, spec: {resourceSelectors: [{kind: Deployment, name: cart}]}}]`, 1},
		"one of priority 7":                 {`[{metadata: {name: a}, spec: {priority: 7, resourceSelectors: [{kind: Deployment}]}}]`, 8},
		"one of priority 7 for other kinds": {`[{metadata: {name: a}, spec: {priority: 7, resourceSelectors: [{kind: Secret}]}}]`, 0},
		"its own":                           {`[{metadata: {name: ` + PolicyRef(deployment("cart")).Name + `}, spec: {priority: 7, resourceSelectors: [{kind: Deployment, name: cart}]}}]`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			list := object(t, `{items: `+tt.policies+`}`)
			if got := Priority(deployment("cart"), maps(list, "items")); got != tt.want {
				t.Errorf("priority %d, want %d", got, tt.want)
			}
		})
	}
}

var errAbsent = errors.New("not found")

// cluster is a member and a federation with some objects, by kind and name.
type cluster map[string]string

func (c cluster) Get(_ context.Context, ref model.Ref, _ int) ([]byte, error) { return c.get(ref) }

func (c cluster) get(ref model.Ref) ([]byte, error) {
	text, ok := c[ref.GVK.Kind+" "+ref.Name]
	if !ok {
		return nil, errAbsent
	}
	return yaml.YAMLToJSON([]byte(text))
}

func (c cluster) List(context.Context, schema.GroupVersionResource, string, int, int) ([]byte, error) {
	return c.list("Service ")
}

func (c cluster) Read(_ context.Context, ref model.Ref) ([]byte, error) {
	raw, err := c.get(ref)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	return raw, err
}

func (c cluster) Policies(context.Context, string) ([]byte, error) {
	return c.list("PropagationPolicy ")
}

func (c cluster) list(prefix string) ([]byte, error) {
	items := []json.RawMessage{}
	for key, text := range c {
		if strings.HasPrefix(key, prefix) {
			raw, err := yaml.YAMLToJSON([]byte(text))
			if err != nil {
				return nil, err
			}
			items = append(items, raw)
		}
	}
	return json.Marshal(map[string]any{"items": items})
}

func TestPromotingAnObjectWithWhatItNeeds(t *testing.T) {
	member := cluster{
		"Deployment cart":            cart,
		"ConfigMap settings":         `{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: settings, uid: u}, data: {a: b}}`,
		"Secret password":            `{apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: password}}`,
		"Secret keys":                `{apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: keys, labels: {karmada.io/managed: "true"}}}`,
		"Service cart":               `{metadata: {namespace: shop, name: cart}, spec: {selector: {app: cart}, clusterIP: 10.0.0.1}}`,
		"Service other":              `{metadata: {namespace: shop, name: other}, spec: {selector: {app: other}}}`,
		"Service without a selector": `{metadata: {namespace: shop, name: none}, spec: {}}`,
	}
	federation := cluster{"Secret password": `{metadata: {name: password}}`}
	req := Request{Ref: deployment("cart"), Cluster: "hangzhou", Dependencies: true, MarkKey: "kairship.io/operation", Mark: "op-1"}
	plan, err := Make(t.Context(), member, federation, func(err error) bool { return errors.Is(err, errAbsent) }, req)
	if err != nil {
		t.Fatal(err)
	}
	var got, left []string
	for _, o := range plan.Objects {
		got = append(got, o.Ref.GVK.Kind+" "+o.Ref.Name)
		if a := mapOf(mapOf(o.Template, "metadata"), "annotations")["kairship.io/operation"]; a != "op-1" {
			t.Errorf("%s %s is not marked: %v", o.Ref.GVK.Kind, o.Ref.Name, a)
		}
	}
	if diff := cmp.Diff([]string{"ConfigMap settings", "Service cart", "Deployment cart"}, got); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	for _, l := range plan.Left {
		left = append(left, fmt.Sprintf("%s %s: %s", l.Ref.GVK.Kind, l.Ref.Name, l.Why))
	}
	want := []string{
		"ConfigMap files: the cluster has none", "PersistentVolumeClaim data: the cluster has none",
		`Secret keys: Secret "keys" is placed by Karmada already`, "Secret more: the cluster has none",
		"Secret password: the instance has one of that name, which stays as it is", "Secret registry: the cluster has none",
		"Secret seed: the cluster has none, and Pods run without it", "ServiceAccount cart: the cluster has none",
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

func TestATemplateThatIsThereIsAConflictUnlessThisPromotionMadeIt(t *testing.T) {
	absent := func(err error) bool { return errors.Is(err, errAbsent) }
	req := Request{Ref: deployment("cart"), Cluster: "hangzhou", MarkKey: "kairship.io/operation", Mark: "op-1"}
	member := cluster{"Deployment cart": cart}
	conflict := (*ConflictError)(nil)
	if _, err := Make(t.Context(), member, cluster{"Deployment cart": cart}, absent, req); !errors.As(err, &conflict) {
		t.Errorf("another's template: %v", err)
	}
	own := cluster{"Deployment cart": `{metadata: {name: cart, annotations: {kairship.io/operation: op-1}}}`}
	// By now Karmada has placed it.
	member["Deployment cart"] = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: cart, labels: {karmada.io/managed: "true"}}}`
	if _, err := Make(t.Context(), member, own, absent, req); err != nil {
		t.Errorf("its own template: %v", err)
	}
	req.UID = "another"
	if _, err := Make(t.Context(), member, cluster{}, absent, req); !errors.As(err, &conflict) || !strings.Contains(err.Error(), "is not the object that is meant") {
		t.Errorf("another uid: %v", err)
	}
}

func TestAnObjectThatNeedsTooMuchIsRefused(t *testing.T) {
	volumes := make([]string, 0, MostDependencies+1)
	for n := range MostDependencies + 1 {
		volumes = append(volumes, fmt.Sprintf("{name: v%d, configMap: {name: c%d}}", n, n))
	}
	member := cluster{"Deployment cart": `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: cart}, spec: {template: {spec: {volumes: [` + strings.Join(volumes, ", ") + `]}}}}`}
	_, err := Make(t.Context(), member, cluster{}, func(error) bool { return true }, Request{Ref: deployment("cart"), Dependencies: true})
	if refused := (*RefusedError)(nil); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
}

// What makes Pods does so by a template in its own place.
func TestEveryKindThatMakesPodsNeedsWhatTheyName(t *testing.T) {
	const pod = `metadata: {labels: {app: x}}, spec: {containers: [{name: c, envFrom: [{configMapRef: {name: settings}}]}]}`
	service := object(t, `{kind: Service, spec: {selector: {app: x}}}`)
	for kind, text := range map[string]string{
		"Deployment": `{kind: Deployment, spec: {template: {` + pod + `}}}`, "Job": `{kind: Job, spec: {template: {` + pod + `}}}`,
		"CronJob": `{kind: CronJob, spec: {jobTemplate: {spec: {template: {` + pod + `}}}}}`, "Pod": `{kind: Pod, ` + pod + `}`,
	} {
		o := object(t, text)
		got := Dependencies(model.Ref{Instance: "asia", Namespace: "shop", Name: "x"}, o)
		if len(got) != 1 || got[0].Ref.GVK != configMapKind || got[0].Ref.Name != "settings" || !MakesPods(o) || !Selects(service, o) {
			t.Errorf("a %s needs %v, makes pods %t, which the Service selects %t", kind, got, MakesPods(o), Selects(service, o))
		}
	}
}
