import { Client, fetchExchange } from '@urql/core';
import { currentToken, refused } from './session';
import { ViewerDocument } from '../../graph/generated/graphql';
import { speaker } from '../../graph/client';
import { byHash } from '../../graph/documents';
import { isRefusal, problemsOf } from '../../graph/problems';

export type CheckResult =
  | { outcome: 'accepted' }
  | { outcome: 'refused' }
  | { outcome: 'forbidden' }
  | { outcome: 'unreachable' | 'failed'; message: string };

const TIMEOUT_MS = 15_000;

/** Ask who a token belongs to, or for none the browser's session. */
export async function checkToken(token: string | null, ask: typeof fetch = fetch): Promise<CheckResult> {
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: (url, init) => ask(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    fetchOptions: speaker(token),
    exchanges: [byHash, fetchExchange],
  });
  const { data, error } = await client.query(ViewerDocument, {}).toPromise();
  const problems = problemsOf(error);
  if (isRefusal(problems, 'UNAUTHENTICATED')) return { outcome: 'refused' };
  if (isRefusal(problems, 'FORBIDDEN')) return { outcome: 'forbidden' };
  if (!data) {
    const response = error?.response as Response | undefined;
    const message = problems[0]?.message ?? '';
    if (error?.networkError && !response) return { outcome: 'unreachable', message };
    return { outcome: 'failed', message: response?.ok === false ? `HTTP ${response.status}` : message };
  }
  return data.viewer.roles.length === 0 ? { outcome: 'forbidden' } : { outcome: 'accepted' };
}

/**
 * Ends the session here if the server does not know any more whose it is. Whoever merely has no role, or
 * not this one, stays: to sign in again would change nothing.
 */
export async function confirmSession(ask: typeof fetch = fetch): Promise<void> {
  if ((await checkToken(currentToken(), ask)).outcome === 'refused') refused();
}
