import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  WorkloadDetailFragment,
  WorkloadDiagnosisFragment,
  WorkloadKind,
  WorkloadLiveSubscription,
  WorkloadLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { WorkloadDocument, WorkloadLiveDocument } from '../../../graph/generated/graphql';
import type { Problem } from '../../../graph/problems';
import { problemsOf } from '../../../graph/problems';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { resourceOf } from '../../../app/kinds';

/** A workload with everything that its page shows at once. */
export type DiagnosedWorkload = WorkloadDetailFragment & WorkloadDiagnosisFragment;

const LIVE: FeedSource<WorkloadLiveSubscription, WorkloadLiveSubscriptionVariables, DiagnosedWorkload> = {
  document: WorkloadLiveDocument,
  change: (data) => data.workload,
};

export interface WorkloadView {
  workload: DiagnosedWorkload | null;
  /** False when there is no such instance. */
  instanceKnown: boolean;
  /** There is no such workload. */
  missing: boolean;
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
    variables: { ...name, ...resourceOf(name.kind) },
  });
  const read = data?.instance?.workload ?? null;
  const id = read?.id;
  const feeds = useFeeds(
    LIVE,
    useMemo((): Record<string, WorkloadLiveSubscriptionVariables> => (id ? { [id]: { id } } : {}), [id]),
  );
  const feed = id ? feeds.get(id) : undefined;
  const problems = useMemo(() => problemsOf(error), [error]);

  const notFound = problems.some(({ code }) => code === 'NOT_FOUND');

  return {
    workload: (id && feed?.view.live.get(id)) || read,
    instanceKnown: data?.instance != null || !notFound,
    missing: notFound || (data != null && problems.length === 0),
    deleted: id !== undefined && (feed?.view.gone.has(id) ?? false),
    loading: fetching || stale,
    problems,
    liveProblems: feed?.problems ?? [],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
