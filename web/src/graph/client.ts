import { Client, fetchExchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { currentToken, signOut } from '../session/session';
import { errorsAside } from './errorsAside';
import { possibleTypes } from './possibleTypes';
import { isRefusal, problemsOf } from './problems';

/** Values that belong to the object they are read from and have no identity of their own. */
const VALUES = [
  'APIEnablement',
  'ClusterConnection',
  'ClusterEdge',
  'Component',
  'Condition',
  'CPUAmount',
  'CPUSummary',
  'DeschedulerSettings',
  'Fact',
  'FailoverSettings',
  'Feature',
  'Freshness',
  'InstanceConnection',
  'InstanceEdge',
  'InstanceSettings',
  'InstanceStatistics',
  'InstanceStep',
  'KeyValue',
  'Limit',
  'MemoryAmount',
  'MemorySummary',
  'MetricsAdapterSettings',
  'NodeSummary',
  'PageInfo',
  'PolicyCount',
  'Propagation',
  'PropagationTarget',
  'ReadyCount',
  'ResourceAmounts',
  'ResourceBinding',
  'ResourceSummary',
  'Server',
  'Taint',
  'TargetStatus',
  'UserError',
  'Viewer',
  'ViewerRole',
  'WorkloadConnection',
  'WorkloadCount',
  'WorkloadEdge',
];

export const cacheKeys = Object.fromEntries(VALUES.map((type) => [type, () => null]));

/**
 * The client of one session. A new sign-in makes a new client, so that nothing one person read can be
 * shown to the next.
 */
export function makeClient(): Client {
  const { outer, inner } = errorsAside();
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({
      credentials: 'omit',
      headers: authorization(currentToken()),
    }),
    exchanges: [
      mapExchange({
        onError(error) {
          if (isRefusal(problemsOf(error), 'UNAUTHENTICATED')) signOut('refused');
        },
      }),
      outer,
      cacheExchange({
        possibleTypes,
        keys: cacheKeys,
      }),
      inner,
      fetchExchange,
    ],
  });
}

export function authorization(token: string | null): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}
