// Where an object is, in a few words: problems first.

import type { ResourceRowFragment } from '../../graph/generated/graphql';
import { compareText } from '../../graph/live/list';
import type { Tone } from '../../ui/tones';

export type Row = ResourceRowFragment;
export type Target = NonNullable<Row['propagation']>['targets'][number];

/** How an object does in a cluster: the first fact that does not hold decides. */
export function toneOf({ scheduled, applied, healthy, reason }: Target): Tone {
  if (reason === 'EVICTING') return 'warn';
  for (const fact of [scheduled, applied]) {
    if (fact.value === 'FALSE') return fact.reason === 'DispatchingSuspended' ? 'idle' : 'bad';
    if (fact.value === 'UNKNOWN') return 'unknown';
  }
  // Most kinds have no health that Karmada could check: being there is all.
  if (healthy.value === 'TRUE' || healthy.reason === 'NoHealthCheck') return 'ok';
  return healthy.value === 'FALSE' ? 'warn' : 'unknown';
}

/** The fact that decides it. */
export function factOf({ scheduled, applied, healthy }: Target) {
  return [scheduled, applied].find(({ value }) => value !== 'TRUE') ?? healthy;
}

const WEIGHT: Record<Tone, number> = { bad: 0, warn: 1, unknown: 2, busy: 3, idle: 4, ok: 5 };

export function problemsFirst(targets: readonly Target[]): Target[] {
  return [...targets].sort(
    (a, b) => WEIGHT[toneOf(a)] - WEIGHT[toneOf(b)] || compareText(a.clusterName, b.clusterName),
  );
}

/** The order of the server within an instance, over all of them. */
export function compareRows(a: Row, b: Row): number {
  return (
    compareText(a.instance?.name ?? '', b.instance?.name ?? '') ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name)
  );
}
