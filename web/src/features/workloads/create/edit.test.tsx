// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Operation } from '@urql/core';
import { Client, makeOperation } from '@urql/core';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { filter, map, pipe } from 'wonka';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { GraphContext } from '../../../graph/session';
import type { Socket } from '../../../graph/socket';
import { startLanguage } from '../../../i18n';
import { ToastProvider } from '../../../ui/action/toast';
import '../detail/texts';
import EditTab from './EditTab';

configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });
beforeAll(startLanguage);
afterEach(cleanup);

const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  resourceVersion: "7"
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: web:1
`;

const WORKLOAD = {
  id: 'w',
  uid: 'u',
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  instance: { id: 'i', name: 'asia' },
} as WorkloadDetailFragment;

const nameOf = (document: DocumentNode) =>
  (document.definitions[0] as OperationDefinitionNode).name?.value ?? '';

function show(may: boolean, userErrors: object[] = []) {
  const sent: unknown[] = [];
  const answers: Record<string, unknown> = {
    Viewer: { viewer: { name: 'ada', groups: [], roles: [], owner: true, introspection: true } },
    Permission: { instance: { id: 'i', access: { may } } },
    WorkloadManifest: { node: { id: 'w', manifest: MANIFEST } },
    UpdateWorkload: { updateWorkload: { workload: null, conflict: null, userErrors } },
  };
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      () => (operations) =>
        pipe(
          operations,
          filter(({ kind, query }: Operation) => kind !== 'teardown' && nameOf(query) in answers),
          map((operation: Operation) => {
            const name = nameOf(operation.query);
            if (operation.kind === 'mutation') sent.push((operation.variables as { input: unknown }).input);
            return {
              operation: makeOperation(operation.kind, operation),
              data: answers[name],
              error: undefined,
              stale: false,
              hasNext: false,
            };
          }),
        ),
    ],
  });
  const socket = {
    subscribe: () => () => undefined,
    onState: () => () => undefined,
    state: 'live',
  } as unknown as Socket;
  render(
    <GraphContext value={{ client, socket }}>
      <Provider value={client}>
        <ToastProvider>
          <EditTab workload={WORKLOAD} kind="DEPLOYMENT" />
        </ToastProvider>
      </Provider>
    </GraphContext>,
  );
  return sent;
}

const review = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Review' });

it('tries an edit, shows what differs, and sends the form of the version that was read', async () => {
  const sent = show(true);
  expect((await review()).disabled).toBe(true);
  fireEvent.change(await screen.findByLabelText('Replicas'), { target: { value: '' } });
  await waitFor(async () => expect((await review()).disabled).toBe(false));
  fireEvent.click(await review());
  expect(await screen.findByText('Save')).toBeTruthy();
  expect(sent[0]).toMatchObject({
    id: 'w',
    uid: 'u',
    resourceVersion: '7',
    dryRun: true,
    form: { replicas: null, containers: [{ name: 'web', image: 'web:1' }] },
  });
});

it('shows what is refused at its field', async () => {
  show(true, [{ code: 'BAD_USER_INPUT', message: 'too many', field: ['input', 'form', 'replicas'] }]);
  fireEvent.change(await screen.findByLabelText('Replicas'), { target: { value: '9' } });
  await waitFor(async () => expect((await review()).disabled).toBe(false));
  fireEvent.click(await review());
  expect(await screen.findByText('too many')).toBeTruthy();
  expect(screen.queryByText('Save')).toBeNull();
});

it('says why to who may not', async () => {
  show(false);
  expect(await screen.findByText(/Your roles let you read it, not edit it/)).toBeTruthy();
});
