import { Client, fetchExchange, formatDocument, stringifyDocument } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Documents from './documents';
import registered from './generated/documents.json';
import * as generated from './generated/graphql';

const operations = Object.entries(generated)
  .filter(([name]) => name.endsWith('Document'))
  .map(([name, document]): [string, DocumentNode] => [name, document as DocumentNode]);

/** The module remembers what a server does not know: each test has its own. */
let documents: typeof Documents;
beforeEach(async () => {
  vi.resetModules();
  documents = await import('./documents');
});
afterEach(() => vi.unstubAllGlobals());

describe('the registered documents', () => {
  it('are those of this build, and no others', () => {
    expect(Object.keys(registered).sort()).toEqual(
      operations.map(([, document]) => documents.hashOf(document)).sort(),
    );
  });

  it.each(operations)('hold %s as the client sends it', (_, document) => {
    const hash = documents.hashOf(document) ?? '';
    const text = stringifyDocument(formatDocument(document));
    expect(`sha256:${createHash('sha256').update(text).digest('hex')}`).toBe(hash);
    expect((registered as Record<string, string>)[hash]).toBe(text);
    // The cache puts in a __typename, and the name must not get lost with that.
    expect(documents.hashOf(formatDocument(document))).toBe(hash);
  });
});

interface Body {
  query?: string;
  operationName?: string;
  extensions?: { persistedQuery?: { sha256Hash: string } };
}

/** A server that knows the documents of these names. */
function serve(known: readonly string[]): { client: Client; asked: Body[] } {
  const asked: Body[] = [];
  const client = new Client({
    url: 'http://kairship/graphql',
    preferGetMethod: false,
    exchanges: [documents.byHash, fetchExchange],
    fetch: (_, init) => {
      const body = JSON.parse(init?.body as string) as Body;
      asked.push(body);
      const answer =
        body.query || known.includes(body.operationName ?? '')
          ? { data: { viewer: { name: 'ada' } } }
          : { errors: [{ message: 'no', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };
      const headers = { 'content-type': 'application/graphql-response+json' };
      return Promise.resolve(
        new Response(JSON.stringify(answer), { status: 'data' in answer ? 200 : 400, headers }),
      );
    },
  });
  return { client, asked };
}

describe('a request', () => {
  it('names its document and leaves the text out', async () => {
    const { client, asked } = serve(['Viewer']);
    const { data } = await client.query(generated.ViewerDocument, {}).toPromise();
    expect(data?.viewer.name).toBe('ada');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.query).toBeUndefined();
    expect(asked[0]?.extensions?.persistedQuery?.sha256Hash).toBe(documents.hashOf(generated.ViewerDocument));
  });

  it('is made again with the text where the server does not know the name, and the next at once', async () => {
    const { client, asked } = serve([]);
    const first = await client.query(generated.ViewerDocument, {}).toPromise();
    expect(first.error).toBeUndefined();
    expect(first.data?.viewer.name).toBe('ada');
    await client.query(generated.FleetDocument, {}).toPromise();
    expect(
      asked.map(({ operationName, query, extensions }) => [operationName, !!query, !!extensions]),
    ).toEqual([
      ['Viewer', false, true],
      ['Viewer', true, false],
      ['Fleet', true, false],
    ]);
  });

  it('over the socket does the same', () => {
    const hash = documents.hashOf(generated.WorkloadLiveDocument);
    expect(documents.spoken(generated.WorkloadLiveDocument)).toEqual({
      query: '',
      extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
    });
    expect(documents.isUnknownDocument([{ extensions: { code: 'FORBIDDEN' } }])).toBe(false);
    expect(documents.isUnknownDocument([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }])).toBe(true);
    expect(documents.spoken(generated.WorkloadLiveDocument)).toEqual({
      query: stringifyDocument(generated.WorkloadLiveDocument),
    });
  });
});
