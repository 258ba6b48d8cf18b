// What one chip says: the most telling of three facts, and the numbers that go with the kind.

import type { FactFieldsFragment, TargetFieldsFragment, WorkloadState } from '../../graph/generated/graphql';
import type { Tone } from '../../ui/tones';

export type Stage = 'scheduled' | 'applied' | 'healthy';

export interface Verdict {
  tone: Tone;
  /** The fact that decides. */
  stage: Stage;
  fact: FactFieldsFragment;
}

type Facts = Pick<TargetFieldsFragment, 'scheduled' | 'applied' | 'healthy' | 'reason' | 'desiredReplicas'>;

/** Reasons of a fact that is not known because it is being made true. */
const UNDER_WAY = new Set([
  'BindingBehind',
  'BindingPending',
  'HealthNotReported',
  'JobActive',
  'NotYetApplied',
  'NotYetReported',
  'SchedulerBehind',
  'SchedulingPending',
  'StatusBehind',
]);

/**
 * The first fact that does not hold decides: nothing is healthy that was never applied. `state` is the
 * workload's: a rollout that is not complete is on its way or hangs, and only the whole tells which.
 */
export function verdictOf(target: Facts, state?: WorkloadState): Verdict {
  const { scheduled, applied, healthy } = target;
  if (target.reason === 'EVICTING') return { tone: 'warn', stage: 'scheduled', fact: scheduled };
  if (scheduled.value !== 'TRUE') return { tone: missing(scheduled), stage: 'scheduled', fact: scheduled };
  if (applied.value !== 'TRUE') return { tone: missing(applied), stage: 'applied', fact: applied };
  if (healthy.value === 'FALSE')
    return { tone: state === 'PROGRESSING' ? 'busy' : 'warn', stage: 'healthy', fact: healthy };
  if (healthy.value === 'UNKNOWN') return { tone: missing(healthy), stage: 'healthy', fact: healthy };
  if (target.desiredReplicas === 0) return { tone: 'idle', stage: 'healthy', fact: healthy };
  return { tone: 'ok', stage: 'healthy', fact: healthy };
}

function missing(fact: FactFieldsFragment): Tone {
  if (fact.value === 'FALSE') return fact.reason === 'DispatchingSuspended' ? 'idle' : 'bad';
  return UNDER_WAY.has(fact.reason) ? 'busy' : 'unknown';
}

/** A fact by itself, apart from the others. */
export function toneOfFact(stage: Stage, fact: FactFieldsFragment): Tone {
  if (fact.value === 'TRUE') return 'ok';
  return stage === 'healthy' && fact.value === 'FALSE' ? 'warn' : missing(fact);
}

export interface Count {
  have: number | null;
  want: number | null;
}

type Countable = Pick<TargetFieldsFragment, 'status' | 'desiredReplicas'>;

/** desired and ready in one cluster, in the terms of the kind; null where Karmada has not said. */
export function countOf(kind: string, target: Countable, completions?: number | null): Count | null {
  const { status, desiredReplicas } = target;
  switch (kind) {
    case 'Job':
      return { have: status?.succeeded ?? null, want: completions ?? null };
    case 'CronJob':
      // It has nothing to be ready between its runs.
      return status?.active ? { have: status.active, want: null } : null;
    case 'DaemonSet':
      return { have: status?.ready ?? null, want: status?.replicas ?? null };
    default:
      return { have: status?.ready ?? null, want: desiredReplicas ?? status?.replicas ?? null };
  }
}

/** Over all clusters; null when no cluster says anything. */
export function totalOf(counts: readonly (Count | null)[]): Count | null {
  const said = counts.filter((count): count is Count => count !== null);
  if (said.length === 0) return null;
  return { have: sum(said.map((count) => count.have)), want: sum(said.map((count) => count.want)) };
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

export function countText(count: Count | null): string {
  if (!count) return '';
  if (count.want === null) return count.have === null ? '' : String(count.have);
  return `${count.have ?? '?'}/${count.want}`;
}
