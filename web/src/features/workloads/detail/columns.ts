import type { TargetFieldsFragment } from '../../../graph/generated/graphql';
import { countOf } from '../verdict';

export type Column =
  'desired' | 'ready' | 'updated' | 'available' | 'active' | 'succeeded' | 'failed' | 'completions';

/** What can be counted depends on the kind: a Job has no ready replicas, a DaemonSet nobody desired. */
export function columnsOf(kind: string): readonly Column[] {
  switch (kind) {
    case 'Job':
      return ['completions', 'active', 'succeeded', 'failed'];
    case 'CronJob':
      return ['active'];
    default:
      return ['desired', 'ready', 'updated', 'available'];
  }
}

export function numberIn(
  column: Column,
  kind: string,
  target: Pick<TargetFieldsFragment, 'status' | 'desiredReplicas'>,
  completions?: number | null,
): number | null {
  switch (column) {
    case 'desired':
      return countOf(kind, target)?.want ?? null;
    case 'completions':
      return completions ?? null;
    default:
      return target.status?.[column] ?? null;
  }
}
