// What there is, counted: over all instances as the graph adds it up, or of one of them.

import type {
  AttentionRowFragment,
  ClusterState,
  OverviewFieldsFragment,
  OverviewInstanceFragment,
  WorkloadState,
} from '../../graph/generated/graphql';

export type Totals = OverviewFieldsFragment;

/** One instance in the shape of all of them; nothing is counted where the instance tells no numbers. */
export function totalsOf(instance: OverviewInstanceFragment): Totals {
  const { id, name, state, statistics, clusters } = instance;
  const states = new Map<ClusterState, number>();
  for (const cluster of clusters?.nodes ?? []) {
    states.set(cluster.state, (states.get(cluster.state) ?? 0) + 1);
  }
  return {
    instances: [{ state, total: 1 }],
    clusters: statistics?.clusters ?? { total: 0, ready: 0 },
    clusterStates: [...states].map(([state, total]) => ({ state, total })),
    nodes: statistics?.nodes ?? { total: 0, ready: 0 },
    cpu: statistics?.cpu ?? { allocatable: { cores: 0 }, allocated: { cores: 0 } },
    memory: statistics?.memory ?? { allocatable: { bytes: 0 }, allocated: { bytes: 0 } },
    workloads: statistics?.workloads ?? [],
    policies: statistics?.policies ?? [],
    asOf: statistics?.asOf ?? null,
    uncounted: statistics ? [] : [{ id, name }],
  };
}

/** The states that are counted one by one; what runs or has completed is counted by kind. */
export const COUNTED: readonly WorkloadState[] = [
  'FAILED',
  'NOT_PROPAGATED',
  'DEGRADED',
  'UNKNOWN',
  'PROGRESSING',
  'PAUSED',
  'STOPPED',
  'DELETING',
];

/** How many workloads are in each state, in that order; states without any are left out. */
export function statesOf(rows: readonly AttentionRowFragment[]): { state: WorkloadState; total: number }[] {
  return COUNTED.map((state) => ({ state, total: rows.filter((row) => row.state === state).length })).filter(
    ({ total }) => total > 0,
  );
}
