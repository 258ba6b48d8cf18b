// The kinds that a policy may select.

import type { ObjectType } from '../../../app/objects';
import { typeText } from '../../../app/objects';
import type { KindFieldsFragment } from '../../../graph/generated/graphql';
import { compareText } from '../../../graph/live/list';

export interface KindChoice extends ObjectType {
  value: string;
}

/** What is made most often comes first. */
const COMMON = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'Service',
  'ConfigMap',
  'Secret',
  'Ingress',
];

/** Those of the instance that Karmada propagates, and the one that stands there in any case. */
export function choicesOf(
  kinds: readonly KindFieldsFragment[],
  current: ObjectType,
  clusterWide: boolean,
): KindChoice[] {
  const served = kinds.filter(
    ({ group, preferred, verbs, scope }) =>
      preferred && verbs.includes('list') && !isKarmadas(group) && (clusterWide || scope === 'NAMESPACED'),
  );
  const types = new Map<string, ObjectType>();
  for (const { apiVersion, kind } of served) types.set(typeText({ apiVersion, kind }), { apiVersion, kind });
  if (current.kind !== '' || current.apiVersion !== '') types.set(typeText(current), current);
  return [...types]
    .map(([value, type]) => ({ value, ...type }))
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) || compareText(a.kind, b.kind) || compareText(a.apiVersion, b.apiVersion),
    );
}

/** Its own kinds steer it, and are not propagated. */
function isKarmadas(group: string): boolean {
  return group === 'karmada.io' || group.endsWith('.karmada.io');
}

function rankOf({ kind }: ObjectType): number {
  const at = COMMON.indexOf(kind);
  return at < 0 ? COMMON.length : at;
}
