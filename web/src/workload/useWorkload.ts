import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  WorkloadDetailFragment,
  WorkloadKind,
  WorkloadLiveSubscription,
  WorkloadLiveSubscriptionVariables,
} from '../gql/graphql';
import { WorkloadDocument, WorkloadLiveDocument } from '../gql/graphql';
import type { Problem } from '../graph/problems';
import { problemsOf } from '../graph/problems';
import type { FeedSource } from '../live/useFeeds';
import { useFeeds } from '../live/useFeeds';

const LIVE: FeedSource<WorkloadLiveSubscription, WorkloadLiveSubscriptionVariables, WorkloadDetailFragment> =
  {
    document: WorkloadLiveDocument,
    change: (data) => data.workload,
  };

export interface WorkloadView {
  workload: WorkloadDetailFragment | null;
  /** The instance is there, or has not been asked yet. */
  instanceKnown: boolean;
  deleted: boolean;
  loading: boolean;
  problems: Problem[];
  liveProblems: Problem[];
  retry: () => void;
}

interface WorkloadName {
  instance: string;
  kind: WorkloadKind;
  namespace: string;
  name: string;
}

/** One workload: read once from the store, then as its feed tells it. */
export function useWorkload(name: WorkloadName): WorkloadView {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: WorkloadDocument,
    variables: { ...name },
  });
  const read = data?.instance?.workload ?? null;
  const id = read?.id;
  const feeds = useFeeds(
    LIVE,
    useMemo((): Record<string, WorkloadLiveSubscriptionVariables> => (id ? { [id]: { id } } : {}), [id]),
  );
  const feed = id ? feeds.get(id) : undefined;
  const problems = useMemo(() => problemsOf(error), [error]);

  return {
    workload: (id && feed?.view.live.get(id)) || read,
    instanceKnown: !data || data.instance !== null || problems.length > 0,
    deleted: id !== undefined && (feed?.view.gone.has(id) ?? false),
    loading: fetching || stale,
    problems,
    liveProblems: feed?.problems ?? [],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
