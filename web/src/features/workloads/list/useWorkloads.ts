import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useFleet } from '../../../app/fleet';
import { KINDS } from '../../../app/kinds';
import { PAGE_SIZES } from '../../../app/search';
import type {
  WorkloadRowFragment,
  WorkloadsLiveSubscription,
  WorkloadsLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { WorkloadsDocument, WorkloadsLiveDocument } from '../../../graph/generated/graphql';
import type { Problem } from '../../../graph/problems';
import { problemsOf } from '../../../graph/problems';
import type { PageWindow } from '../../../graph/live/list';
import { isWhole } from '../../../graph/live/list';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { ConnectionView } from '../../../ui/page/ConnectionPage';
import { useAsOf } from '../../../ui/page/asOf';
import type { Row } from './page';
import { overlay, watchedOf } from './page';
import type { WorkloadsSearch } from './search';
import { filterOf, instanceFilterOf, orderByOf } from './search';

const LIVE: FeedSource<WorkloadsLiveSubscription, WorkloadsLiveSubscriptionVariables, WorkloadRowFragment> = {
  document: WorkloadsLiveDocument,
  change: (data) => data.workloads,
};

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
    useMemo(
      () => (connection ? watchedOf(rows, window, names, instanceFilterOf(search)) : {}),
      [search, connection, rows, window, names],
    ),
  );
  const page = useMemo(
    () =>
      overlay(
        rows,
        [...feeds.values()].map((feed) => feed.view),
        order,
      ),
    [rows, feeds, order],
  );

  const whole = isWhole(window);
  const loading = fetching || stale;
  const asOf = useAsOf(loading, useCounted(search));

  return {
    rows: connection ? page : null,
    loading,
    // A list that is all here is counted here. What is made beyond the rows of this page is not told.
    totalCount: whole && connection ? page.length : (connection?.totalCount ?? null),
    asOf: whole ? undefined : asOf,
    endCursor: connection?.pageInfo.endCursor ?? null,
    hasNext: window.hasNext,
    problems: useMemo(() => problemsOf(error), [error]),
    unwatched: [...feeds]
      .filter(([, feed]) => feed.problems.length > 0)
      .map(([instance, feed]) => ({ instance, problems: feed.problems })),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}

/** How many workloads the controllers count where the list looks, whatever its filters leave out. */
function useCounted({ instance, kind }: WorkloadsSearch): number {
  const { instances } = useFleet();
  return useMemo(() => {
    const kinds = KINDS.filter(({ path }) => !kind || kind.includes(path)).map((known) => known.kind);
    return (instances ?? [])
      .filter(({ name }) => !instance || name === instance)
      .flatMap(({ statistics }) => statistics?.workloads ?? [])
      .filter((counted) => kinds.includes(counted.kind))
      .reduce((sum, { total }) => sum + total, 0);
  }, [instances, instance, kind]);
}
