import type {
  AuditOutcome,
  ClusterState,
  ComponentState,
  InstanceState,
  WorkloadState,
} from '../graph/generated/graphql';

/** How a thing looks; each has a colour and an icon of its own, so that colour is never alone. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'idle' | 'unknown';

const STATE_TONES: Record<WorkloadState | InstanceState | ClusterState | ComponentState, Tone> = {
  RUNNING: 'ok',
  PROGRESSING: 'busy',
  DEGRADED: 'warn',
  STOPPED: 'idle',
  PAUSED: 'idle',
  NOT_PROPAGATED: 'bad',
  COMPLETED: 'ok',
  FAILED: 'bad',
  DELETING: 'idle',
  UNKNOWN: 'unknown',
  INSTALLING: 'busy',
  UNAVAILABLE: 'bad',
  READY: 'ok',
  NOT_READY: 'warn',
  OFFLINE: 'bad',
  JOINING: 'busy',
  REMOVING: 'idle',
};

export type AnyState = keyof typeof STATE_TONES;

export function toneOfState(state: AnyState): Tone {
  return STATE_TONES[state];
}

const OUTCOME_TONES: Record<AuditOutcome, Tone> = {
  STARTED: 'busy',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  REFUSED: 'warn',
  CANCELLED: 'idle',
};

/** How something looks that somebody did. */
export function toneOfOutcome(outcome: AuditOutcome): Tone {
  return OUTCOME_TONES[outcome];
}
