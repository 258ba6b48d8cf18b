import { useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { PAGE_SIZES } from '../../app/search';
import { AuditEventsDocument } from '../../graph/generated/graphql';
import { problemsOf } from '../../graph/problems';
import type { ConnectionView } from '../../ui/page/ConnectionPage';
import type { AuditRow } from './object';
import type { AuditSearch } from './search';
import { filterOf } from './search';

/** No subscription tells of events: the newest page is asked for at this pace. Older pages do not change. */
const POLL_MS = 5_000;

export function useAudit(search: AuditSearch): ConnectionView<AuditRow> {
  const size = search.size ?? PAGE_SIZES[0];
  const filter = JSON.stringify(filterOf(search));
  const variables = useMemo(
    () => ({
      first: size,
      after: search.after ?? null,
      filter: JSON.parse(filter) as ReturnType<typeof filterOf>,
    }),
    [size, search.after, filter],
  );
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query: AuditEventsDocument, variables });

  const newest = !search.after;
  useEffect(() => {
    if (!newest) return;
    const timer = setInterval(() => {
      if (!document.hidden) refetch({ requestPolicy: 'network-only' });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [newest, refetch]);

  const connection = data?.auditEvents;
  return {
    rows: connection?.nodes ?? null,
    loading: fetching || stale,
    endCursor: connection?.pageInfo.endCursor ?? null,
    hasNext: connection?.pageInfo.hasNextPage ?? false,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
