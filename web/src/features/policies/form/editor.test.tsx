// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { Operation } from '@urql/core';
import { Client, makeOperation } from '@urql/core';
import axe from 'axe-core';
import { useState } from 'react';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { filter, map, pipe } from 'wonka';
import { parse } from 'yaml';
import { changeLanguage, startLanguage } from '../../../i18n';
import { templateOf } from '../edit/making';
import type { Told } from './PolicyEditor';
import { PolicyEditor } from './PolicyEditor';
import { usePolicyText } from './usePolicyText';

beforeAll(startLanguage);
afterEach(cleanup);

const kind = (kind: string, apiVersion: string, group: string) => ({
  __typename: 'APIResource',
  group,
  version: 'v1',
  apiVersion,
  kind,
  name: kind,
  scope: 'NAMESPACED',
  shortNames: [],
  verbs: ['list'],
  preferred: true,
  synced: true,
  custom: false,
});

const client = new Client({
  url: 'http://localhost/graphql',
  preferGetMethod: false,
  exchanges: [
    () => (operations) =>
      pipe(
        operations,
        filter((operation: Operation) => operation.kind === 'query'),
        map((operation) => ({
          operation: makeOperation(operation.kind, operation),
          data: {
            instance: {
              id: 'i',
              name: 'asia',
              apiResources: [kind('Deployment', 'apps/v1', 'apps'), kind('Service', 'v1', '')],
            },
          },
          stale: false,
          hasNext: false,
        })),
      ),
  ],
});

function Host({ text, told = null }: { text: string; told?: Told | null }) {
  const policy = usePolicyText(text);
  const [as, show] = useState<'yaml' | undefined>();
  return (
    <Provider value={client}>
      <main>
        <PolicyEditor
          policy={policy}
          instance="asia"
          label="New policy"
          named={false}
          told={told}
          as={as}
          show={show}
        />
        <pre data-testid="text">{policy.text}</pre>
        <output data-testid="incomplete">{String(policy.incomplete)}</output>
      </main>
    </Provider>
  );
}

const group = (name: string) => screen.getByRole('group', { name });
const said = () => parse(screen.getByTestId('text').textContent) as Record<string, Record<string, unknown>>;
const type = (label: string, value: string, inside: HTMLElement = document.body) =>
  fireEvent.change(within(inside).getByLabelText(label), { target: { value } });

it('makes a propagation policy, field by field, in step with its text', async () => {
  const { container } = render(<Host text={templateOf('PROPAGATION', 'PropagationPolicy', 'shop')} />);
  const form = screen.getByRole('form', { name: 'New policy' });
  type('Name', 'cart', screen.getByRole('group', { name: 'Resource selectors 1' }));
  fireEvent.change(within(form).getAllByLabelText('Name')[0] as HTMLElement, { target: { value: 'e2e' } });
  expect(said()).toMatchObject({
    metadata: { name: 'e2e', namespace: 'shop' },
    spec: { resourceSelectors: [{ kind: 'Deployment', name: 'cart' }] },
  });
  fireEvent.click(within(form).getByText('More of Rules'));
  type('Priority', 'high');
  expect(screen.getByText('“high” is no whole number.')).toBeTruthy();
  expect(said().spec).toMatchObject({ priority: 'high' });
  type('Priority', '7');
  expect(said().spec).toMatchObject({ priority: 7 });
  fireEvent.click(within(form).getByText('More of Placement'));
  fireEvent.click(screen.getByRole('button', { name: 'Add toleration' }));
  type('Key', 'gpu', screen.getByRole('group', { name: 'Tolerations 1' }));
  expect(said().spec).toMatchObject({
    placement: { clusterTolerations: [{ operator: 'Exists', key: 'gpu' }] },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Remove Tolerations 1' }));
  expect(said().spec?.placement).toEqual({ clusterAffinity: { clusterNames: [] } });
  expect(within(group('Cluster affinity')).getByRole('combobox', { name: 'Clusters' })).toBeTruthy();
  expect(within(group('Resource selectors 1')).getByRole('combobox', { name: 'Kind' })).toBeTruthy();
  const { violations } = await axe.run(container, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});

it('keeps what is typed and is no JSON yet beside the object', () => {
  render(<Host text={templateOf('OVERRIDE', 'OverridePolicy', 'shop')} />);
  fireEvent.click(
    within(screen.getByRole('group', { name: 'Plaintext' })).getByRole('button', { name: 'Add change' }),
  );
  const change = screen.getByRole('group', { name: 'Plaintext 1' });
  type('Path', '/spec/replicas', change);
  type('Value (JSON)', '{"a": ', change);
  expect(screen.getByTestId('incomplete').textContent).toBe('true');
  expect(within(change).getByText(/is not JSON yet/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'YAML' }).disabled).toBe(true);
  type('Value (JSON)', '{"a": 1}', change);
  expect(screen.getByTestId('incomplete').textContent).toBe('false');
  expect(within(change).getByLabelText<HTMLTextAreaElement>('Value (JSON)').value).toBe('{"a": 1}');
  expect(said().spec).toMatchObject({
    overrideRules: [
      { overriders: { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: { a: 1 } }] } },
    ],
  });
});

it('says at its field what the server says, until it is another', () => {
  const text = templateOf('CLUSTER_PROPAGATION', 'ClusterPropagationPolicy', '');
  const told = {
    text,
    refusals: [{ message: 'is invalid: spec.priority: Invalid value: too high' }, { message: 'away' }],
    failed: 'The policy was not created.',
  };
  render(<Host text={text} told={told} />);
  const priority = screen.getByLabelText('Priority');
  expect(priority.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('spec.priority: Invalid value: too high')).toBeTruthy();
  expect(screen.getByText('away')).toBeTruthy();
  fireEvent.change(priority, { target: { value: '1' } });
  expect(screen.queryByText('spec.priority: Invalid value: too high')).toBeNull();
});

it('says what it cannot show, in both languages', async () => {
  render(
    <Host text={'apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nspec: {newer: 1}\n'} />,
  );
  expect(screen.getByText('spec.newer')).toBeTruthy();
  cleanup();
  await changeLanguage('zh');
  render(<Host text="a: [" />);
  expect(screen.getByText('无法读取 YAML')).toBeTruthy();
  expect(screen.getByRole('button', { name: '转到 YAML' })).toBeTruthy();
  await changeLanguage('en');
});

it('folds away what is seldom, and what Karmada itself sets', () => {
  const spec = 'spec:\n  priority: 0\n  preemption: Never\n  schedulerName: default-scheduler\n';
  const text = `apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\n${spec}`;
  render(<Host text={text} />);
  expect(screen.queryByLabelText('Priority')).toBeNull();
  cleanup();
  render(<Host text={text.replace('0', '1')} />);
  expect(screen.getByLabelText('Priority')).toBeTruthy();
});
