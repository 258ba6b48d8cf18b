import { Client, fetchExchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { possibleTypes, values } from '../gql/contract';
import { currentToken, signOut } from '../session/session';
import { errorsAside } from './errorsAside';
import { isRefusal, problemsOf } from './problems';

/** Values belong to the object they are read from and have no identity of their own. */
const cacheKeys = Object.fromEntries(values.map((type) => [type, () => null]));

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
