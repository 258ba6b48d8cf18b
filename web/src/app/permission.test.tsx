// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import type { Operation } from '@urql/core';
import { Client, makeOperation } from '@urql/core';
import type { OperationDefinitionNode } from 'graphql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { filter, map, pipe } from 'wonka';
import { startLanguage } from '../i18n';
import { GraphContext } from '../graph/session';
import type { Socket } from '../graph/socket';
import { FleetProvider } from './fleet';
import type { Permission } from './permission';
import { usePermission } from './permission';

beforeAll(startLanguage);
afterEach(cleanup);

interface Known {
  owner?: boolean;
  introspection?: boolean;
  /** Null for all of them, as the server says it. */
  audited?: string[] | null;
  may?: boolean;
}

/** What the server says of the viewer. */
function answersOf({ owner = false, introspection = false, audited = [], may = false }: Known) {
  return {
    Viewer: {
      viewer: { name: 'ada', groups: [], roles: [], owner, introspection },
      server: { version: '1' },
    },
    Fleet: {
      instances: { nodes: [{ name: 'asia', access: { auditedNamespaces: audited }, clusters: null }] },
    },
    Permission: { instance: { id: 'asia', access: { may } } },
  };
}

function client(answers: Partial<ReturnType<typeof answersOf>>): Client {
  const nameOf = ({ query }: Operation) =>
    (query.definitions[0] as OperationDefinitionNode).name?.value as keyof typeof answers;
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      () => (operations) =>
        pipe(
          operations,
          filter((operation) => operation.kind === 'query' && nameOf(operation) in answers),
          map((operation) => ({
            operation: makeOperation(operation.kind, operation),
            data: answers[nameOf(operation)],
            stale: false,
            hasNext: false,
          })),
        ),
    ],
  });
}

function Asks({ permission }: { permission: Permission | undefined }) {
  const { allowed, reason } = usePermission(permission);
  return <p role="note">{`${allowed} ${reason}`.trim()}</p>;
}

/** A socket on which nothing is told. */
const SILENT = { subscribe: () => () => undefined } as unknown as Socket;

function verdict(permission: Permission | undefined, answers: Partial<ReturnType<typeof answersOf>>) {
  const graph = client(answers);
  render(
    <GraphContext value={{ client: graph, socket: SILENT }}>
      <Provider value={graph}>
        <FleetProvider>
          <Asks permission={permission} />
        </FleetProvider>
      </Provider>
    </GraphContext>,
  );
  return screen.getByRole('note').textContent;
}

const SCALE: Permission = {
  instance: 'asia',
  verb: 'PATCH',
  group: 'apps',
  resource: 'deployments',
  namespace: 'shop',
};

it.each<[string, Permission | undefined, Known, string]>([
  ['nothing is allowed to all', undefined, {}, 'true'],
  ['an owner reads the audit log', 'readAudit', { owner: true }, 'true'],
  ['who may read some of it does, too', 'readAudit', { audited: ['shop'] }, 'true'],
  ['so does who may read all of an instance’s', 'readAudit', { audited: null }, 'true'],
  ['others do not', 'readAudit', {}, 'false Your roles show no part of the audit log.'],
  ['the schema is read by who may', 'readSchema', { introspection: true }, 'true'],
  [
    'and by no others',
    'readSchema',
    {},
    'false Your roles do not let you read the schema, which GraphiQL needs.',
  ],
  ['an object is changed by who may', SCALE, { may: true }, 'true'],
  [
    'and who may not is told what it takes',
    SCALE,
    {},
    'false It takes the right to change deployments in shop.',
  ],
])('%s', (_, permission, known, want) => {
  expect(verdict(permission, answersOf(known))).toBe(want);
});

it('is not known before the server has said it', () => {
  expect(verdict(SCALE, {})).toBe('null');
  cleanup();
  expect(verdict('readAudit', {})).toBe('null');
});
