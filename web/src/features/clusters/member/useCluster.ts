import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  ClusterDetailFragment,
  ClusterLiveSubscription,
  ClusterLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { ClusterDocument, ClusterLiveDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { Problem } from '../../../graph/problems';
import { isRefusal, problemsOf } from '../../../graph/problems';

const LIVE: FeedSource<ClusterLiveSubscription, ClusterLiveSubscriptionVariables, ClusterDetailFragment> = {
  document: ClusterLiveDocument,
  change: (data) => data.clusters,
};

export interface ClusterView {
  /** Null while it has not been read, and when there is none. */
  cluster: ClusterDetailFragment | null;
  instanceKnown: boolean;
  missing: boolean;
  /** It has been there, and is not any more. */
  gone: boolean;
  loading: boolean;
  problems: Problem[];
  liveProblems: Problem[];
  retry: () => void;
}

/** One member cluster: read once, then as the feed of its instance tells it. */
export function useCluster(instance: string, name: string): ClusterView {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: ClusterDocument,
    variables: { instance, cluster: name },
  });
  const read = data?.instance?.cluster ?? null;
  const known = data?.instance != null;
  const feed = useFeeds(
    LIVE,
    useMemo(
      (): Record<string, ClusterLiveSubscriptionVariables> => (known ? { clusters: { instance } } : {}),
      [known, instance],
    ),
  ).get('clusters');
  const view = feed?.view;
  const told = useMemo(
    () => [...(view?.live.values() ?? [])].find((cluster) => cluster.name === name),
    [view, name],
  );
  const problems = useMemo(() => problemsOf(error), [error]);
  // A namesake that joined since has the same id and is told as it is.
  const gone = read !== null && !told && (view?.gone.has(read.id) ?? false);
  const notFound = isRefusal(problems, 'NOT_FOUND');

  return {
    cluster: told ?? read,
    instanceKnown: known || !notFound,
    missing: !told && !read && (notFound || (data != null && problems.length === 0)),
    gone,
    loading: fetching || stale,
    problems,
    liveProblems: feed?.problems ?? [],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
