// How a cluster does, as a person would say it: one mark, and what stands behind it.

import type { ClusterRowFragment, TaintEffect } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';
import { toneOfState } from '../../../ui/tones';

/** The taint by which scheduling to a cluster is paused, here and by `karmadactl cordon`. */
export const PAUSING = 'cluster.karmada.io/unschedulable';

export type Note = 'paused' | 'unschedulable' | 'nodesNotReady' | 'full';

export interface Health {
  tone: Tone;
  state: ClusterRowFragment['state'];
  /** What else is to be known, the worst first. */
  notes: { note: Note; count?: number }[];
}

type Cluster = Pick<ClusterRowFragment, 'state' | 'schedulable' | 'taints' | 'nodes' | 'resources'>;

export function healthOf(cluster: Cluster): Health {
  const notes: Health['notes'] = [];
  const { state, nodes, resources } = cluster;
  const away = nodes ? nodes.total - nodes.ready : 0;
  if (away > 0) notes.push({ note: 'nodesNotReady', count: away });
  // Of a cluster that is not ready it is no news that nothing is scheduled there, unless somebody wants it so.
  if (isPaused(cluster)) notes.push({ note: 'paused' });
  else if (state === 'READY' && !cluster.schedulable) notes.push({ note: 'unschedulable' });
  if (state === 'READY' && resources && isFull(resources)) notes.push({ note: 'full' });
  const tone = toneOfState(state);
  const doubtful = tone === 'ok' && notes.some(({ note }) => note !== 'paused');
  return { tone: doubtful ? 'warn' : tone, state, notes };
}

export function isPaused({ taints }: Pick<ClusterRowFragment, 'taints'>): boolean {
  return taints.some(({ key }) => key === PAUSING);
}

/** More than nine tenths of what there is are taken, as the meters mark it. */
function isFull({ allocatable, allocated }: NonNullable<ClusterRowFragment['resources']>): boolean {
  return (
    allocated.cpu.cores > 0.9 * allocatable.cpu.cores ||
    allocated.memory.bytes > 0.9 * allocatable.memory.bytes ||
    allocated.pods > 0.9 * allocatable.pods
  );
}

const EFFECTS: Record<TaintEffect, string> = {
  NO_SCHEDULE: 'NoSchedule',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NO_EXECUTE: 'NoExecute',
};

/** An effect as Kubernetes writes it. */
export function effectName(effect: TaintEffect): string {
  return EFFECTS[effect];
}

/** A taint as `kubectl taint` writes it. */
export function taintText({ key, value, effect }: ClusterRowFragment['taints'][number]): string {
  return `${key}${value && `=${value}`}:${effectName(effect)}`;
}

type Condition = { type: string; status: 'TRUE' | 'FALSE' | 'UNKNOWN' };

/** Whether a condition says what it should. Those of pressure, and the like, are well when they do not hold. */
export function holdsWell({ type, status }: Condition): boolean {
  return status === (/Pressure$|Unavailable$/.test(type) ? 'FALSE' : 'TRUE');
}

export function toneOfCondition(condition: Condition): Tone {
  if (holdsWell(condition)) return 'ok';
  return condition.status === 'UNKNOWN' ? 'unknown' : 'bad';
}
