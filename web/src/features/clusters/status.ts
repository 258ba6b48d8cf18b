// What of an instance's status deserves a look.

import type { InstanceStatusFragment, StepState } from '../../graph/generated/graphql';
import type { Tone } from '../../ui/tones';

export interface Trouble {
  tone: Tone;
  type: string;
  reason: string;
  message: string;
  since: string | null;
}

type Status = Pick<InstanceStatusFragment, 'state' | 'stateMessage' | 'conditions'>;

/**
 * The conditions that do not hold, the known ones before those that nothing tells of. Ready only repeats
 * one of the others; what stands in the way of a removal is none while nobody removes it; and what the
 * state's own message says is not said twice.
 */
export function troublesOf({ state, stateMessage, conditions }: Status): Trouble[] {
  const bad = conditions.filter(
    ({ type, status, message }) =>
      status !== 'TRUE' &&
      !(type === 'Deletable' && state !== 'DELETING') &&
      !(message !== '' && message === stateMessage && state !== 'RUNNING'),
  );
  const others = bad.filter(({ type }) => type !== 'Ready');
  return (others.length > 0 ? others : bad)
    .map(({ type, status, reason, message, since }) => ({
      tone: status === 'FALSE' ? ('warn' as const) : ('unknown' as const),
      type,
      reason,
      message,
      since: since ?? null,
    }))
    .sort((a, b) => rank(a) - rank(b) || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}

function rank({ tone }: Trouble): number {
  return tone === 'warn' ? 0 : 1;
}

const STEP_TONES: Record<StepState, Tone> = {
  PENDING: 'idle',
  RUNNING: 'busy',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
};

export function toneOfStep(state: StepState): Tone {
  return STEP_TONES[state];
}

/** Steps are told while they matter: a finished installation is history. */
export function showsSteps({ state, steps }: Pick<InstanceStatusFragment, 'state' | 'steps'>): boolean {
  return (
    steps.length > 0 &&
    (state === 'INSTALLING' ||
      state === 'DELETING' ||
      steps.some((step) => step.state === 'RUNNING' || step.state === 'FAILED'))
  );
}

/** What the state's message says is said by a step that is shown. */
export function saidByStep(
  instance: Pick<InstanceStatusFragment, 'state' | 'stateMessage' | 'steps'>,
): boolean {
  return showsSteps(instance) && instance.steps.some(({ message }) => message === instance.stateMessage);
}
