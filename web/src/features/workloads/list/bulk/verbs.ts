// What can be done to several workloads at once: what fits their kinds, and what the viewer may do to each.

import { KINDS } from '../../../../app/kinds';
import type { BulkRightsQuery } from '../../../../graph/generated/graphql';
import type { Row } from '../page';

export type BulkVerb = 'restart' | 'scale' | 'protect' | 'unprotect' | 'delete';

export const BULK_VERBS: readonly BulkVerb[] = ['restart', 'scale', 'protect', 'unprotect', 'delete'];

type Instance = NonNullable<BulkRightsQuery['instances']>['nodes'][number];
export type BulkRights = ReadonlyMap<string, Instance['access']>;

export function rightsOf(data: BulkRightsQuery | undefined): BulkRights | null {
  return data?.instances ? new Map(data.instances.nodes.map(({ name, access }) => [name, access])) : null;
}

/** Whether a verb makes sense for a kind. */
export function fits(verb: BulkVerb, kind: string): boolean {
  if (verb === 'scale') return kind === 'Deployment' || kind === 'StatefulSet';
  if (verb === 'restart') return kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet';
  return true;
}

/** Whether the viewer may: in all namespaces where none are named. */
export function mayDo(verb: BulkVerb, row: Pick<Row, 'kind' | 'namespace' | 'instance'>, rights: BulkRights) {
  const access = rights.get(row.instance?.name ?? '');
  const value = KINDS.find(({ kind }) => kind === row.kind)?.value;
  if (!access || !value) return false;
  const namespaces = access[`${verb === 'delete' ? 'delete' : 'patch'}_${value}`];
  return namespaces === null || namespaces.includes(row.namespace);
}

export type WhyNot = 'kind' | 'right' | 'deleting';

export interface Sorted {
  rows: Row[];
  leftOut: { row: Row; why: WhyNot }[];
}

/** Which of the chosen rows a verb is for, and why it is not for the others. */
export function sorted(verb: BulkVerb, chosen: readonly Row[], rights: BulkRights): Sorted {
  const result: Sorted = { rows: [], leftOut: [] };
  for (const row of chosen) {
    const why = whyNot(verb, row, rights);
    if (why) result.leftOut.push({ row, why });
    else result.rows.push(row);
  }
  return result;
}

function whyNot(verb: BulkVerb, row: Row, rights: BulkRights): WhyNot | null {
  if (!fits(verb, row.kind)) return 'kind';
  if (row.state === 'DELETING') return 'deleting';
  return mayDo(verb, row, rights) ? null : 'right';
}
