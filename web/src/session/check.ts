import { stringifyDocument } from '@urql/core';
import type { ViewerQuery } from '../gql/graphql';
import { ViewerDocument } from '../gql/graphql';
import { authorization } from '../graph/client';

export type CheckResult =
  | { outcome: 'accepted' }
  | { outcome: 'refused' }
  | { outcome: 'forbidden' }
  | { outcome: 'unreachable' | 'failed'; message: string };

interface Answer {
  data?: ViewerQuery | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Ask who a token belongs to, before it is kept. */
export async function checkToken(token: string, ask: typeof fetch = fetch): Promise<CheckResult> {
  let response: Response;
  try {
    response = await ask('/graphql', {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...authorization(token),
      },
      body: JSON.stringify({ query: stringifyDocument(ViewerDocument), operationName: 'Viewer' }),
      signal: AbortSignal.timeout(15_000),
    });
  } catch (error) {
    return { outcome: 'unreachable', message: error instanceof Error ? error.message : String(error) };
  }
  if (response.status === 401) return { outcome: 'refused' };

  let answer: Answer;
  try {
    answer = (await response.json()) as Answer;
  } catch {
    return { outcome: 'failed', message: `HTTP ${response.status}` };
  }
  const codes = answer.errors?.map((error) => error.extensions?.code) ?? [];
  if (codes.includes('UNAUTHENTICATED')) return { outcome: 'refused' };
  if (response.status === 403 || codes.includes('FORBIDDEN')) return { outcome: 'forbidden' };
  if (!answer.data) {
    return { outcome: 'failed', message: answer.errors?.[0]?.message ?? `HTTP ${response.status}` };
  }
  return answer.data.viewer.roles.length === 0 ? { outcome: 'forbidden' } : { outcome: 'accepted' };
}
