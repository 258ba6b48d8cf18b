package admission_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Karmada's own samples among them (nginx, guestbook), and what its documentation shows.
var ordinary = []struct {
	name string
	// kinds of the policies, separated by blanks.
	kinds string
	spec  string
}{
	{"nginx to two clusters by weight", "PropagationPolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: nginx}]
placement:
  clusterAffinity: {clusterNames: [member1, member2]}
  replicaScheduling:
    replicaDivisionPreference: Weighted
    replicaSchedulingType: Divided
    weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [member1]}, weight: 1}, {targetCluster: {clusterNames: [member2]}, weight: 1}]}`},
	{"labels and annotations of nginx by cluster", "OverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: nginx}]
overrideRules:
- targetCluster: {clusterNames: [member2]}
  overriders: {labelsOverrider: [{operator: add, value: {env: skoala-dev}}, {operator: remove, value: {for: for}}, {operator: replace, value: {bar: test}}]}
- targetCluster: {clusterNames: [member1]}
  overriders: {annotationsOverrider: [{operator: add, value: {env: skoala-stage}}, {operator: remove, value: {bom: bom}}]}`},
	{"a custom resource of the guestbook", "PropagationPolicy", `
resourceSelectors: [{apiVersion: webapp.my.domain/v1, kind: Guestbook}]
placement: {clusterAffinity: {clusterNames: [member1]}}`},
	{"the size of a guestbook", "OverridePolicy", `
resourceSelectors: [{apiVersion: webapp.my.domain/v1, kind: Guestbook}]
overrideRules: [{targetCluster: {clusterNames: [member1]}, overriders: {plaintext: [{path: /spec/size, operator: replace, value: 4}, {path: /metadata/annotations, operator: add, value: {foo: bar}}]}}]`},
	{"another registry", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
overrideRules: [{overriders: {imageOverrider: [{component: Registry, operator: replace, value: registry.example.com}]}}]`},
	{"another tag of one container", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: StatefulSet, name: db}]
overrideRules: [{overriders: {imageOverrider: [{predicate: {path: /spec/template/spec/containers/0/image}, component: Tag, operator: replace, value: v2}]}}]`},
	{"a repository for all in one namespace", "OverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: DaemonSet, namespace: shop, labelSelector: {matchExpressions: [{key: app, operator: Exists}]}}]
overrideRules: [{overriders: {imageOverrider: [{component: Repository, operator: add, value: -arm}]}}]`},
	{"a command", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
overrideRules: [{overriders: {commandOverrider: [{containerName: web, operator: add, value: [--debug]}]}}]`},
	{"arguments", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: batch/v1, kind: Job, name: report}]
overrideRules: [{overriders: {argsOverrider: [{containerName: report, operator: remove, value: [--verbose]}]}}]`},
	{"replicas", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
overrideRules: [{targetCluster: {labelSelector: {matchLabels: {zone: edge}}}, overriders: {plaintext: [{path: /spec/replicas, operator: replace, value: 1}]}}]`},
	{"a node selector whose key has a slash", "OverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
overrideRules: [{overriders: {plaintext: [{path: /spec/template/spec/nodeSelector/node.kubernetes.io~1arch, operator: add, value: arm64}]}}]`},
	{"one more variable", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
overrideRules: [{overriders: {plaintext: [{path: /spec/template/spec/containers/0/env/-, operator: add, value: {name: REGION, value: eu}}]}}]`},
	{"all that is specified", "OverridePolicy", `
resourceSelectors: [{apiVersion: networking.k8s.io/v1, kind: Ingress, name: web}]
overrideRules: [{overriders: {plaintext: [{path: /spec, operator: replace, value: {ingressClassName: nginx}}]}}]`},
	{"an annotation for the ingress class of a cloud", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: networking.k8s.io/v1, kind: Ingress}]
overrideRules: [{overriders: {plaintext: [{path: /metadata/annotations/kubernetes.io~1ingress.class, operator: add, value: alb}]}}]`},
	{"a key of a ConfigMap", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: app}]
overrideRules: [{overriders: {plaintext: [{path: /data/region, operator: replace, value: eu}, {path: /binaryData/logo, operator: remove}]}}]`},
	{"all data of a ConfigMap", "OverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: app}]
overrideRules: [{overriders: {plaintext: [{path: /data, operator: add, value: {region: eu}}]}}]`},
	{"a Secret", "OverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: Secret, name: db}]
overrideRules: [{overriders: {plaintext: [{path: /stringData/password, operator: add, value: x}, {path: /data/user, operator: remove}]}}]`},
	{"a value in JSON inside of a ConfigMap", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: app}]
