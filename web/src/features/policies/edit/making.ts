// Where somebody may make which policies, and what a new one looks like.

import type { PolicyKind, PolicyMakingQuery } from '../../../graph/generated/graphql';

type Instance = NonNullable<PolicyMakingQuery['instances']>['nodes'][number];

/** The namespaces in which a kind may be made: null for all, empty for none. */
export function namespacesFor({ access }: Instance, kind: PolicyKind): readonly string[] | null {
  switch (kind) {
    case 'PROPAGATION':
      return access.propagation;
    case 'CLUSTER_PROPAGATION':
      return access.clusterPropagation;
    case 'OVERRIDE':
      return access.override;
    case 'CLUSTER_OVERRIDE':
      return access.clusterOverride;
  }
}

const KINDS: readonly PolicyKind[] = ['PROPAGATION', 'CLUSTER_PROPAGATION', 'OVERRIDE', 'CLUSTER_OVERRIDE'];

/** The kinds that may be made somewhere in an instance. A cluster-wide one is made everywhere or nowhere. */
export function kindsFor(instance: Instance): PolicyKind[] {
  return KINDS.filter((kind) => {
    const namespaces = namespacesFor(instance, kind);
    return kind.startsWith('CLUSTER_') ? namespaces === null : namespaces?.length !== 0;
  });
}

const PLACEMENT = `  placement:
    clusterAffinity:
      clusterNames: []
`;

const RULES = `  overrideRules:
    - targetCluster:
        clusterNames: []
      overriders:
        imageOverrider:
          - component: Tag
            operator: replace
            value: ""
`;

/** A policy to begin with: what has to be filled in is empty. */
export function templateOf(kind: PolicyKind, name: string, namespace: string): string {
  const clusterWide = kind.startsWith('CLUSTER_');
  return `apiVersion: policy.karmada.io/v1alpha1
kind: ${name}
metadata:
  name: ""
${clusterWide ? '' : `  namespace: ${namespace}\n`}spec:
  resourceSelectors:
    - apiVersion: apps/v1
      kind: Deployment
      name: ""
${kind.endsWith('PROPAGATION') ? PLACEMENT : RULES}`;
}
