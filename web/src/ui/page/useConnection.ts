import { useMemo } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useQuery } from 'urql';
import { problemsOf } from '../../graph/problems';
import { useAsOf } from './asOf';
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
}

/** Asks for one page of a connection of which nothing tells when it changes, for a ConnectionPage. */
export function useConnection<Data, Variables extends AnyVariables, Row>(
  query: ConnectionQuery<Data, Variables, Row>,
): ConnectionView<Row> {
  const { document, variables, of } = query;
  const [{ data, error, fetching, stale }, refetch] = useQuery<Data, Variables>({
    query: document,
    variables,
  });
  const loading = fetching || stale;
  const asOf = useAsOf(loading);

  const connection = data && of(data);
  return {
    rows: connection?.nodes ?? null,
    loading,
    asOf,
    endCursor: connection?.pageInfo.endCursor ?? null,
    hasNext: connection?.pageInfo.hasNextPage ?? false,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
