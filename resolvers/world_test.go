package resolvers_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/karmada-io/karmada/pkg/util/names"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// A small world in which every edge of the graph leads somewhere: two instances alike, each with the members
// member-00 and member-01. What a Deployment has is asked of two, cart and till, so that edges are those of a
// batch.

// controlPlane is what the API server of an instance holds.
const controlPlane = `
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: everywhere, labels: {propagationpolicy.karmada.io/permanent-id: p1}},
  spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], placement: {clusterAffinity: {clusterNames: [member-00, member-01]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: ClusterPropagationPolicy, metadata: {name: wide, labels: {clusterpropagationpolicy.karmada.io/permanent-id: p2}},
  spec: {resourceSelectors: [{apiVersion: apps/v1, kind: StatefulSet}], placement: {clusterAffinity: {clusterNames: [member-00]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: shop, name: image},
  spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], overrideRules: [{targetCluster: {clusterNames: [member-00]}, overriders: {plaintext: [{path: /spec/replicas, operator: replace, value: 1}]}}]}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: ClusterOverridePolicy, metadata: {name: registry},
  spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], overrideRules: [{targetCluster: {clusterNames: [member-00]}, overriders: {}}]}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {namespace: shop, name: db, labels: {app: db}}, spec: {replicas: 1, serviceName: db, template: {metadata: {labels: {app: db}}}}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: shop, name: agent}, spec: {template: {metadata: {labels: {app: agent}}}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {namespace: shop, name: once}, spec: {completions: 1, parallelism: 1, template: {metadata: {labels: {app: once}}}}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {namespace: shop, name: nightly}, spec: {schedule: "0 0 * * *", jobTemplate: {spec: {template: {metadata: {labels: {app: nightly}}}}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: settings}, data: {a: b}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: settings-configmap},
  spec: {clusters: [{name: member-00}], requiredBy: [{namespace: shop, name: cart-deployment, clusters: [{name: member-00}]}],
    resource: {apiVersion: v1, kind: ConfigMap, namespace: shop, name: settings, uid: ConfigMap/settings}}}
`

// perApp is what an instance holds of each of two Deployments.
const perApp = `
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: APP, labels: {app: APP, propagationpolicy.karmada.io/permanent-id: p1},
    annotations: {propagationpolicy.karmada.io/namespace: shop, propagationpolicy.karmada.io/name: everywhere}},
  spec: {replicas: 2, template: {metadata: {labels: {app: APP}}, spec: {volumes: [{name: a, configMap: {name: settings}}, {name: b, secret: {secretName: keys}}]}}}}
---
{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding, metadata: {namespace: shop, name: APP-deployment, labels: {propagationpolicy.karmada.io/permanent-id: p1},
    annotations: {resourcebinding.karmada.io/dependencies: '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"}]',
      propagationpolicy.karmada.io/namespace: shop, propagationpolicy.karmada.io/name: everywhere},
    ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: APP, uid: Deployment/APP, controller: true}]},
  spec: {replicas: 2, propagateDeps: true, clusters: [{name: member-00, replicas: 1}, {name: member-01, replicas: 1}], requiredBy: [{namespace: shop, name: settings-configmap, clusters: [{name: member-00}]}],
    gracefulEvictionTasks: [{fromCluster: member-01, reason: TaintUntolerated, producer: TaintManager, creationTimestamp: "2026-01-01T00:00:00Z"}],
    resource: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: APP, uid: Deployment/APP}},
  status: {schedulerObservedGeneration: 1, conditions: [{type: Scheduled, status: "True", reason: Success}, {type: FullyApplied, status: "False", reason: FullyAppliedFailed}],
    aggregatedStatus: [{clusterName: member-00, applied: true, health: Unhealthy, status: {replicas: 1, readyReplicas: 0}},
      {clusterName: member-01, applied: false, appliedMessage: refused}]}}
---
{apiVersion: apps/v1, kind: ControllerRevision, metadata: {namespace: shop, name: APP-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: APP, uid: Deployment/APP, controller: true}]},
  revision: 1, data: {spec: {template: {spec: {containers: [{name: a, image: "i:1"}]}}}}}
---
{apiVersion: apps/v1, kind: ControllerRevision, metadata: {namespace: shop, name: APP-2, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: APP, uid: Deployment/APP, controller: true}]},
  revision: 2, data: {spec: {template: {spec: {containers: [{name: a, image: "i:2"}]}}}}}
---
{apiVersion: v1, kind: Event, metadata: {namespace: shop, name: APP.1}, type: Normal, reason: R, message: M, lastTimestamp: "2026-01-01T00:00:00Z",
  involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: APP, uid: Deployment/APP}}
---
{apiVersion: v1, kind: Service, metadata: {namespace: shop, name: APP}, spec: {selector: {app: APP}, ports: [{port: 80}]}}
---
{apiVersion: autoscaling.karmada.io/v1alpha1, kind: FederatedHPA, metadata: {namespace: shop, name: APP},
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: APP}, maxReplicas: 3,
    metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}
---
{apiVersion: autoscaling.karmada.io/v1alpha1, kind: CronFederatedHPA, metadata: {namespace: shop, name: APP-clock},
  spec: {scaleTargetRef: {apiVersion: autoscaling.karmada.io/v1alpha1, kind: FederatedHPA, name: APP}, rules: [{name: up, schedule: "0 8 * * *", targetMaxReplicas: 5}]}}
`

