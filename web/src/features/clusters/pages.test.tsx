// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { Operation } from '@urql/core';
import { CombinedError, Client, makeOperation } from '@urql/core';
import axe from 'axe-core';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { ComponentType } from 'react';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { filter, map, pipe } from 'wonka';
import { FleetProvider } from '../../app/fleet';
import { parseSearch, stringifySearch } from '../../app/search';
import type {
  ClusterDetailFragment,
  InstanceDetailFragment,
  OperationFieldsFragment,
} from '../../graph/generated/graphql';
import { GraphContext } from '../../graph/session';
import type { Sink, Socket } from '../../graph/socket';
import { changeLanguage, startLanguage } from '../../i18n';
import { ToastProvider } from '../../ui/action/toast';
import { InstancePage } from './control/InstancePage';
import { validateInstanceSearch } from './control/search';
import { CreatePage } from './create/CreatePage';
import { validateCreateSearch } from './create/search';
import { JoinPage } from './join/JoinPage';
import { validateJoinSearch } from './join/search';
import { ClusterPage } from './member/ClusterPage';
import { validateClusterSearch } from './member/search';

// A machine that is busy with a fleet is slow, and not wrong.
configure({ asyncUtilTimeout: 20_000 });
beforeAll(startLanguage);
afterEach(cleanup);

const SINCE = '2026-03-01T12:00:00Z';
const amounts = { cpu: { cores: 8, quantity: '8' }, memory: { bytes: 1024, quantity: '1Ki' }, pods: 110 };

const CLUSTER: ClusterDetailFragment = {
  id: 'c',
  uid: 'u',
  name: 'tokyo',
  region: 'jp',
  zones: ['a'],
  provider: null,
  syncMode: 'PULL',
  state: 'READY',
  stateMessage: '',
  schedulable: true,
  kubernetesVersion: 'v1.36.0',
  createdAt: SINCE,
  apiEndpoint: null,
  labels: [{ key: 'tier', value: 'gold' }],
  taints: [],
  conditions: [{ type: 'Ready', status: 'TRUE', reason: 'ClusterReady', message: '', since: SINCE }],
  nodes: { total: 2, ready: 2 },
  resources: { allocatable: amounts, allocated: amounts, allocating: { ...amounts, pods: 0 } },
  freshness: null,
};

const INSTANCE: InstanceDetailFragment = {
  id: 'i',
  uid: 'u',
  name: 'asia',
  displayName: null,
  description: null,
  source: 'MANAGED',
  deletionPolicy: 'CASCADE',
  state: 'RUNNING',
  stateMessage: '',
  resourceVersion: '7',
  createdAt: SINCE,
  karmadaVersion: 'v1.18.2',
  kubernetesVersion: 'v1.36.0',
  conditions: [],
  components: [],
  steps: [],
  statistics: null,
  console: { available: false, reason: 'none' },
  freshness: null,
  labels: [],
  settings: { failover: null, descheduler: null, metricsAdapter: null, revisionHistoryLimit: null },
};

const OPERATION: OperationFieldsFragment = {
  id: 'o',
  uid: 'u',
  kind: 'UNJOIN_CLUSTER',
  state: 'RUNNING',
  message: '',
  instanceName: 'asia',
  clusterName: 'tokyo',
  actor: 'ada',
  createdAt: SINCE,
  finishedAt: null,
  object: null,
  cancellable: true,
  cancelRequested: false,
  steps: [{ name: 'Drain', state: 'RUNNING', message: 'shop/cart', startedAt: SINCE, endedAt: null }],
};

type Answer = Record<string, unknown> | CombinedError;
type Answers = Record<string, Answer | ((variables: Record<string, unknown>) => Answer)>;

const OWNER: Answers = {
  Viewer: {
    viewer: { name: 'ada', groups: [], roles: [], owner: true, introspection: true },
    server: { version: '1' },
  },
  Fleet: {
    instances: { nodes: [{ ...INSTANCE, access: { auditedNamespaces: null }, clusters: { nodes: [] } }] },
  },
  Permission: { instance: { id: 'i', access: { may: true } } },
  Cluster: { instance: { id: 'i', name: 'asia', access: { may: true }, cluster: CLUSTER } },
  ClusterPlaced: {
    instance: {
      id: 'i',
      cluster: { id: 'c', bindings: { totalCount: 3 }, evictions: { nodes: [], totalCount: 0 } },
    },
  },
  Instance: { instance: { ...INSTANCE, clusters: { nodes: [CLUSTER], totalCount: 1 } } },
};

