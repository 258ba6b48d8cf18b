import type { CodegenConfig } from '@graphql-codegen/cli';
import { formatDocument, stringifyDocument } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

// The contract is ../schema; what the UI asks of it is in src/**/*.graphql. Both give src/graph/generated, which
// is committed, so that a build needs no generator and a changed contract shows up in review.
//
// src/graph/generated/documents.json is the documents as the client sends them, by the hashes that it sends instead.
// The preset's own list would lack the __typename that the client's cache puts in.
const documents = new Map<string, string>();

function register(document: DocumentNode): { hash: string } {
  // The client's functions write into what they are given.
  const text = stringifyDocument(formatDocument({ ...document }));
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  documents.set(hash, text);
  return { hash };
}

function writeDocuments(): void {
  const sorted = [...documents].sort(([, a], [, b]) => (a < b ? -1 : 1));
  writeFileSync(
    'src/graph/generated/documents.json',
    `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
  );
}

const config: CodegenConfig = {
  schema: '../schema/*.graphqls',
  documents: ['src/**/*.graphql', '!src/features/graphiql/**'],
  hooks: { afterAllFileWrite: writeDocuments },
  generates: {
    'src/graph/generated/contract.ts': { plugins: ['./codegen-facts.cjs'] },
    'src/graph/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, onExecutableDocumentNode: register },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        skipTypename: true,
        scalars: { Time: 'string' },
      },
    },
  },
};

export default config;
