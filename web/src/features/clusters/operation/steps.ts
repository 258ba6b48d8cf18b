// What an operation's state and steps mean for who looks at it.

import type { OperationFieldsFragment, OperationState } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';

export type Step = OperationFieldsFragment['steps'][number];

const TONES: Record<OperationState, Tone> = {
  PENDING: 'idle',
  RUNNING: 'busy',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  CANCELLED: 'idle',
};

export function toneOfOperation(state: OperationState): Tone {
  return TONES[state];
}

export function hasEnded(state: OperationState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

export interface ShownStep {
  /** Its name without that of the step it is within. */
  name: string;
  /** Within which step it is; undefined for a step of the operation itself. */
  within?: string;
  step: Step;
}

/** Steps within another one follow it, and begin with its name and a colon. */
export function shownSteps(steps: readonly Step[]): ShownStep[] {
  const outer = new Set(steps.map(({ name }) => name));
  return steps.map((step) => {
    const [first = '', ...rest] = step.name.split(': ');
    return rest.length > 0 && outer.has(first)
      ? { name: rest.join(': '), within: first, step }
      : { name: step.name, step };
  });
}

/** What a message says that no step says already. */
export function ownMessage({ message, steps }: Pick<OperationFieldsFragment, 'message' | 'steps'>): string {
  return steps.some((step) => step.message === message) ? '' : message;
}

/** What an operation is about, as its title says it. */
export function subjectOf({
  instanceName,
  clusterName,
  object,
}: Pick<OperationFieldsFragment, 'instanceName' | 'clusterName' | 'object'>) {
  const path = object && [object.namespace, object.name].filter(Boolean).join('/');
  return {
    instance: instanceName,
    cluster: clusterName ?? '',
    object: object ? `${object.kind} ${path}` : '',
  };
}
