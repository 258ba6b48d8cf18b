import type { Fetcher, FetcherParams } from '@graphiql/toolkit';
import type { DocumentNode, ExecutionResult } from 'graphql';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { authorization } from '../../graph/client';
import { socketURL } from '../../graph/socket';
import { cleanToken, currentToken } from '../session/session';

/** Headers that GraphiQL's header field gives, over those of the signed-in viewer. */
export function headersOf(given: Record<string, unknown> | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
  }
  if (headers.authorization !== undefined) {
    return { ...headers, ...authorization(cleanToken(headers.authorization) || null) };
  }
  return { ...authorization(currentToken()), ...headers };
}

export const fetcher: Fetcher = (params, options) => {
  const headers = headersOf(options?.headers);
  return isSubscription(params, options?.documentAST) ? subscribe(params, headers) : ask(params, headers);
};

function isSubscription(params: FetcherParams, document: DocumentNode | undefined): boolean {
  if (!document) return false;
  return getOperationAST(document, params.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

async function ask(params: FetcherParams, headers: Record<string, string>): Promise<ExecutionResult> {
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: headers.authorization ? 'omit' : 'same-origin',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(params),
  });
  const text = await response.text();
  try {
    return JSON.parse(text) as ExecutionResult;
  } catch {
    throw new Error(`HTTP ${response.status} ${response.statusText}: ${text.slice(0, 500)}`);
  }
}

/** A socket for each subscription: it speaks for whom the header field names at that moment. */
async function* subscribe(
  params: FetcherParams,
  headers: Record<string, string>,
): AsyncGenerator<ExecutionResult> {
  const client = createClient({
    url: socketURL(location),
    connectionParams: headers.authorization ? { authorization: headers.authorization } : {},
    retryAttempts: 3,
  });
  try {
    yield* client.iterate({
      query: params.query,
      operationName: params.operationName,
      variables: params.variables as Record<string, unknown> | undefined,
    }) as AsyncIterable<ExecutionResult>;
  } finally {
    await client.dispose();
  }
}
