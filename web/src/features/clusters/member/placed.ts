// What Karmada placed in a cluster, seen from that cluster.

import type { PlacedBindingFragment } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';

export type PlacedState = 'evicting' | 'notApplied' | 'waiting' | 'unhealthy' | 'unknown' | 'healthy';

export interface Placed {
  binding: PlacedBindingFragment;
  state: PlacedState;
  /** Why, in somebody's words; may be empty. */
  message: string;
  /** Null when the kind has none. */
  replicas: number | null;
}

const TONES: Record<PlacedState, Tone> = {
  notApplied: 'bad',
  unhealthy: 'warn',
  evicting: 'busy',
  waiting: 'busy',
  unknown: 'unknown',
  healthy: 'ok',
};
const RANKS = Object.keys(TONES) as PlacedState[];

export function toneOfPlaced(state: PlacedState): Tone {
  return TONES[state];
}

export function placedIn(cluster: string, binding: PlacedBindingFragment): Placed {
  const here = <T extends { clusterName: string }>(all: readonly T[]) =>
    all.find(({ clusterName }) => clusterName === cluster);
  const eviction = here(binding.evictions);
  const member = here(binding.members);
  return {
    binding,
    replicas: here(binding.clusters)?.replicas ?? null,
    ...verdict(eviction, member),
  };
}

type Eviction = PlacedBindingFragment['evictions'][number];
type Member = PlacedBindingFragment['members'][number];

function verdict(
  eviction: Eviction | undefined,
  member: Member | undefined,
): Pick<Placed, 'state' | 'message'> {
  if (eviction) return { state: 'evicting', message: eviction.message || eviction.reason };
  if (!member) return { state: 'waiting', message: '' };
  if (!member.applied) return { state: member.message ? 'notApplied' : 'waiting', message: member.message };
  if (member.health === 'HEALTHY') return { state: 'healthy', message: '' };
  return { state: member.health === 'UNHEALTHY' ? 'unhealthy' : 'unknown', message: member.message };
}

/** A page of bindings as the cluster has them, what is wrong first; otherwise in the order in which they came. */
export function placedRows(cluster: string, bindings: readonly PlacedBindingFragment[]): Placed[] {
  return bindings
    .map((binding) => placedIn(cluster, binding))
    .sort((a, b) => RANKS.indexOf(a.state) - RANKS.indexOf(b.state));
}
