import type { Exchange, Operation, OperationResult } from '@urql/core';
import { makeOperation, stringifyDocument } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { filter, makeSubject, map, merge, pipe } from 'wonka';

// The server knows the documents of this build by their hashes (dist/documents.json), and may run no
// others. A server of another build may not know one: then the document itself is sent, from then on.

/** The code of the error contract for a hash that the server does not know. */
const UNKNOWN = 'PERSISTED_QUERY_NOT_FOUND';

type Extensions = NonNullable<Operation['extensions']>;

let registered = true;

/** The hash that the code generator wrote into a document (codegen.ts): `sha256:` and hexadecimal. */
export function hashOf(document: DocumentNode): string | undefined {
  return (document as { __meta__?: { hash?: string } }).__meta__?.hash;
}

/** Whether a refusal says that the document itself has to be sent; it is, from then on. */
export function isUnknownDocument(
  errors: readonly { extensions?: Record<string, unknown> }[] | undefined,
): boolean {
  const unknown = errors?.some(({ extensions }) => extensions?.code === UNKNOWN) ?? false;
  if (unknown) registered = false;
  return unknown;
}

/** A document as a socket sends it. */
export function spoken(document: DocumentNode): { query: string; extensions?: Extensions } {
  const hash = registered ? hashOf(document) : undefined;
  return hash ? { query: '', extensions: named(hash) } : { query: stringifyDocument(document) };
}

/** Sends documents by their hashes, and once more by their texts where the server does not know them. */
export const byHash: Exchange = ({ forward }) => {
  const again = makeSubject<Operation>();
  return (operations) =>
    pipe(
      merge([pipe(operations, map(byName)), again.source]),
      forward,
      filter((result) => {
        if (!wasNamed(result) || !isUnknownDocument(result.error?.graphQLErrors)) return true;
        again.next(makeOperation(result.operation.kind, { ...result.operation, extensions: undefined }));
        return false;
      }),
    );
};

function byName(operation: Operation): Operation {
  const hash = registered && operation.kind !== 'teardown' ? hashOf(operation.query) : undefined;
  return hash ? makeOperation(operation.kind, { ...operation, extensions: named(hash) }) : operation;
}

function wasNamed({ operation }: OperationResult): boolean {
  return operation.extensions?.persistedQuery !== undefined;
}

function named(hash: string): Extensions {
  return { persistedQuery: { version: 1, sha256Hash: hash } };
}
