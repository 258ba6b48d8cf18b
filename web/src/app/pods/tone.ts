import type { PodRowFragment } from '../../graph/generated/graphql';
import type { Tone } from '../../ui/tones';

type Condition = Pick<PodRowFragment, 'phase' | 'ready' | 'reason'>;

/** Reasons for which a pod that has not started will not by itself. */
const STUCK = /Err|BackOff|Invalid|Error|OOMKilled|Unschedulable/;

export function toneOfPod({ phase, ready, reason }: Condition): Tone {
  if (reason === 'Terminating') return 'idle';
  switch (phase) {
    case 'SUCCEEDED':
      return 'ok';
    case 'FAILED':
      return 'bad';
    case 'UNKNOWN':
      return 'unknown';
    case 'PENDING':
      return STUCK.test(reason) ? 'bad' : 'busy';
    case 'RUNNING':
      if (ready) return 'ok';
      return reason === 'Running' ? 'warn' : 'bad';
  }
}
