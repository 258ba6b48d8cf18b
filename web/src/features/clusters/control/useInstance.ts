import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  ClusterRowFragment,
  InstanceDetailFragment,
  InstanceLiveSubscription,
  InstanceLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { InstanceDocument, InstanceLiveDocument } from '../../../graph/generated/graphql';
import { merged } from '../../../graph/live/merge';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { Problem } from '../../../graph/problems';
import { isRefusal, problemsOf } from '../../../graph/problems';
import { CLUSTERS } from '../useClusters';

const LIVE: FeedSource<InstanceLiveSubscription, InstanceLiveSubscriptionVariables, InstanceDetailFragment> =
  {
    document: InstanceLiveDocument,
    change: (data) => data.instances,
  };

export interface InstanceDetailView {
  instance: InstanceDetailFragment | null;
  /** Null when they could not be read. */
  clusters: ClusterRowFragment[] | null;
  missing: boolean;
  /** It has been there, and is not any more. */
  gone: boolean;
  loading: boolean;
  problems: Problem[];
  liveProblems: Problem[];
  retry: () => void;
}

/** One instance with its members: read once, then as its feeds tell it. */
export function useInstance(name: string): InstanceDetailView {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: InstanceDocument,
    variables: { name },
  });
  const read = data?.instance ?? null;
  // Also of one that is not there: it may be made.
  const feed = useFeeds(
    LIVE,
    useMemo(() => ({ instance: { names: [name] } }), [name]),
  ).get('instance');
  const [told] = feed?.view.live.values() ?? [];
  const instance = told ?? read;
  const runs = instance !== null && instance.state !== 'INSTALLING';
  const members = useFeeds(
    CLUSTERS,
    useMemo(
      (): Record<string, { instance: string }> => (runs ? { clusters: { instance: name } } : {}),
      [runs, name],
    ),
  ).get('clusters');
  const problems = useMemo(() => problemsOf(error), [error]);
  const notFound = isRefusal(problems, 'NOT_FOUND');

  return {
    instance,
    clusters: useMemo(() => merged(read?.clusters?.nodes ?? null, members?.view), [read, members]),
    missing: !instance && (notFound || (data != null && problems.length === 0)),
    gone: !told && read !== null && (feed?.view.gone.has(read.id) ?? false),
    loading: fetching || stale,
    problems: instance && notFound ? [] : problems,
    liveProblems: [...(feed?.problems ?? []), ...(members?.problems ?? [])],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
