import { Client, makeOperation } from '@urql/core';
import type { Exchange, OperationResult } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { CombinedError } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { filter, map, pipe, subscribe } from 'wonka';
import { errorsAside } from './errorsAside';

const ONE = `query One { instance { __typename id name workload { __typename id } } }`;
const ALL = `query All { instances { __typename id name } }`;

describe('errorsAside', () => {
  const failed = new CombinedError({ graphQLErrors: [{ message: 'europe is down' }] });
  const answers: Record<string, { data: unknown; error?: CombinedError }> = {
    One: {
      data: { instance: { __typename: 'Instance', id: 'i', name: 'europe', workload: null } },
      error: failed,
    },
    All: { data: { instances: [{ __typename: 'Instance', id: 'i', name: 'europe' }] } },
  };

  function start() {
    const asked: string[] = [];
    const upstream: Exchange = () => (operations) =>
      pipe(
        operations,
        filter((operation) => operation.kind !== 'teardown'),
        map((operation): OperationResult => {
          const name = /query (\w+)/.exec(operation.query.loc?.source.body ?? '')?.[1] ?? '';
          asked.push(name);
          return {
            operation: makeOperation(operation.kind, operation),
            ...answers[name],
            stale: false,
            hasNext: false,
          } as OperationResult;
        }),
      );
    const { outer, inner } = errorsAside();
    const client = new Client({
      url: '/graphql',
      requestPolicy: 'cache-and-network',
      preferGetMethod: false,
      exchanges: [outer, cacheExchange(), inner, upstream],
    });
    const seen: { data: unknown; error?: string; stale: boolean }[] = [];
    const watch = (query: string) =>
      pipe(
        client.query(query, {}),
        subscribe(({ data, error, stale }) => {
          if (query === ONE) seen.push({ data, error: error?.graphQLErrors[0]?.message, stale });
        }),
      );
    return { asked, seen, watch };
  }

  it('shows what is there together with what failed', () => {
    const { seen, watch } = start();
    const one = watch(ONE);
    expect(seen.at(-1)).toMatchObject({
      data: { instance: { name: 'europe', workload: null } },
      error: 'europe is down',
      stale: false,
    });
    one.unsubscribe();
  });

  it('neither asks again nor forgets the failure when another query touches the same object', () => {
    const { asked, seen, watch } = start();
    const one = watch(ONE);
    const all = watch(ALL);
    expect(asked).toEqual(['One', 'All']);
    expect(seen.at(-1)).toMatchObject({ error: 'europe is down', stale: false });
    one.unsubscribe();
    all.unsubscribe();
  });
});
