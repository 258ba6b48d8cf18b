import { Client, fetchExchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { possibleTypes, values } from './generated/contract';
import { currentToken, refused } from '../features/session/session';
import { byHash } from './documents';
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
    fetchOptions: () => speaker(currentToken()),
    exchanges: [
      mapExchange({
        onError(error) {
          if (isRefusal(problemsOf(error), 'UNAUTHENTICATED')) refused();
        },
      }),
      outer,
      cacheExchange({
        possibleTypes,
        keys: cacheKeys,
      }),
      inner,
      byHash,
      fetchExchange,
    ],
  });
}

/** How a request says who asks: by a token, else by the browser's cookie. */
export function speaker(token: string | null): RequestInit {
  return token
    ? { credentials: 'omit', headers: authorization(token) }
    : { credentials: 'same-origin', headers: {} };
}

export function authorization(token: string | null): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}