const nameOf = (document: DocumentNode) =>
  (document.definitions[0] as OperationDefinitionNode).name?.value ?? '';

/** What was asked for, and what the socket was told to follow. */
interface World {
  asked: { name: string; variables: Record<string, unknown> }[];
  followed: Map<string, Sink<unknown>>;
}

function client(answers: Answers, asked: World['asked']): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      () => (operations) =>
        pipe(
          operations,
          filter(({ kind, query }: Operation) => kind !== 'teardown' && nameOf(query) in answers),
          map((operation: Operation) => {
            const name = nameOf(operation.query);
            const variables = operation.variables as Record<string, unknown>;
            asked.push({ name, variables });
            const known = answers[name];
            const answer = typeof known === 'function' ? known(variables) : known;
            const failed = answer instanceof CombinedError;
            return {
              operation: makeOperation(operation.kind, operation),
              data: failed ? undefined : answer,
              error: failed ? answer : undefined,
              stale: false,
              hasNext: false,
            };
          }),
        ),
    ],
  });
}

function show(href: string, change: Answers = {}): World {
  const world: World = { asked: [], followed: new Map() };
  const socket = {
    subscribe: (document: DocumentNode, _: unknown, sink: Sink<unknown>) => {
      world.followed.set(nameOf(document), sink);
      return () => undefined;
    },
    onState: () => () => undefined,
    state: 'live',
  } as unknown as Socket;
  const graph = client({ ...OWNER, ...change }, world.asked);
  const root = createRootRoute({
    component: () => (
      <GraphContext value={{ client: graph, socket }}>
        <Provider value={graph}>
          <FleetProvider>
            <ToastProvider>
              <Outlet />
            </ToastProvider>
          </FleetProvider>
        </Provider>
      </GraphContext>
    ),
  });
  const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in' });
  const page = (
    path: string,
    component: ComponentType,
    validateSearch: (raw: Record<string, unknown>) => object,
  ) =>
    createRoute({
      getParentRoute: () => signedIn,
      path,
      component: component as never,
      validateSearch,
      staticData: { page: { title: () => 'Page' } },
    });
  const routeTree = root.addChildren([
    signedIn.addChildren([
      page(
        '/clusters',
        () => <p>All of them</p>,
        (raw) => raw,
      ),
      page('/clusters/$instance', InstancePage, validateInstanceSearch),
      page('/clusters/$instance/$cluster', ClusterPage, validateClusterSearch),
      page('/join-cluster', JoinPage, validateJoinSearch),
      page('/new-instance', CreatePage, validateCreateSearch),
    ]),
  ]);
  const history = createMemoryHistory({ initialEntries: [href] });
  const router = createRouter({ routeTree, history, parseSearch, stringifySearch });
  render(<RouterProvider router={router as never} />);
  return world;
}

/** A change comes by the socket, and the page is told of it a moment later. */
const tell = (world: World, name: string, data: unknown) => world.followed.get(name)?.next(data);

const enabled = (button: HTMLButtonElement) => waitFor(() => expect(button.disabled).toBe(false));

