// Objects of Kubernetes as addresses name them.

import { KINDS, pathOfKind } from './kinds';
import type { PolicyKind } from '../graph/generated/graphql';

/** An object as others name it. */
export interface ObjectName {
  apiVersion: string;
  kind: string;
  /** Null for what is in none. */
  namespace?: string | null;
  name: string;
}

/** A kind in one version. */
export interface ObjectType {
  apiVersion: string;
  kind: string;
}

/** In the place of a namespace where there is none: no namespace is called so. */
export const NO_NAMESPACE = '_';

export function namespaceOfPath(path: string): string | undefined {
  return path === NO_NAMESPACE ? undefined : path;
}

/** `ConfigMap.v1`, `Deployment.v1.apps`: how kubectl writes a kind whole. */
export function typeText({ apiVersion, kind }: ObjectType): string {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? `${kind}.${first}` : `${kind}.${second}.${first}`;
}

/** The kind that such a text names; null for any other text. */
export function typeOf(text: string): ObjectType | null {
  const [kind, version, ...group] = text.split('.');
  if (!kind || !version) return null;
  return { kind, apiVersion: group.length > 0 ? `${group.join('.')}/${version}` : version };
}

export function groupOf(apiVersion: string): string {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? '' : first;
}

/** The kinds of policy: as the graph says them, as Karmada does, and how rights name them. */
export const POLICY_KINDS: readonly {
  value: PolicyKind;
  kind: string;
  path: string;
  short: string;
  resource: string;
  namespaced: boolean;
}[] = [
  {
    value: 'PROPAGATION',
    kind: 'PropagationPolicy',
    path: 'propagationpolicy',
    short: 'pp',
    resource: 'propagationpolicies',
    namespaced: true,
  },
  {
    value: 'CLUSTER_PROPAGATION',
    kind: 'ClusterPropagationPolicy',
    path: 'clusterpropagationpolicy',
    short: 'cpp',
    resource: 'clusterpropagationpolicies',
    namespaced: false,
  },
  {
    value: 'OVERRIDE',
    kind: 'OverridePolicy',
    path: 'overridepolicy',
    short: 'op',
    resource: 'overridepolicies',
    namespaced: true,
  },
  {
    value: 'CLUSTER_OVERRIDE',
    kind: 'ClusterOverridePolicy',
    path: 'clusteroverridepolicy',
    short: 'cop',
    resource: 'clusteroverridepolicies',
    namespaced: false,
  },
];

/** Which page shows an object of a control plane. */
export type Place =
  | { page: 'workload'; namespace: string; kind: string; name: string }
  | { page: 'policy'; namespace: string; kind: string; name: string }
  | { page: 'resource'; type: string; namespace: string; name: string };

export function placeOf({ apiVersion, kind, namespace, name }: ObjectName): Place | null {
  if (!kind || !name) return null;
  const group = groupOf(apiVersion);
  if (namespace && (group === 'apps' || group === 'batch') && KINDS.some((known) => known.kind === kind))
    return { page: 'workload', namespace, kind: pathOfKind(kind), name };
  const policy = group === 'policy.karmada.io' && POLICY_KINDS.find((known) => known.kind === kind);
  if (policy) return { page: 'policy', namespace: namespace ?? NO_NAMESPACE, kind: policy.path, name };
  if (!apiVersion) return null;
  return {
    page: 'resource',
    type: typeText({ apiVersion, kind }),
    namespace: namespace ?? NO_NAMESPACE,
    name,
  };
}
