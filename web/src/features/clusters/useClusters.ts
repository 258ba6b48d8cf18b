import { useEffect, useMemo } from 'react';
import { useClient, useQuery } from 'urql';
import type {
  ClusterRowFragment,
  ClustersLiveSubscription,
  ClustersLiveSubscriptionVariables,
  ClustersQuery,
  InstanceStatusesQueryVariables,
} from '../../graph/generated/graphql';
import {
  ClustersDocument,
  ClustersLiveDocument,
  InstanceStatusesDocument,
} from '../../graph/generated/graphql';
import type { Problem } from '../../graph/problems';
import { problemsOf } from '../../graph/problems';
import type { FeedView } from '../../graph/live/feed';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useFeeds } from '../../graph/live/useFeeds';
import { isBusy } from './status';

export type InstanceRow = NonNullable<ClustersQuery['instances']>['nodes'][number];

const LIVE: FeedSource<ClustersLiveSubscription, ClustersLiveSubscriptionVariables, ClusterRowFragment> = {
  document: ClustersLiveDocument,
  change: (data) => data.clusters,
};

/** How often it is asked what the controllers say: more often while somebody waits for it. */
const STATUS_MS = 10_000;
const BUSY_MS = 2_000;

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
  const variables = useMemo(() => ({ filter: instance ? { names: [instance] } : null }), [instance]);
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query: ClustersDocument, variables });
  const rows = data?.instances?.nodes;
  useStatuses(variables, rows?.some(({ state }) => isBusy(state)) ?? false);
  const feeds = useFeeds(
    LIVE,
    useMemo(() => Object.fromEntries(watched(rows ?? []).map((name) => [name, { instance: name }])), [rows]),
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

/** What is being installed has nothing to be watched yet. */
export function watched(rows: readonly Pick<InstanceRow, 'name' | 'state'>[]): string[] {
  return rows.filter(({ state }) => state !== 'INSTALLING').map(({ name }) => name);
}

/** Keeps in the cache what the controllers say, which no subscription tells. */
function useStatuses(variables: InstanceStatusesQueryVariables, busy: boolean) {
  const client = useClient();
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (document.hidden) return;
        void client.query(InstanceStatusesDocument, variables, { requestPolicy: 'network-only' }).toPromise();
      },
      busy ? BUSY_MS : STATUS_MS,
    );
    return () => clearInterval(timer);
  }, [client, variables, busy]);
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
