import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  ClusterRowFragment,
  ClustersLiveSubscription,
  ClustersLiveSubscriptionVariables,
  InstanceRowFragment,
  InstancesLiveSubscription,
  InstancesLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import { ClustersDocument, ClustersLiveDocument, InstancesLiveDocument } from '../../graph/generated/graphql';
import { merged } from '../../graph/live/merge';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useFeeds } from '../../graph/live/useFeeds';
import type { Problem } from '../../graph/problems';
import { problemsOf } from '../../graph/problems';

const INSTANCES: FeedSource<
  InstancesLiveSubscription,
  InstancesLiveSubscriptionVariables,
  InstanceRowFragment
> = {
  document: InstancesLiveDocument,
  change: (data) => data.instances,
};

export const CLUSTERS: FeedSource<
  ClustersLiveSubscription,
  ClustersLiveSubscriptionVariables,
  ClusterRowFragment
> = {
  document: ClustersLiveDocument,
  change: (data) => data.clusters,
};

export interface InstanceView {
  instance: InstanceRowFragment;
  /** Null when they could not be read. */
  clusters: ClusterRowFragment[] | null;
  liveProblems: Problem[];
}

export interface ClustersView {
  instances: InstanceView[] | null;
  loading: boolean;
  problems: Problem[];
  retry: () => void;
}

export function useClusters(instance: string | undefined): ClustersView {
  const names = useMemo(() => (instance ? [instance] : null), [instance]);
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: ClustersDocument,
    variables: useMemo(() => ({ filter: names && { names } }), [names]),
  });
  const read = data?.instances?.nodes;
  const told = useFeeds(
    INSTANCES,
    useMemo(() => ({ instances: { names } }), [names]),
  ).get('instances');
  const rows = useMemo(() => merged<InstanceRowFragment>(read ?? null, told?.view), [read, told]);
  const feeds = useFeeds(
    CLUSTERS,
    useMemo(() => Object.fromEntries(watched(rows ?? []).map((name) => [name, { instance: name }])), [rows]),
  );

  return {
    instances: useMemo(
      () =>
        rows?.map((row) => {
          const feed = feeds.get(row.name);
          const clusters = read?.find(({ id }) => id === row.id)?.clusters?.nodes ?? null;
          return {
            instance: row,
            clusters: merged(clusters, feed?.view),
            liveProblems: [...(told?.problems ?? []), ...(feed?.problems ?? [])],
          };
        }) ?? null,
      [rows, read, told, feeds],
    ),
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}

/** What is being installed has nothing to be watched yet. */
export function watched(rows: readonly Pick<InstanceRowFragment, 'name' | 'state'>[]): string[] {
  return rows.filter(({ state }) => state !== 'INSTALLING').map(({ name }) => name);
}
