package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// beAudited does, or tries, what the audit log has something to tell of.
func beAudited(t *testing.T) {
	t.Helper()
	const manifests = "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: e2e-visit}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: E2E}}"
	if out := ask(t, `mutation($m: String!){applyManifests(input:{instance:"asia",manifests:$m,dryRun:true,onError:CONTINUE}){documents{outcome}}}`, map[string]any{"m": manifests}); len(out.Errors) > 0 {
		t.Fatalf("errors: %+v", out.Errors)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/instances/asia/clusters/hangzhou/api/v1/namespaces/shop/pods/e2e-visit/exec?command=ls", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	eventually(t, 10*time.Second, func() error {
		if out := ask(t, `{auditEvents(first:5,filter:{nameContains:"e2e-visit",instances:["asia"]}){nodes{via}}}`, nil); !bytes.Contains(out.Data, []byte("PROXY")) || !bytes.Contains(out.Data, []byte("GRAPHQL")) {
			return fmt.Errorf("the audit log has %s", out.Data)
		}
		return nil
	})
}

// What no quiet fleet has, and what is not to be seen in the demo, is made for the visit alone and undone
// after it: an instance that nobody can reach, things that are being deleted or moved, taints, what a cloud
// would write. Nothing that runs is touched.

const (
	visitName      = "e2e-visit"
	visitFinalizer = "kairship.io/e2e-visit"
)

var (
	eventsGVR     = schema.GroupVersionResource{Version: "v1", Resource: "events"}
	nodesGVR      = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	podsGVR       = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	servicesGVR   = schema.GroupVersionResource{Version: "v1", Resource: "services"}
	namespacesGVR = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	deployGVR     = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

func policyGVR(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: resource}
}

