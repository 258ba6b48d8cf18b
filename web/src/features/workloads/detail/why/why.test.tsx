// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Client } from 'urql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromValue } from 'wonka';
import type { FindingFieldsFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { startLanguage } from '../../../../i18n';
import { ToastProvider } from '../../../../ui/action/toast';
import { ROUTE } from '../route';
import '../texts';
import { Why } from './Why';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

const WORKLOAD = {
  id: 'w',
  uid: 'u',
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  replicas: 3,
  propagation: { policy: null, binding: null, targets: [] },
} as unknown as WorkloadDetailFragment;

const NO_POLICY: FindingFieldsFragment = {
  code: 'NO_POLICY',
  severity: 'ERROR',
  message: 'no policy selects it',
  remedy: 'make a PropagationPolicy',
  clusterName: null,
  evidence: [
    { object: 'Deployment shop/cart', field: 'metadata.annotations', value: 'no claim of a policy' },
  ],
};

interface Request {
  query: DocumentNode;
  variables: Record<string, unknown>;
}

const nameOf = ({ query }: Request) => (query.definitions[0] as OperationDefinitionNode).name?.value;

/** The findings on a page, for somebody who may or may not; what is sent is noted. */
function show(findings: FindingFieldsFragment[] | null, may = true) {
  const sent: [string | undefined, Record<string, unknown>][] = [];
  const cluster = (name: string) => ({
    id: `id-${name}`,
    uid: name,
    name,
    state: 'READY',
    region: null,
    labels: [],
    taints: [],
  });
  const answers: Record<string, unknown> = {
    Permission: { instance: { id: 'i', access: { may } } },
    MendClusters: { instance: { id: 'i', clusters: { nodes: [cluster('tokyo'), cluster('osaka')] } } },
    MendImpact: {
      previewPropagationPolicy: {
        rows: {
          nodes: [
            {
              object: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
              change: 'GAINED',
              reason: '',
              before: [],
              after: [{ clusterName: 'tokyo', replicas: 3 }],
              findings: [],
            },
          ],
          totalCount: 1,
        },
        findings: [],
        refusals: [],
      },
    },
  };
  const client = {
    executeQuery: (request: Request) => {
      sent.push([nameOf(request), request.variables]);
      return fromValue({ data: answers[nameOf(request) ?? ''], stale: false, hasNext: false });
    },
    executeMutation: (request: Request) => {
      sent.push([nameOf(request), request.variables]);
      return fromValue({ data: { createPolicy: { policy: { name: 'cart' }, userErrors: [] } } });
    },
  };
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: ROUTE,
    component: () => <Why diagnosis={findings} workload={WORKLOAD} kind="DEPLOYMENT" instance="asia" />,
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/workloads/asia/shop/deployment/cart'] }),
  });
  render(
    <Provider value={client as unknown as Client}>
      <ToastProvider>
        <RouterProvider router={router as never} />
      </ToastProvider>
    </Provider>,
  );
  return { sent: (name: string) => sent.filter(([of]) => of === name).map(([, variables]) => variables) };
}

it('makes a policy for what nobody claims, after showing where it would go', async () => {
  const { sent } = show([NO_POLICY]);
  expect(await screen.findByRole('heading', { name: /No policy selects it/ })).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: /Create a policy/ }));
  const tokyo = await screen.findByLabelText('tokyo');
  expect(sent('MendImpact')).toEqual([]);
  fireEvent.click(tokyo);
  expect(await screen.findByText('tokyo 3')).toBeTruthy();
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Create' });
  await waitFor(() => expect(submit.disabled).toBe(false));
  fireEvent.click(submit);
  const policy = {
    name: 'cart',
    namespace: 'shop',
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' }],
    propagateDeps: true,
    placement: {
      clusterAffinity: { clusterNames: ['tokyo'] },
      replicaScheduling: { type: 'DUPLICATED' },
    },
  };
  await waitFor(() =>
    expect(sent('MendCreatePolicy')).toEqual([{ input: { instance: 'asia', propagationPolicy: policy } }]),
  );
  expect(sent('MendImpact')).toEqual([{ input: { instance: 'asia', policy } }]);
});

it('offers nobody what they may not do, and says so', async () => {
  show([NO_POLICY], false);
  expect(await screen.findByText(/not allowed by your roles/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Create a policy/ })).toBeNull();
});

it('says that nothing is wrong, and that nothing is known', async () => {
  show([]);
  expect(await screen.findByText(/Nothing stands in its way/)).toBeTruthy();
  cleanup();
  show(null);
  expect(await screen.findByText(/could not be diagnosed/)).toBeTruthy();
});
