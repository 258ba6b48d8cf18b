// What to begin with, of Karmada's kinds that have no form: what has to be filled in is empty.

import { withFiles } from './manifests';

const TEMPLATES: Readonly<Record<string, string | undefined>> = {
  ClusterTaintPolicy: `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: ""
spec:
  targetClusters:
    clusterNames: []
  addOnConditions:
    - conditionType: Ready
      operator: NotIn
      statusValues: ["True"]
  removeOnConditions:
    - conditionType: Ready
      operator: In
      statusValues: ["True"]
  taints:
    - key: ""
      effect: NoSchedule
`,
  FederatedResourceQuota: `apiVersion: policy.karmada.io/v1alpha1
kind: FederatedResourceQuota
metadata:
  name: ""
  namespace: ""
spec:
  overall:
    cpu: ""
    memory: ""
`,
  MultiClusterService: `apiVersion: networking.karmada.io/v1alpha1
kind: MultiClusterService
metadata:
  name: ""
  namespace: ""
spec:
  types: [CrossCluster]
  providerClusters:
    - name: ""
  consumerClusters:
    - name: ""
`,
  FederatedHPA: `apiVersion: autoscaling.karmada.io/v1alpha1
kind: FederatedHPA
metadata:
  name: ""
  namespace: ""
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ""
  minReplicas: 1
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 80
`,
  CronFederatedHPA: `apiVersion: autoscaling.karmada.io/v1alpha1
kind: CronFederatedHPA
metadata:
  name: ""
  namespace: ""
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ""
  rules:
    - name: ""
      schedule: "0 9 * * 1-5"
      targetReplicas: 1
`,
  ResourceInterpreterCustomization: `apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: ""
spec:
  target:
    apiVersion: ""
    kind: ""
  customizations:
    healthInterpretation:
      luaScript: |
        function InterpretHealth(observedObj)
          return true
        end
`,
};

/** What stands in the editor for somebody who comes to make one of a kind: after what was written before, and once. */
export function begunWith(draft: string, kind: string | undefined): string {
  const template = kind === undefined ? undefined : TEMPLATES[kind];
  if (template === undefined || draft.includes(`kind: ${kind}`)) return draft;
  return withFiles(draft, [template]);
}
