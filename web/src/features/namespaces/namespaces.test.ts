import { expect, it } from 'vitest';
import type { NamespaceContentsQuery } from '../../graph/generated/graphql';
import type { Row } from './namespace';
import { compareRows, contentsOf, inputOf, isKeptBack, ownLabels } from './namespace';
import { filterOf, validateNamespacesSearch } from './search';

function row(instance: string, name: string, labels: Row['labels'] = []): Row {
  return {
    id: `${instance}/${name}`,
    uid: 'u',
    apiVersion: 'v1',
    kind: 'Namespace',
    name,
    resourceVersion: '1',
    createdAt: '2026-01-01T00:00:00Z',
    labels,
    instance: { id: instance, name: instance },
  };
}

it('takes from the address what it knows, and leaves the rest', () => {
  expect(
    validateNamespacesSearch({ instance: 'asia', name: ['sho', 'x'], size: '100', sort: 'age' }),
  ).toEqual({
    instance: 'asia',
    name: 'sho',
    after: undefined,
    size: 100,
  });
  expect(filterOf({ name: 'Sho' })).toEqual({ nameContains: 'sho' });
  expect(filterOf({ instance: 'asia' })).toBeNull();
});

it('is kept back by its label alone', () => {
  const key = 'namespace.karmada.io/skip-auto-propagation';
  expect(isKeptBack(row('asia', 'a', [{ key, value: 'true' }]))).toBe(true);
  expect(isKeptBack(row('asia', 'a', [{ key, value: 'false' }]))).toBe(false);
  expect(isKeptBack(row('asia', 'karmada-system'))).toBe(false);
  expect(isKeptBack({ labels: null })).toBe(false);
});

it('shows the labels that people gave', () => {
  const labels = [
    { key: 'kubernetes.io/metadata.name', value: 'shop' },
    { key: 'team', value: 'storefront' },
  ];
  expect(ownLabels({ labels })).toEqual([{ key: 'team', value: 'storefront' }]);
});

it('is ordered by instance and name', () => {
  const rows = [row('europe', 'a'), row('asia', 'shop'), row('asia', 'payments')];
  expect(rows.sort(compareRows).map(({ id }) => id)).toEqual(['asia/payments', 'asia/shop', 'europe/a']);
});

it('knows what is in those that are still there', () => {
  const nodes = [
    { __typename: 'Namespace', id: 'a', phase: 'ACTIVE', counts: { workloads: 2, policies: 1 } },
    null,
    { __typename: 'Namespace', id: 'b', phase: 'TERMINATING', counts: null },
    { __typename: 'Cluster', id: 'c' },
  ] as unknown as NamespaceContentsQuery['nodes'];
  const known = contentsOf(nodes);
  expect([...known.keys()]).toEqual(['a', 'b']);
  expect(known.get('a')?.counts?.workloads).toBe(2);
  expect(contentsOf(undefined).size).toBe(0);
});

it('sends what was typed, as it was typed', () => {
  expect(
    inputOf({ instance: 'asia', name: 'e2e', labels: [{ key: 'team', value: '' }, {}], propagate: false }),
  ).toEqual({
    instance: 'asia',
    name: 'e2e',
    labels: [
      { key: 'team', value: '' },
      { key: '', value: '' },
    ],
    propagate: false,
  });
});