async function faults(): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
    },
  });
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 160) ?? ''}`);
}

const NOT_FOUND = new CombinedError({
  graphQLErrors: [{ message: 'no such instance', extensions: { code: 'NOT_FOUND' } }],
});

it('shows a cluster, and marks the tab that is shown', async () => {
  show('/clusters/asia/tokyo');
  expect(await screen.findByRole('heading', { level: 1, name: 'tokyo' })).toBeTruthy();
  expect(await screen.findByText('3 objects placed by Karmada')).toBeTruthy();
  const tabs = within(screen.getByRole('navigation', { name: 'tokyo' })).getAllByRole('link');
  expect(tabs.filter((tab) => tab.getAttribute('aria-current')).map((tab) => tab.textContent)).toEqual([
    'Overview',
  ]);
  expect(screen.getByRole('button', { name: 'Pause scheduling' })).toBeTruthy();
  expect(await faults()).toEqual([]);
});

it('marks a tab whatever else the address says', async () => {
  show('/clusters/asia/tokyo?tab=apis&name=deploy&operation=o');
  expect(await screen.findByRole('heading', { level: 1, name: 'tokyo' })).toBeTruthy();
  const tabs = within(screen.getByRole('navigation', { name: 'tokyo' })).getAllByRole('link');
  expect(tabs.filter((tab) => tab.getAttribute('aria-current')).map((tab) => tab.textContent)).toEqual([
    'APIs',
  ]);
});

it('says at once what is told of a cluster', async () => {
  const world = show('/clusters/asia/tokyo');
  await screen.findByRole('heading', { level: 1, name: 'tokyo' });
  await waitFor(() => expect(world.followed.has('ClusterLive')).toBe(true));
  const node = { ...CLUSTER, state: 'OFFLINE', stateMessage: 'cluster is not reachable' };
  tell(world, 'ClusterLive', { clusters: { type: 'MODIFIED', id: 'c', node } });
  expect(await screen.findByText('Offline')).toBeTruthy();
  expect(await screen.findByText('cluster is not reachable')).toBeTruthy();
});

it('offers nothing to who may not', async () => {
  show('/clusters/asia/tokyo', {
    Viewer: {
      viewer: { name: 'vic', groups: [], roles: [], owner: false, introspection: false },
      server: { version: '1' },
    },
    Permission: { instance: { id: 'i', access: { may: false } } },
  });
  expect(await screen.findByText('Read only')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Unjoin' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Edit labels' })).toBeNull();
});

it('unjoins a cluster after it said what that is about, by the name typed, and follows it', async () => {
  const placed = { total: 1, others: 0, more: false, kinds: [{ kind: 'deployment', count: 1 }], objects: [] };
  const world = show('/clusters/asia/tokyo', {
    UnjoinCluster: ({ input }) => ({
      unjoinCluster: {
        operation: (input as { dryRun?: boolean }).dryRun ? null : { id: 'o' },
        placed,
        userErrors: [],
      },
    }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Unjoin' }));
  const dialog = await screen.findByRole('dialog', { hidden: true });
  expect(await within(dialog).findByText('Karmada placed 1 object here')).toBeTruthy();
  const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Unjoin', hidden: true });
  expect(submit.disabled).toBe(true);
  fireEvent.change(within(dialog).getByLabelText('Type tokyo to confirm'), { target: { value: 'tokyo' } });
  await enabled(submit);
  fireEvent.click(submit);
  await waitFor(() => expect(world.followed.has('OperationLive')).toBe(true));
  const sent = world.asked
    .filter(({ name }) => name === 'UnjoinCluster')
    .map(({ variables }) => variables.input);
  expect(sent.at(-1)).toEqual({ id: 'c', uid: 'u', force: undefined });
  tell(world, 'OperationLive', { operation: OPERATION });
  expect(await screen.findByText('Move what runs there')).toBeTruthy();
  tell(world, 'ClusterLive', { clusters: { type: 'DELETED', id: 'c', node: CLUSTER } });
  expect(await screen.findByText('Cluster “tokyo” is not joined any more')).toBeTruthy();
  expect(screen.getByText('Move what runs there')).toBeTruthy();
});

it('shows what the server says against taints as a whole', async () => {
  const refusal = { code: 'BAD_USER_INPUT', message: 'names gpu twice', field: ['input', 'taints'] };
  show('/clusters/asia/tokyo', {
    UpdateCluster: { updateCluster: { cluster: null, userErrors: [refusal] } },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit taints' }));
  const dialog = await screen.findByRole('dialog', { hidden: true });
  fireEvent.click(within(dialog).getByText('Add taint'));
  fireEvent.change(await within(dialog).findByLabelText('Taints: key 1'), { target: { value: 'gpu' } });
  const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save', hidden: true });
  await enabled(save);
  fireEvent.click(save);
  expect(await within(dialog).findByText('names gpu twice')).toBeTruthy();
});

it('does not unjoin a cluster that is away until somebody wants it all the same', async () => {
  show('/clusters/asia/tokyo', {
    UnjoinCluster: ({ input }) => ({
      unjoinCluster: {
        operation: null,
        placed: { total: 0, others: 0, more: false, kinds: [], objects: [] },
        userErrors: (input as { force?: boolean }).force
          ? []
          : [{ code: 'BAD_USER_INPUT', message: 'is false', field: ['input', 'force'] }],
      },
    }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Unjoin' }));
  const dialog = await screen.findByRole('dialog', { hidden: true });
  const force = await within(dialog).findByLabelText('Remove it all the same');
  fireEvent.change(within(dialog).getByLabelText('Type tokyo to confirm'), { target: { value: 'tokyo' } });
  const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Unjoin', hidden: true });
  expect(submit.disabled).toBe(true);
  fireEvent.click(force);
  await enabled(submit);
});

it('says that a cluster, or its instance, is not there', async () => {
  show('/clusters/asia/nowhere', {
    Cluster: { instance: { id: 'i', name: 'asia', access: { may: true }, cluster: null } },
  });
  expect(await screen.findByText('Cluster “nowhere” not found')).toBeTruthy();
  cleanup();
  show('/clusters/atlantis', { Instance: NOT_FOUND });
  expect(await screen.findByText('Instance “atlantis” not found')).toBeTruthy();
});

it('shows an instance and its settings', async () => {
  const world = show('/clusters/asia?tab=settings', {
    UpdateInstanceSettings: {
      updateInstanceSettings: { instance: { ...INSTANCE, resourceVersion: '8' }, userErrors: [] },
    },
  });
  const revisions = await screen.findByLabelText('Revisions kept of each workload');
  fireEvent.change(revisions, { target: { value: '5.5' } });
  expect(await screen.findByText('“5.5” is not a whole number from 0 to 100.')).toBeTruthy();
  fireEvent.change(revisions, { target: { value: '5' } });
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await enabled(save);
  fireEvent.click(save);
  await screen.findByText('The settings of asia were saved.');
  expect(world.asked.find(({ name }) => name === 'UpdateInstanceSettings')?.variables.input).toEqual({
    id: 'i',
    uid: 'u',
    resourceVersion: '7',
    settings: { revisionHistoryLimit: 5 },
    remove: [],
  });
  expect(await faults()).toEqual([]);
});

it('holds a deletion back by what stands in the way', async () => {
  const message = '1 cluster is joined: unjoin it first';
  show('/clusters/asia', {
    DeleteInstance: {
      deleteInstance: {
        operation: null,
        userErrors: [{ code: 'CONFLICT', message, field: ['input', 'id'] }],
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { hidden: true });
  expect(await within(dialog).findByText(message)).toBeTruthy();
  fireEvent.change(within(dialog).getByLabelText('Type asia to confirm'), { target: { value: 'asia' } });
  const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete', hidden: true });
  expect(submit.disabled).toBe(true);
  fireEvent.click(within(dialog).getByLabelText('Delete it all the same'));
  await enabled(submit);
});

it('joins a cluster that registers itself by a command that is shown while it is waited for', async () => {
  const world = show('/join-cluster?instance=asia&mode=pull', {
    JoinCluster: { joinCluster: { operation: { id: 'o' }, command: 'karmadactl register', userErrors: [] } },
  });
  fireEvent.change(await screen.findByLabelText('Name of the cluster'), { target: { value: 'osaka' } });
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Get the command' });
  await enabled(submit);
  expect(await faults()).toEqual([]);
  fireEvent.click(submit);
  expect(await screen.findByText('karmadactl register')).toBeTruthy();
  tell(world, 'OperationLive', {
    operation: { ...OPERATION, kind: 'JOIN_CLUSTER', clusterName: 'osaka', state: 'SUCCEEDED' },
  });
  expect(await screen.findByRole('link', { name: 'Go to osaka' })).toBeTruthy();
  expect(screen.queryByText('karmadactl register')).toBeNull();
});

it('tries the kubeconfig of what is to be attached, and shows a refusal at the field', async () => {
  const refusal = {
    code: 'BAD_USER_INPUT',
    message: 'the server is no Karmada',
    field: ['input', 'kubeconfig'],
  };
  const world = show('/new-instance?how=attach', {
    AttachInstance: { attachInstance: { operation: null, userErrors: [refusal] } },
  });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'europe' } });
  fireEvent.change(screen.getByLabelText('Kubeconfig of the control plane'), {
    target: { value: 'apiVersion: v1' },
  });
  const check = screen.getByRole<HTMLButtonElement>('button', { name: 'Check only' });
  await enabled(check);
  fireEvent.click(check);
  expect(await screen.findByText('the server is no Karmada')).toBeTruthy();
  const sent = world.asked.find(({ name }) => name === 'AttachInstance')?.variables.input;
  expect(sent).toMatchObject({ name: 'europe', kubeconfig: 'apiVersion: v1', dryRun: true });
  // It was said of what stood there then.
  fireEvent.change(screen.getByLabelText('Kubeconfig of the control plane'), { target: { value: 'a: b' } });
  await waitFor(() => expect(screen.queryByText('the server is no Karmada')).toBeNull());
});

it('offers the making of an instance in every language', async () => {
  await changeLanguage('zh');
  show('/new-instance');
  expect(await screen.findByLabelText('名称')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/make\.|control\.|settings\./);
  expect(await faults()).toEqual([]);
  await changeLanguage('en');
});