// makeVisitable makes all of it.
func makeVisitable(t *testing.T) {
	t.Helper()
	bindings := v1alpha1.GroupVersion.WithResource("accessbindings")
	create(t, "host", bindings, `
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: e2e-visit-outside, labels: {kairship.io/global-management: e2e-visit}}
spec: {subject: {kind: Group, name: "kairship:oidc:e2e-visit"}, role: Viewer, scope: {instance: asia, namespaces: [shop]}}
`)
	create(t, "host", bindings, `
apiVersion: kairship.io/v1alpha1
kind: AccessBinding
metadata: {name: e2e-visit-given, annotations: {kairship.io/granted-by: "kairship:oidc:owner"}}
spec: {subject: {kind: User, name: "kairship:oidc:e2e-visit"}, role: Viewer, scope: {instance: asia, namespaces: [shop]}}
`)
	// An operation of somebody who may not: it fails, and nothing is done.
	create(t, "host", v1alpha1.OperationResource, `
apiVersion: kairship.io/v1alpha1
kind: Operation
metadata: {name: e2e-visit}
spec:
  kind: DeleteInstance
  instance: asia
  cluster: hangzhou
  object: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: cart}
  actor: {name: "kairship:oidc:e2e-visit-nobody"}
  deleteInstance: {}
`)
	// And one that has nothing to do: what it is about is not there any more.
	create(t, "host", v1alpha1.OperationResource, `
apiVersion: kairship.io/v1alpha1
kind: Operation
metadata: {name: e2e-visit-gone}
spec:
  kind: DeleteInstance
  instance: e2e-visit-gone
  actor: {name: "kairship:oidc:owner", groups: ["kairship:oidc:platform-owners"]}
  deleteInstance: {}
`)
	beAudited(t)
	// Policies that are being deleted and belong to something.
	namespace := create(t, "asia", namespacesGVR, "{apiVersion: v1, kind: Namespace, metadata: {name: e2e-visit, annotations: {purpose: a visit}}}")
	if got := mutated(t, token, "patchResource", map[string]any{"id": model.Ref{Instance: "asia", GVK: verbKinds["namespaces"], Name: visitName}.ID(), "patch": `{"metadata":{"annotations":{"purpose":"a visit, audited"}}}`}); len(got) > 0 {
		t.Fatal(got)
	}
	for kind, resource := range map[string]string{"PropagationPolicy": "propagationpolicies", "ClusterPropagationPolicy": "clusterpropagationpolicies",
		"OverridePolicy": "overridepolicies", "ClusterOverridePolicy": "clusteroverridepolicies"} {
		meta := map[string]any{"name": visitName, "finalizers": []any{visitFinalizer}, "ownerReferences": []any{map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "name": visitName, "uid": string(namespace.GetUID())}}}
		spec := map[string]any{"resourceSelectors": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": visitName}}}
		if resource[:7] != "cluster" {
			meta["namespace"] = visitName
		} else {
			spec["resourceSelectors"].([]any)[0].(map[string]any)["namespace"] = visitName
		}
		if resource[len(resource)-11:] != "ionpolicies" {
			spec["overrideRules"] = []any{map[string]any{"overriders": map[string]any{
				"labelsOverrider": []any{map[string]any{"operator": "add", "value": map[string]any{"visited": "true"}}}}}}
		} else {
			spec["placement"] = map[string]any{"clusterAffinity": map[string]any{"clusterNames": []any{"tokyo"}},
				"clusterTolerations": []any{map[string]any{"key": "visited", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}}}
			spec["propagateDeps"] = true
			state := map[string]any{"rules": []any{map[string]any{"aliasLabelName": "visited", "jsonPath": "{.replicas}"}}}
			spec["failover"] = map[string]any{"cluster": map[string]any{"purgeMode": "Gracefully", "statePreservation": state},
				"application": map[string]any{"decisionConditions": map[string]any{"tolerationSeconds": 60}, "purgeMode": "Gracefully", "gracePeriodSeconds": 60, "statePreservation": state}}
		}
		raw, err := json.Marshal(map[string]any{"apiVersion": "policy.karmada.io/v1alpha1", "kind": kind, "metadata": meta, "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		made := create(t, "asia", policyGVR(resource), string(raw))
		if err := karmada(t, "asia").Resource(policyGVR(resource)).Namespace(made.GetNamespace()).Delete(t.Context(), visitName, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	// Karmada's kinds that the demo does without.
	services := schema.GroupVersionResource{Group: "networking.karmada.io", Version: "v1alpha1", Resource: "multiclusterservices"}
	create(t, "asia", services, `
apiVersion: networking.karmada.io/v1alpha1
kind: MultiClusterService
metadata: {namespace: e2e-visit, name: e2e-visit}
spec: {types: [LoadBalancer], ports: [{name: web, port: 80}], providerClusters: [{name: tokyo}], consumerClusters: [{name: tokyo}],
  range: {clusterNames: [tokyo]}, serviceProvisionClusters: [tokyo], serviceConsumptionClusters: [tokyo]}
`)
	patch(t, "asia", services, visitName, visitName, "status", `{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.80"}]}}}`, "")
	create(t, "asia", policyGVR("federatedresourcequotas"), `
apiVersion: policy.karmada.io/v1alpha1
kind: FederatedResourceQuota
metadata: {namespace: e2e-visit, name: e2e-visit}
spec: {overall: {pods: "100"}, staticAssignments: [{clusterName: tokyo, hard: {pods: "10"}}]}
`)
	patch(t, "asia", policyGVR("federatedresourcequotas"), visitName, visitName, "status", `{"status":{"overall":{"pods":"100"},"overallUsed":{"pods":"1"},
		"aggregatedStatus":[{"clusterName":"tokyo","hard":{"pods":"10"},"used":{"pods":"1"}}]}}`, "")
	create(t, "asia", policyGVR("clustertaintpolicies"), `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: e2e-visit}
spec: {targetClusters: {clusterNames: [none]}, taints: [{key: visited, value: "yes", effect: NoSchedule}],
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}], removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]}
`)
	create(t, "asia", schema.GroupVersionResource{Group: "autoscaling.karmada.io", Version: "v1alpha1", Resource: "federatedhpas"}, `
apiVersion: autoscaling.karmada.io/v1alpha1
kind: FederatedHPA
metadata: {namespace: e2e-visit, name: e2e-visit}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: e2e-visit}
  maxReplicas: 2
  metrics: [{type: Pods, pods: {metric: {name: requests, selector: {matchLabels: {a: b}}}, target: {type: AverageValue, averageValue: "10"}}}]
  behavior:
    scaleUp: {selectPolicy: Max, stabilizationWindowSeconds: 10, tolerance: "0.1", policies: [{type: Pods, value: 1, periodSeconds: 60}]}
    scaleDown: {selectPolicy: Min, stabilizationWindowSeconds: 60, policies: [{type: Percent, value: 10, periodSeconds: 60}]}
`)
	patch(t, "asia", namespacesGVR, "", visitName, "status", `{"status":{"conditions":[{"type":"NamespaceContentRemaining","status":"False","reason":"ContentRemoved","message":"nothing is left"}]}}`, "")

	// A template with a second revision.
	create(t, "asia", deployGVR, `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: e2e-visit, name: e2e-visit, annotations: {kubernetes.io/change-cause: first}}
spec:
  selector: {matchLabels: {app: e2e-visit}}
  template:
    metadata: {labels: {app: e2e-visit}}
    spec: {containers: [{name: main, image: "registry.example.com/visit:1"}]}
`)
	revised(t, 1)
	makeForms(t)
	patch(t, "asia", deployGVR, visitName, visitName, "", `{"metadata":{"annotations":{"kubernetes.io/change-cause":"second"}},"spec":{"template":{"spec":{"containers":[{"name":"main","image":"registry.example.com/visit:2"}]}}}}`, "")

	// What is being moved: Karmada would have written it, and keeps it.
	patch(t, "asia", bindingsResource, "shop", "checkout-deployment", "", `{"spec":{"gracefulEvictionTasks":[{"fromCluster":"tokyo","replicas":2,
		"reason":"TaintUntolerated","message":"the cluster is drained","producer":"TaintManager","suppressDeletion":true,"creationTimestamp":"`+time.Now().UTC().Format(time.RFC3339)+`"}]}}`,
		`{"spec":{"gracefulEvictionTasks":null}}`)

	// Labels and taints that keep nothing away.
	patch(t, "asia", clustersResource, "", "tokyo", "", `{"metadata":{"labels":{"stage":"production"}},"spec":{"taints":[{"key":"stage","value":"edge","effect":"NoSchedule"}]}}`,
		`{"metadata":{"labels":{"stage":null}},"spec":{"taints":null}}`)
	patch(t, "tokyo", nodesGVR, "", "tokyo-small-a-1", "", `{"metadata":{"labels":{"node-role.kubernetes.io/edge":""}},"spec":{"taints":[{"key":"stage","value":"edge","effect":"PreferNoSchedule"}]}}`,
		`{"metadata":{"labels":{"node-role.kubernetes.io/edge":null}},"spec":{"taints":null}}`)

	// What a cloud would write.
	patch(t, "hangzhou", servicesGVR, "ingress", "ingress-nginx", "status", `{"status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.20"}]}}}`, `{"status":{"loadBalancer":{"ingress":null}}}`)
	// What a kubelet would say of one container.
	pods, err := karmada(t, "singapore").Resource(podsGVR).Namespace("payments").List(t.Context(), metav1.ListOptions{LabelSelector: "app=fraud-check", Limit: 1})
	if err != nil || len(pods.Items) == 0 {
		t.Fatalf("%d pods, %v", len(pods.Items), err)
	}
	pod := pods.Items[0]
	now := time.Now().UTC().Format(time.RFC3339)
	create(t, "singapore", eventsGVR, `
apiVersion: v1
kind: Event
metadata:
  {namespace: payments, name: e2e-visit, labels: {app: fraud-check}, annotations: {purpose: a visit}}
involvedObject: {apiVersion: v1, kind: Pod, namespace: payments, name: `+pod.GetName()+`, uid: `+string(pod.GetUID())+`, fieldPath: "spec.containers{fraud-check}"}
reason: BackOff
message: back-off restarting the container
type: Warning
count: 3
source: {component: kubelet}
firstTimestamp: "`+now+`"
lastTimestamp: "`+now+`"
`)
	// Events of members end after an hour, and a page of them needs more than one.
	storefront, err := karmada(t, "hangzhou").Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace("shop").Get(t.Context(), "storefront", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"e2e-visit-one", "e2e-visit-two", "e2e-visit-three"} {
		create(t, "hangzhou", eventsGVR, `
apiVersion: v1
kind: Event
metadata: {namespace: shop, name: `+name+`}
involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: storefront, uid: `+string(storefront.GetUID())+`}
reason: ScalingReplicaSet
message: seen by a visit
type: Normal
count: 1
source: {component: e2e}
firstTimestamp: "`+now+`"
lastTimestamp: "`+now+`"
`)
	}
	// A run of a CronJob that nobody has to wait for, as kubectl create job --from makes it.
	nightly, err := karmada(t, "tokyo").Resource(schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}).Namespace("shop").
		Get(t.Context(), "nightly-report", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	create(t, "tokyo", schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}, `
apiVersion: batch/v1
kind: Job
metadata:
  namespace: shop
  name: nightly-report-1
  ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly-report, uid: `+string(nightly.GetUID())+`, controller: true}]
spec:
  completions: 2
  parallelism: 2
  template: {spec: {restartPolicy: Never, containers: [{name: report, image: "registry.example.com/shop/report:1"}]}}
`)
}

// makeTrouble makes an instance whose kubeconfig is missing: not well, and counted nowhere. Lists over all
// instances tell so, so that it comes after all else.
func makeTrouble(t *testing.T) {
	t.Helper()
	create(t, "host", v1alpha1.InstanceResource, `
apiVersion: kairship.io/v1alpha1
kind: Instance
metadata: {name: e2e-visit, labels: {stage: test}}
spec:
  source: Attached
  displayName: Out of reach
  description: An instance whose kubeconfig nobody has brought.
  attached: {kubeconfigSecretRef: {name: e2e-visit-is-not-there}}
  settings:
    failover: {enabled: true, failureThresholdSeconds: 60, gracefulEvictionTimeoutSeconds: 300}
    descheduler: {enabled: true, intervalSeconds: 120, unschedulableThresholdSeconds: 300}
    metricsAdapter: {enabled: true}
    revisionHistoryLimit: 5
`)
}

// create makes an object, and removes it when the test ends.
func create(t *testing.T, cluster string, gvr schema.GroupVersionResource, manifest string) *unstructured.Unstructured {
	t.Helper()
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &obj.Object); err != nil {
		t.Fatal(err)
	}
	client := karmada(t, cluster).Resource(gvr).Namespace(obj.GetNamespace())
	always := context.WithoutCancel(t.Context()) // also when the test is over
	remove := func() error {
		background := metav1.DeletePropagationBackground
		err := client.Delete(always, obj.GetName(), metav1.DeleteOptions{PropagationPolicy: &background})
		// Nothing was made in the instance that is not there, for which Kairship would wait a while.
		if err == nil && (gvr.Group == "policy.karmada.io" || gvr == v1alpha1.InstanceResource) {
			_, err = client.Patch(always, obj.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		}
		if apierrors.IsNotFound(err) {
			return nil
		}
		return errors.Join(err, errStillThere)
	}
	// What a test that was killed has left.
	eventually(t, time.Minute, remove)
	made, err := client.Create(t.Context(), obj, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for range 240 {
			if remove() == nil {
				return
			}
			<-tick.C
		}
		t.Errorf("%s %s of %s cannot be removed", obj.GetKind(), obj.GetName(), cluster)
	})
	return made
}

var errStillThere = errors.New("it is still there")

// patch changes an object, and takes that back when the test ends.
func patch(t *testing.T, cluster string, gvr schema.GroupVersionResource, namespace, name, subresource, change, back string) {
	t.Helper()
	client := karmada(t, cluster).Resource(gvr).Namespace(namespace)
	of := func(change string) error {
		kind := types.MergePatchType
		var sub []string
		if subresource != "" {
			sub = append(sub, subresource)
		}
		_, err := client.Patch(context.WithoutCancel(t.Context()), name, kind, []byte(change), metav1.PatchOptions{}, sub...)
		return err
	}
	if err := of(change); err != nil {
		t.Fatal(err)
	}
	if back != "" {
		t.Cleanup(func() {
			if err := of(back); err != nil {
				t.Error(err)
			}
		})
	}
}

// revised waits until the template of the visit has so many revisions.
func revised(t *testing.T, want int) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		list, err := karmada(t, "asia").Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "controllerrevisions"}).
			Namespace(visitName).List(t.Context(), metav1.ListOptions{})
		if err == nil && len(list.Items) < want {
			err = errors.New("there is no revision yet")
		}
		return err
	})
}
