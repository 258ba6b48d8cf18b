// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '../../../i18n';
import { FormSections } from './FormSections';
import { freshDraft } from './drafts';
import { namedIn, parse, valuesOf } from './manifest';
import { Overrides } from './Overrides';
import type { ManifestForm } from './useManifestForm';
import { useManifestForm } from './useManifestForm';
import { useRefusals } from './useRefusals';
import './texts';

beforeAll(async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener: vi.fn(),
    removeListener: vi.fn(),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  await startLanguage();
});
afterEach(cleanup);

let view: ManifestForm;
let refusals: ReturnType<typeof useRefusals>;

function Page() {
  const shown = useManifestForm(freshDraft('DEPLOYMENT', 'shop'), () => undefined);
  const told = useRefusals(shown.form);
  useLayoutEffect(() => {
    view = shown;
    refusals = told;
  });
  return (
    <FormSections
      view={shown}
      exists={false}
      namespaces={null}
      changed={() => {
        told.takeBack();
        shown.changed();
      }}
    >
      <Overrides instance="asia" hasReplicas />
    </FormSections>
  );
}

beforeEach(() => {
  render(<Page />);
});

const field = (label: string | RegExp) =>
  screen.getAllByLabelText<HTMLInputElement>(label)[0] as HTMLInputElement;
const type = (label: string | RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
const press = async (name: string) =>
  fireEvent.click(await screen.findByText(name, { selector: 'button, button *' }));

it('writes what is typed into the manifest', async () => {
  type('Name', 'cart');
  type('Image', 'cart:1');
  type('Replicas', '3');
  await press('Add port');
  type('Ports 1: Port', '8080');
  await press('Add variable');
  type('Environment variables 1: Name', 'MODE');
  type('Environment variables 1: Value', '1');
  const parsed = parse(view.draft.text);
  if (!parsed.ok) throw new Error(parsed.detail);
  expect(namedIn(parsed.object)).toEqual({ name: 'cart', namespace: 'shop' });
  expect(valuesOf('DEPLOYMENT', parsed.object)).toMatchObject({
    replicas: '3',
    containers: [
      {
        name: 'app',
        image: 'cart:1',
        ports: [{ containerPort: '8080' }],
        env: [{ name: 'MODE', value: '1' }],
      },
    ],
  });
  expect(view.draft.text).toContain('containerPort: 8080');
});

it('shows what is written into the manifest', async () => {
  act(() =>
    view.type(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 7
  template: {spec: {containers: [{name: a, image: "a:1"}, {name: b, image: "b:2"}]}}
`),
  );
  expect(field('Name').value).toBe('web');
  expect(field('Replicas').value).toBe('7');
  await waitFor(() =>
    expect(screen.getAllByLabelText<HTMLInputElement>('Image').map(({ value }) => value)).toEqual([
      'a:1',
      'b:2',
    ]),
  );
  await press('Remove a');
  expect(view.draft.text).not.toContain('a:1');
  expect(view.draft.text).toContain('replicas: 7');
});

it('waits while the text is no manifest, and keeps both', () => {
  type('Name', 'cart');
  act(() => view.type('kind: ['));
  expect(view.parsed.ok).toBe(false);
  expect(field('Name').value).toBe('cart');
  expect(field('Name').disabled).toBe(true);
});

it('shows a refusal at the field that it names, until that is another', async () => {
  act(() =>
    refusals.tell([
      { message: 'no such image', field: ['input', 'form', 'containers', '0', 'image'] },
      { message: 'too large', field: ['input', 'form', 'containers', '0', 'ports', '0', 'containerPort'] },
      { message: 'no quota', field: null },
    ]),
  );
  expect(await screen.findByText('no such image')).toBeTruthy();
  expect(await screen.findByText('0.containerPort: too large')).toBeTruthy();
  expect(refusals.left).toEqual([{ message: 'no quota', field: null }]);
  type('Image', 'cart:2');
  await waitFor(() => expect(screen.queryByText('no such image')).toBeNull());
  expect(refusals.left).toEqual([]);
});

it('has what is different in some clusters', async () => {
  await press('Add override');
  type(/^Replicas/, '2');
  await press('Change a container');
  expect(view.draft.overrides).toMatchObject([{ clusters: [], containers: [{ name: 'app' }] }]);
});

it('has a condition on nodes, and keeps the others of its term', async () => {
  act(() =>
    view.type(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions: [{key: a, operator: Exists}, {key: b, operator: Exists}]
`),
  );
  const label = 'Node affinity, required: any one of these 1: Key';
  await waitFor(() => expect(field(label).value).toBe('a'));
  type(label, 'zone');
  expect(view.draft.text).toContain('key: zone');
  expect(view.draft.text).toContain('key: b');
});
