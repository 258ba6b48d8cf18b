import { useEffect, useMemo, useRef } from 'react';
import { useQuery } from 'urql';
import { useFleet } from '../../../app/fleet';
import { PAGE_SIZES } from '../../../app/search';
import type {
  WorkloadRowFragment,
  WorkloadsLiveSubscription,
  WorkloadsLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { WorkloadsDocument, WorkloadsLiveDocument } from '../../../graph/generated/graphql';
import type { Problem } from '../../../graph/problems';
import { problemsOf } from '../../../graph/problems';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { ConnectionView } from '../../../ui/page/ConnectionPage';
import type { PageWindow, Row } from './page';
import { instancesOnPage, overlay } from './page';
import type { WorkloadsSearch } from './search';
import { filterOf, instanceFilterOf, orderByOf } from './search';

const LIVE: FeedSource<WorkloadsLiveSubscription, WorkloadsLiveSubscriptionVariables, WorkloadRowFragment> = {
  document: WorkloadsLiveDocument,
  change: (data) => data.workloads,
};

/** Rows that came or went are counted anew by the store, once it had time to learn of them. */
const RECOUNT_MS = 1_500;

export interface WorkloadsView extends ConnectionView<Row> {
  totalCount: number | null;
  /** Instances whose live feed does not run, and why. */
  unwatched: { instance: string; problems: Problem[] }[];
}

const NO_ROWS: Row[] = [];

export function useWorkloads(search: WorkloadsSearch): WorkloadsView {
  const { instances } = useFleet();
  const order = useMemo(() => orderByOf(search), [search]);
  const variables = useMemo(
    () => ({
      first: search.size ?? PAGE_SIZES[0],
      after: search.after ?? null,
      filter: filterOf(search) ?? null,
      orderBy: order ?? null,
    }),
    [search, order],
  );
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query: WorkloadsDocument, variables });

  const connection = data?.workloads;
  const rows = connection?.nodes ?? NO_ROWS;
  const window = useMemo<PageWindow>(
    () => ({
      hasPrevious: connection?.pageInfo.hasPreviousPage ?? false,
      hasNext: connection?.pageInfo.hasNextPage ?? false,
    }),
    [connection?.pageInfo.hasPreviousPage, connection?.pageInfo.hasNextPage],
  );

  const names = useMemo(
    () => (search.instance ? [search.instance] : (instances ?? []).map(({ name }) => name)),
    [search.instance, instances],
  );
  const feeds = useFeeds(
    LIVE,
    useMemo(() => {
      const filter = instanceFilterOf(search);
      const shown = connection ? instancesOnPage(rows, window, names, order) : [];
      return Object.fromEntries(shown.map((instance) => [instance, { instance, filter }]));
    }, [search, connection, rows, window, names, order]),
  );

  const page = useMemo(
    () =>
      overlay(
        rows,
        window,
        [...feeds.values()].map((feed) => feed.view),
        order,
      ),
    [rows, window, feeds, order],
  );

  // The store trails the feeds: ask it again when membership differs, not for every change.
  const drift = [...page.appeared, '', ...page.vanished].join(' ');
  const asked = useRef(' ');
  useEffect(() => {
    if (drift === asked.current || drift === ' ') return;
    const timer = setTimeout(() => {
      asked.current = drift;
      refetch({ requestPolicy: 'network-only' });
    }, RECOUNT_MS);
    return () => clearTimeout(timer);
  }, [drift, refetch]);

  return {
    rows: connection ? page.rows : null,
    loading: fetching || stale,
    totalCount: connection?.totalCount ?? null,
    endCursor: connection?.pageInfo.endCursor ?? null,
    hasNext: window.hasNext,
    problems: useMemo(() => problemsOf(error), [error]),
    unwatched: [...feeds]
      .filter(([, feed]) => feed.problems.length > 0)
      .map(([instance, feed]) => ({ instance, problems: feed.problems })),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