// perWork is what an instance holds of each of them for each member.
const perWork = `
{apiVersion: work.karmada.io/v1alpha1, kind: Work, metadata: {namespace: karmada-es-MEMBER, name: WORK,
    annotations: {resourcebinding.karmada.io/namespace: shop, resourcebinding.karmada.io/name: APP-deployment, policy.karmada.io/applied-overrides:
      '[{"policyName":"image","overriders":{"plaintext":[{"path":"/spec/replicas","operator":"replace","value":1}]}}]'}},
  spec: {workload: {manifests: [{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: APP}, spec: {replicas: 1, template: {metadata: {labels: {app: APP}}}}}]}},
  status: {conditions: [{type: Applied, status: "True", reason: AppliedSuccessful}], manifestStatuses: [{identifier: {ordinal: 0, kind: Deployment, name: APP}, health: Unhealthy}]}}
`

// perMember is what each member holds of each of them.
const perMember = `
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "1"}, addresses: [{type: InternalIP, address: 10.0.0.1}]}, spec: {taints: [{key: a, effect: NoSchedule}]}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: APP, labels: {app: APP},
    annotations: {work.karmada.io/name: WORK, work.karmada.io/namespace: karmada-es-MEMBER, resourcetemplate.karmada.io/uid: Deployment/APP}},
  spec: {replicas: 1, template: {metadata: {labels: {app: APP}}}}}
---
{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: APP-abc, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: APP, uid: Deployment/APP, controller: true}]}}
---
{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: APP-abc-1, labels: {app: APP}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: APP-abc, uid: ReplicaSet/APP-abc, controller: true}]},
  spec: {nodeName: n1, containers: [{name: a, image: i, resources: {requests: {cpu: 1m}}}]},
  status: {phase: Running, containerStatuses: [{name: a, lastState: {terminated: {exitCode: 1, reason: Error}}}]}}
---
{apiVersion: v1, kind: Event, metadata: {namespace: shop, name: APP.1}, type: Warning, reason: R, message: M, lastTimestamp: "2026-01-01T00:00:00Z",
  involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: APP, uid: Deployment/APP}}
---
{apiVersion: v1, kind: Service, metadata: {namespace: shop, name: APP}, spec: {selector: {app: APP}, ports: [{port: 80}]}}
`

// apps are the Deployments of the world.
var apps = []string{"cart", "till"}

// world is all rows of the read store.
func world(tb testing.TB) []pediatest.Row {
	tb.Helper()
	return worldOf(tb, apps...)
}

// worldOf is the world with other Deployments.
func worldOf(tb testing.TB, apps ...string) []pediatest.Row {
	tb.Helper()
	var out []pediatest.Row
	seen := map[string]bool{}
	add := func(cluster, text string, replace ...string) {
		for _, r := range documents(tb, cluster, strings.NewReplacer(replace...).Replace(text)) {
			// Nodes and namespaces are those of both Deployments.
			if key := r.Cluster + r.Kind + string(r.Raw); !seen[key] {
				seen[key] = true
				out = append(out, r)
			}
		}
	}
	for _, instance := range []string{"asia", "europe"} {
		add(pediacluster.OfInstance(instance), controlPlane)
		for _, app := range apps {
			add(pediacluster.OfInstance(instance), perApp, "APP", app)
			for _, member := range []string{"member-00", "member-01"} {
				work := names.GenerateWorkName("Deployment", app, "shop")
				add(pediacluster.OfInstance(instance), perWork, "APP", app, "MEMBER", member, "WORK", work)
				add(pediacluster.OfMember(instance, member), perMember, "APP", app, "MEMBER", member, "WORK", work)
			}
		}
	}
	return out
}

// documents reads objects, each with what an API server adds.
func documents(tb testing.TB, cluster, text string) []pediatest.Row {
	tb.Helper()
	var out []pediatest.Row
	for _, doc := range strings.Split(text, "\n---\n") {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			tb.Fatalf("%v in\n%s", err, doc)
		}
		apiVersion, kind := o["apiVersion"].(string), o["kind"].(string)
		delete(o, "apiVersion")
		delete(o, "kind")
		meta := o["metadata"].(map[string]any)
		meta["uid"] = kind + "/" + meta["name"].(string)
		meta["resourceVersion"], meta["generation"], meta["creationTimestamp"] = "7", 1, "2026-01-01T00:00:00Z"
		annotations, _ := meta["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
		}
		annotations["shadow.clusterpedia.io/cluster-name"] = cluster
		meta["annotations"] = annotations
		out = append(out, row(apiVersion, plural(kind), kind, cluster, o))
	}
	return out
}

// plural is the resource of a kind.
func plural(kind string) string {
	kind = strings.ToLower(kind)
	if stem, ok := strings.CutSuffix(kind, "y"); ok {
		return stem + "ies"
	}
	return kind + "s"
}

// widget is an object of a kind that the read store does not hold.
func widget(name string) json.RawMessage {
	quoted, _ := json.Marshal(name) // a text always is
	uid, _ := json.Marshal("Widget/" + name)
	return json.RawMessage(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"namespace":"shop","name":` + string(quoted) +
		`,"uid":` + string(uid) + `,"resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"}}`)
}
