// What a pod is called in an address, and how it looks.

import type { PodRowFragment } from '../../../graph/generated/graphql';

export { toneOfPod } from '../../../app/pods/tone';

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

/** The containers that may be asked for, those that do the work first. */
export function containersOf(pods: readonly PodRowFragment[]): string[] {
  const known = pods.flatMap(({ containers }) => containers);
  const main = known.filter(({ role }) => role === 'MAIN');
  const others = known.filter(({ role }) => role !== 'MAIN');
  return [...new Set([...main, ...others].map(({ name }) => name))];
}
