// What a pod is called in an address, and how it looks.

import type { PodRowFragment } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';

/** A pod of a workload: its namespace is the workload's. */
export interface PodName {
  cluster: string;
  pod: string;
}

/** `tokyo/cart-5c4f`, as an address names a pod: neither part has a slash. */
export function keyOf({ cluster, pod }: PodName): string {
  return `${cluster}/${pod}`;
}

/** The pod that an address names; undefined for what is no name of one. */
export function podOfKey(key: string): PodName | undefined {
  const [cluster, pod, ...more] = key.split('/');
  return cluster && pod && more.length === 0 ? { cluster, pod } : undefined;
}

export function keyOfRow({ cluster, name }: PodRowFragment): string {
  return keyOf({ cluster: cluster?.name ?? '', pod: name });
}

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

/** The containers that may be asked for, those that do the work first. */
export function containersOf(pods: readonly PodRowFragment[]): string[] {
  const known = pods.flatMap(({ containers }) => containers);
  const main = known.filter(({ role }) => role === 'MAIN');
  const others = known.filter(({ role }) => role !== 'MAIN');
  return [...new Set([...main, ...others].map(({ name }) => name))];
}
