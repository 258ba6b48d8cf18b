// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Operation } from '@urql/core';
import { Client, makeOperation } from '@urql/core';
import axe from 'axe-core';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { filter, map, pipe } from 'wonka';
import { many, one, parseSearch, stringifySearch } from '../../../app/search';
import { startLanguage } from '../../../i18n';
import { ToastProvider } from '../../../ui/action/toast';
import { CreatePage } from './CreatePage';
import { drafts } from './drafts';

// A machine that is busy with a fleet is slow, and not wrong.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });
beforeAll(startLanguage);
afterEach(() => {
  cleanup();
  drafts.clear();
});

type Variables = Record<string, unknown>;
type Answers = Record<string, (variables: Variables) => unknown>;

const access = (namespaces: string[] | null) => ({
  deployments: namespaces,
  statefulSets: namespaces,
  daemonSets: namespaces,
  jobs: namespaces,
  cronJobs: namespaces,
});
const making = (namespaces: string[] | null) => () => ({
  instances: { nodes: [{ id: 'i', name: 'asia', access: access(namespaces) }] },
});
const made = (userErrors: object[] = []) => ({
  createWorkload: { workload: null, objects: [], userErrors },
});

const ANSWERS: Answers = {
  WorkloadMaking: making(null),
  CreateWorkload: () => made(),
  PreviewWorkload: () => ({
    previewManifests: {
      documents: [
        {
          index: 0,
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'cart',
          change: 'CREATED',
          error: null,
          claimedBy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'cart-deployment' },
          after: [{ clusterName: 'tokyo', replicas: 1 }],
          findings: [],
        },
      ],
      findings: [],
    },
  }),
};

const nameOf = (document: DocumentNode) =>
  (document.definitions[0] as OperationDefinitionNode).name?.value ?? '';

function show(change: Answers = {}) {
  const answers = { ...ANSWERS, ...change };
  const asked: { name: string; input: Variables }[] = [];
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
            const variables = operation.variables as Variables;
            asked.push({ name, input: (variables.input ?? {}) as Variables });
            return {
              operation: makeOperation(operation.kind, operation),
              data: answers[name]?.(variables),
              error: undefined,
              stale: false,
              hasNext: false,
            };
          }),
        ),
    ],
  });
  const root = createRootRoute({
    component: () => (
      <Provider value={client}>
        <ToastProvider>
          <Outlet />
        </ToastProvider>
      </Provider>
    ),
  });
  const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in' });
  const page = createRoute({
    getParentRoute: () => signedIn,
    path: '/workloads/new',
    component: CreatePage,
    validateSearch: (raw: Record<string, unknown>) => ({
      instance: one(raw.instance),
      namespace: many(raw.namespace),
      kind: many(raw.kind),
    }),
    staticData: { page: { title: () => 'Create workload' } },
  });
  const workload = createRoute({
    getParentRoute: () => signedIn,
    path: '/workloads/$instance/$namespace/$kind/$name',
    component: () => <p>It is made</p>,
  });
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren([page, workload])]),
    history: createMemoryHistory({ initialEntries: ['/workloads/new?instance=asia&namespace=shop'] }),
    parseSearch,
    stringifySearch,
  });
  render(<RouterProvider router={router as never} />);
  return asked;
}

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const type = async (label: string, value: string) => {
  const [input] = await screen.findAllByLabelText(label);
  if (input) fireEvent.change(input, { target: { value } });
};

async function fillIn() {
  await type('Name', 'cart');
  await type('Image', 'cart:1');
  fireEvent.click(await screen.findByLabelText('By the policies that there are'));
}

it('makes what was tried and seen, and nothing else', async () => {
  const asked = show();
  await fillIn();
  const create = await button('Create workload');
  expect(create.disabled).toBe(true);
  const preview = await button('Preview');
  await waitFor(() => expect(preview.disabled).toBe(false));
  fireEvent.click(preview);
  expect(await screen.findByText('1 replica')).toBeTruthy();
  await waitFor(() => expect(create.disabled).toBe(false));

  // Another image was not tried.
  await type('Image', 'cart:2');
  await waitFor(() => expect(create.disabled).toBe(true));
  fireEvent.blur((await screen.findAllByLabelText('Image'))[0] as HTMLElement);
  await waitFor(() => expect(create.disabled).toBe(false));
  expect(drafts.has('asia')).toBe(true);
  fireEvent.click(create);
  expect(await screen.findByText('It is made')).toBeTruthy();
  expect(drafts.has('asia')).toBe(false);
  const sent = asked.filter(({ name }) => name === 'CreateWorkload').map(({ input }) => input);
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, true, undefined]);
  expect(sent.at(-1)).toMatchObject({
    instance: 'asia',
    kind: 'DEPLOYMENT',
    namespace: 'shop',
    name: 'cart',
    form: { replicas: 1, containers: [{ name: 'app', image: 'cart:2' }] },
    placement: null,
  });
});

it('shows a refusal at its field, and makes nothing', async () => {
  show({
    CreateWorkload: () =>
      made([
        {
          code: 'BAD_USER_INPUT',
          message: 'no such registry',
          field: ['input', 'form', 'containers', '0', 'image'],
        },
        { code: 'FORBIDDEN', message: 'exceeded quota', field: null },
      ]),
  });
  await fillIn();
  const preview = await button('Preview');
  await waitFor(() => expect(preview.disabled).toBe(false));
  fireEvent.click(preview);
  expect(await screen.findByText('no such registry')).toBeTruthy();
  expect(await screen.findByText('exceeded quota')).toBeTruthy();
  expect((await button('Create workload')).disabled).toBe(true);
});

it('keeps what was entered, and throws it away only when said twice', async () => {
  show();
  await type('Name', 'cart');
  expect(drafts.get('asia')?.text).toContain('name: cart');
  fireEvent.click(await button('Discard'));
  const dialog = await screen.findByRole('dialog', { hidden: true });
  expect(drafts.has('asia')).toBe(true);
  const again = [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Discard');
  if (again) fireEvent.click(again);
  await waitFor(() => expect(drafts.has('asia')).toBe(false));
  const [name] = await screen.findAllByLabelText<HTMLInputElement>('Name');
  await waitFor(() => expect(name?.value).toBe(''));
});

it('has no fault that axe finds', async () => {
  show();
  await button('Add override').then((add) => fireEvent.click(add));
  await button('Add variable').then((add) => fireEvent.click(add));
  await screen.findByLabelText('Environment variables 1: Name');
  const { violations } = await axe.run(document.body, {
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
    },
  });
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 200) ?? ''}`)).toEqual([]);
});

it('says to who may make none whom to ask', async () => {
  show({ WorkloadMaking: making([]) });
  expect(await screen.findByText('You may not create workloads')).toBeTruthy();
});
