import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  ClusterRowFragment,
  ClustersLiveSubscription,
  ClustersLiveSubscriptionVariables,
  ClustersQuery,
} from '../gql/graphql';
import { ClustersDocument, ClustersLiveDocument } from '../gql/graphql';
import type { Problem } from '../graph/problems';
import { problemsOf } from '../graph/problems';
import type { FeedView } from '../live/feed';
import type { FeedSource } from '../live/useFeeds';
import { useFeeds } from '../live/useFeeds';

export type InstanceRow = NonNullable<ClustersQuery['instances']>['nodes'][number];

const LIVE: FeedSource<ClustersLiveSubscription, ClustersLiveSubscriptionVariables, ClusterRowFragment> = {
  document: ClustersLiveDocument,
  change: (data) => data.clusters,
};

export interface InstanceView {
  instance: InstanceRow;
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
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: ClustersDocument,
    variables: useMemo(() => ({ filter: instance ? { names: [instance] } : null }), [instance]),
  });
  const rows = data?.instances?.nodes;
  const feeds = useFeeds(
    LIVE,
    useMemo(() => Object.fromEntries((rows ?? []).map(({ name }) => [name, { instance: name }])), [rows]),
  );

  return {
    instances: useMemo(
      () =>
        rows?.map((row) => {
          const feed = feeds.get(row.name);
          return {
            instance: row,
            clusters: liveClusters(row.clusters?.nodes ?? null, feed?.view),
            liveProblems: feed?.problems ?? [],
          };
        }) ?? null,
      [rows, feeds],
    ),
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}

/** Clusters as the feed tells them, those it has not told yet as they were read; sorted by name. */
export function liveClusters(
  read: readonly ClusterRowFragment[] | null,
  feed: FeedView<ClusterRowFragment> | undefined,
): ClusterRowFragment[] | null {
  if (!feed) return read ? [...read] : null;
  if (!read && !feed.synced) return null;
  const byId = new Map((read ?? []).map((cluster) => [cluster.id, cluster]));
  for (const id of feed.gone) byId.delete(id);
  for (const [id, cluster] of feed.live) byId.set(id, cluster);
  return [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