overrideRules: [{overriders: {fieldOverrider: [{fieldPath: /data/config.json, json: [{subPath: /db/host, operator: replace, value: db.eu}]}]}}]`},
	{"a kind in YAML inside of a ConfigMap", "OverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: app}]
overrideRules: [{overriders: {fieldOverrider: [{fieldPath: /data/object.yaml, yaml: [{subPath: /kind, operator: replace, value: x}, {subPath: "", operator: replace, value: {}}]}]}}]`},
	{"JSON in an annotation", "OverridePolicy", `
resourceSelectors: [{apiVersion: v1, kind: Service, name: web}]
overrideRules: [{overriders: {fieldOverrider: [{fieldPath: /metadata/annotations/example.com~1settings, json: [{subPath: /a, operator: add, value: 1}]}]}}]`},
	{"the deprecated form", "OverridePolicy ClusterOverridePolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
targetCluster: {clusterNames: [member1]}
overriders: {plaintext: [{path: /spec/replicas, operator: replace, value: 2}], labelsOverrider: [{operator: add, value: {a: b}}]}`},
	{"nothing that is overridden", "OverridePolicy ClusterOverridePolicy", `resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]`},
	{"a Deployment with what it needs", "PropagationPolicy ClusterPropagationPolicy", `
propagateDeps: true
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}, {apiVersion: v1, kind: Service, name: web}, {apiVersion: v1, kind: ConfigMap}, {apiVersion: v1, kind: Secret, name: db}]
placement: {clusterAffinity: {labelSelector: {matchLabels: {region: eu}}}}`},
	{"accounts and claims", "PropagationPolicy ClusterPropagationPolicy", `
resourceSelectors: [{apiVersion: v1, kind: ServiceAccount}, {apiVersion: v1, kind: PersistentVolumeClaim}, {apiVersion: v1, kind: Pod, name: shell}]`},
	{"everything of an application by its label", "PropagationPolicy ClusterPropagationPolicy", `
resourceSelectors:
- {apiVersion: batch/v1, kind: CronJob, labelSelector: {matchLabels: {app: shop}}}
- {apiVersion: batch/v1, kind: Job, labelSelector: {matchLabels: {app: shop}}}
- {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, labelSelector: {matchLabels: {app: shop}}}
- {apiVersion: policy/v1, kind: PodDisruptionBudget, labelSelector: {matchLabels: {app: shop}}}
- {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, labelSelector: {matchLabels: {app: shop}}}
- {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, labelSelector: {matchLabels: {app: shop}}}`},
	{"routes of a gateway", "PropagationPolicy ClusterPropagationPolicy", `resourceSelectors: [{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute}]`},
	{"services of several clusters", "PropagationPolicy ClusterPropagationPolicy", `
resourceSelectors: [{apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceExport, name: web}, {apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport, name: web}]`},
	{"classes of storage and priority", "ClusterPropagationPolicy", `
resourceSelectors: [{apiVersion: storage.k8s.io/v1, kind: StorageClass, name: fast}, {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, name: high}]`},
	{"one namespace out of all", "ClusterPropagationPolicy ClusterOverridePolicy", `resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, namespace: payments}]`},
	{"groups of clusters in order", "PropagationPolicy ClusterPropagationPolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
placement: {clusterAffinities: [{affinityName: first, clusterNames: [a]}, {affinityName: second, clusterNames: [b]}]}`},
	{"spread over regions", "PropagationPolicy ClusterPropagationPolicy", `
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
placement: {spreadConstraints: [{spreadByField: region, minGroups: 1, maxGroups: 2}], replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}}`},
	{"taking over what the members have", "PropagationPolicy ClusterPropagationPolicy", `
conflictResolution: Overwrite
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]`},
	{"keeping what runs", "PropagationPolicy ClusterPropagationPolicy", `
preserveResourcesOnDeletion: true
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]`},
	{"preemption", "PropagationPolicy ClusterPropagationPolicy", `
priority: 100
preemption: Always
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}]`},
	{"failover with what an application remembers", "PropagationPolicy ClusterPropagationPolicy", `
propagateDeps: true
resourceSelectors: [{apiVersion: apps.example.com/v1, kind: FlinkDeployment, name: job}]
failover: {application: {decisionConditions: {tolerationSeconds: 60}, purgeMode: Directly, statePreservation: {rules: [{aliasLabelName: example.com/job-id, jsonPath: "{.jobStatus.jobID}"}]}}, cluster: {purgeMode: Directly}}`},
	{"suspended, and lazy", "PropagationPolicy ClusterPropagationPolicy", `
activationPreference: Lazy
suspension: {dispatching: true}
resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]`},
}

func TestOrdinaryPoliciesPass(t *testing.T) {
	people := map[string]client.Client{
		namespaceEditor: as(t, namespaceEditor), instanceEditor: as(t, instanceEditor), customRole: as(t, customRole),
		namespaceAdmin: as(t, namespaceAdmin), admin: as(t, admin), adminGroup: as(t, "kairship:oidc:somebody", adminGroup),
	}
	tried := 0
	for _, tt := range ordinary {
		for _, kind := range strings.Fields(tt.kinds) {
			t.Run(tt.name+" by a "+kind, func(t *testing.T) {
				for user, c := range people {
					if strings.HasPrefix(kind, "Cluster") && (user == namespaceEditor || user == namespaceAdmin) {
						continue
					}
					tried++
					// With and without a name of its own.
					if err := c.Create(t.Context(), written(t, kind, "shop", tt.spec)); err != nil {
						t.Errorf("as %s: %v", user, err)
					}
				}
			})
		}
	}
	t.Logf("%d ordinary policies pass, of %d kinds", tried, len(ordinary))
}
