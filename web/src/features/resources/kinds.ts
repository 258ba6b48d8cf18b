// The kinds that instances serve, as one list.

import type { KindFieldsFragment } from '../../graph/generated/graphql';
import { compareText } from '../../graph/live/list';

export interface ServedKind extends KindFieldsFragment {
  /** The instances that serve it, by name. */
  instances: string[];
}

interface Served {
  name: string;
  apiResources: readonly KindFieldsFragment[] | null;
}

/** Each kind in the version that its API server prefers, if it can be listed at all. */
export function kindsOf(instances: readonly Served[]): ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const { name, apiResources } of instances) {
    for (const served of apiResources ?? []) {
      if (!served.preferred || !served.verbs.includes('list')) continue;
      const key = `${served.apiVersion}/${served.kind}`;
      const known = kinds.get(key);
      if (known) known.instances.push(name);
      else kinds.set(key, { ...served, instances: [name] });
    }
  }
  return [...kinds.values()].sort(
    (a, b) =>
      compareText(a.group, b.group) || compareText(a.kind, b.kind) || compareText(a.version, b.version),
  );
}

/** What people look for most often, in this order. */
const COMMON = [
  'Service',
  'Ingress',
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'ServiceAccount',
  'FederatedHPA',
  'CronFederatedHPA',
  'MultiClusterService',
  'CustomResourceDefinition',
];

export function commonKinds(kinds: readonly ServedKind[]): ServedKind[] {
  return COMMON.flatMap((name) => kinds.filter(({ kind, group }) => kind === name && isKnownGroup(group)));
}

function isKnownGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io') || group.endsWith('karmada.io');
}

/** Whether a kind is what somebody types: its kind, its plural, a short name or its group. */
export function matchesKind({ kind, name, shortNames, group }: ServedKind, typed: string): boolean {
  const text = typed.toLowerCase();
  return [kind.toLowerCase(), name, group].some((word) => word.includes(text)) || shortNames.includes(text);
}

/** Kinds that the page that applies manifests has something to begin with for, by their groups. */
const BEGUN: Readonly<Record<string, string | undefined>> = {
  ClusterTaintPolicy: 'policy.karmada.io',
  FederatedResourceQuota: 'policy.karmada.io',
  MultiClusterService: 'networking.karmada.io',
  FederatedHPA: 'autoscaling.karmada.io',
  CronFederatedHPA: 'autoscaling.karmada.io',
  ResourceInterpreterCustomization: 'config.karmada.io',
};

/** Whether one of a kind can be made from what one of them looks like. */
export function isBegun({ group, kind, verbs }: Pick<ServedKind, 'group' | 'kind' | 'verbs'>): boolean {
  return BEGUN[kind] === group && verbs.includes('create');
}
