import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  RevisionRowFragment,
  RevisionsToldSubscription,
  RevisionsToldSubscriptionVariables,
} from '../../../../graph/generated/graphql';
import { RevisionsDocument, RevisionsToldDocument } from '../../../../graph/generated/graphql';
import type { FeedSource } from '../../../../graph/live/useFeeds';
import { useFeeds } from '../../../../graph/live/useFeeds';
import { useToldAgain } from '../../../../graph/live/useToldAgain';
import type { Problem } from '../../../../graph/problems';
import { problemsOf } from '../../../../graph/problems';
import type { ListView } from '../../../../ui/table/DataTable';

interface Told {
  id: string;
  resourceVersion: string | null;
}

const LIVE: FeedSource<RevisionsToldSubscription, RevisionsToldSubscriptionVariables, Told> = {
  document: RevisionsToldDocument,
  change: (data) => data.resources,
};

interface RevisionsView extends ListView<RevisionRowFragment> {
  liveProblems: Problem[];
}

interface Of {
  id: string;
  instance: string;
  namespace: string;
  name: string;
}

/** The revisions of a workload, the newest first: read again when one comes, goes or is rolled back to. */
export function useRevisions({ id, instance, namespace, name }: Of): RevisionsView {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: RevisionsDocument,
    variables: { id },
  });
  const feed = useFeeds(
    LIVE,
    useMemo(
      () => ({ told: { instance, filter: { namespaces: [namespace], nameContains: name } } }),
      [instance, namespace, name],
    ),
  ).get('told');
  // A rollback gives a revision that there was another number.
  const told = feed?.view.synced
    ? [...feed.view.live.values()]
        .map(({ id, resourceVersion }) => `${id} ${resourceVersion ?? ''}`)
        .sort()
        .join()
    : null;
  const retry = () => refetch({ requestPolicy: 'network-only' });
  useToldAgain(told, fetching || stale, retry);

  const node = data?.node;
  const rows = node && 'revisions' in node ? (node.revisions?.nodes ?? null) : null;
  return {
    rows,
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry,
    liveProblems: feed?.problems ?? [],
  };
}
