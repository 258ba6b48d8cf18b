// Where a search could not look, and where what it found may be old.

import type { FleetInstanceFragment } from '../../graph/generated/graphql';
import type { Problem } from '../../graph/problems';

export interface Doubts {
  /** Instances, and members as `asia / tokyo`, in which nothing was searched for. */
  notSearched: string[];
  /** Those of which what was found may be old. */
  old: string[];
}

type Known = Pick<FleetInstanceFragment, 'name' | 'state' | 'freshness' | 'clusters'>;

export function doubtsOf(instances: readonly Known[], problems: readonly Problem[]): Doubts {
  const notSearched = new Set<string>();
  const old = new Set<string>();
  for (const { instance, cluster } of problems) {
    if (instance) notSearched.add(cluster ? `${instance} / ${cluster}` : instance);
  }
  for (const { name, state, freshness, clusters } of instances) {
    const weigh = (place: string, fresh: Known['freshness']) => {
      if (fresh?.state === 'NEVER') notSearched.add(place);
      else if (fresh && fresh.state !== 'LIVE') old.add(place);
    };
    if (state === 'INSTALLING') {
      notSearched.add(name);
      continue;
    }
    weigh(name, freshness);
    for (const cluster of clusters?.nodes ?? []) weigh(`${name} / ${cluster.name}`, cluster.freshness);
  }
  return {
    notSearched: [...notSearched].sort(),
    old: [...old].filter((place) => !notSearched.has(place)).sort(),
  };
}
