import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  WorkloadDetailFragment,
  WorkloadEventsLiveSubscription,
  WorkloadEventsLiveSubscriptionVariables,
} from '../../../../graph/generated/graphql';
import { WorkloadEventsDocument, WorkloadEventsLiveDocument } from '../../../../graph/generated/graphql';
import type { FeedSource } from '../../../../graph/live/useFeeds';
import { useFeeds } from '../../../../graph/live/useFeeds';
import { useToldAgain } from '../../../../graph/live/useToldAgain';
import type { Problem } from '../../../../graph/problems';
import { problemsOf } from '../../../../graph/problems';
import type { ListView } from '../../../../ui/table/DataTable';
import { usePods } from '../../../../app/pods/usePods';
import type { EventRow } from './rows';
import { eventRows, readEvents } from './rows';

const LIVE: FeedSource<WorkloadEventsLiveSubscription, WorkloadEventsLiveSubscriptionVariables, EventRow> = {
  document: WorkloadEventsLiveDocument,
  change: (data) => data.events,
};

interface EventsView extends ListView<EventRow> {
  liveProblems: Problem[];
}

interface Wanted {
  instance: string;
  cluster?: string;
  warnings?: boolean;
}

/**
 * Events about a workload, its binding, and what is of it in the members. The control plane's are told; those of members
 * are read again when their pods change, which is what they are about.
 */
export function useEvents(
  workload: WorkloadDetailFragment,
  { instance, cluster, warnings }: Wanted,
): EventsView {
  const { id, kind, namespace, name } = workload;
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: WorkloadEventsDocument,
    variables: { id },
  });
  const feed = useFeeds(
    LIVE,
    useMemo(
      () => ({
        events: { instance, filter: { namespaces: [namespace], regardingKinds: [kind, 'ResourceBinding'] } },
      }),
      [instance, namespace, kind],
    ),
  ).get('events');
  const retry = () => refetch({ requestPolicy: 'network-only' });
  useToldAgain(usePods(id).pods, fetching || stale, retry);

  const binding = workload.propagation?.binding?.name;
  const read = useMemo(() => readEvents(data?.node), [data]);
  const view = feed?.view;
  return {
    rows: useMemo(
      () => eventRows(read, view, { about: { kind, name, binding }, cluster, warnings }),
      [read, view, kind, name, binding, cluster, warnings],
    ),
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry,
    liveProblems: feed?.problems ?? [],
  };
}
