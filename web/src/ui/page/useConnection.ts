import { useEffect, useMemo } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useQuery } from 'urql';
import { problemsOf } from '../../graph/problems';
import type { ConnectionView } from './ConnectionPage';

/** A page of a connection as the graph answers it. */
interface Connection<Row> {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

interface ConnectionQuery<Data, Variables, Row> {
  document: TypedDocumentNode<Data, Variables>;
  /** Memoised: others are another question. */
  variables: Variables;
  /** Where the connection is in the answer. */
  of: (data: Data) => Connection<Row> | null | undefined;
  /** How often it is asked again, in milliseconds, while somebody looks; never when it is left out. */
  every?: number;
}

/** Asks for one page of a connection, for a ConnectionPage. */
export function useConnection<Data, Variables extends AnyVariables, Row>(
  query: ConnectionQuery<Data, Variables, Row>,
): ConnectionView<Row> {
  const { document: asked, variables, of, every } = query;
  const [{ data, error, fetching, stale }, refetch] = useQuery<Data, Variables>({
    query: asked,
    variables,
  });
  useEffect(() => {
    if (!every) return;
    const timer = setInterval(() => {
      if (!document.hidden) refetch({ requestPolicy: 'network-only' });
    }, every);
    return () => clearInterval(timer);
  }, [every, refetch]);

  const connection = data && of(data);
  return {
    rows: connection?.nodes ?? null,
    loading: fetching || stale,
    endCursor: connection?.pageInfo.endCursor ?? null,
    hasNext: connection?.pageInfo.hasNextPage ?? false,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
