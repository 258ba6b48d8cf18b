import { expect, it } from 'vitest';
import type { BulkRightsQuery } from '../../../../graph/generated/graphql';
import { row } from '../../fixtures';
import { fits, mayDo, rightsOf, sorted } from './verbs';

const KINDS = ['DEPLOYMENT', 'STATEFUL_SET', 'DAEMON_SET', 'JOB', 'CRON_JOB'] as const;

/** Patching is allowed in shop alone, deleting where it is said. */
function rights(deletable: string[] | null) {
  const access = Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`patch_${kind}`, ['shop']],
      [`delete_${kind}`, deletable],
    ]),
  );
  const data = { instances: { nodes: [{ id: 'asia', name: 'asia', access }] } };
  const known = rightsOf(data as unknown as BulkRightsQuery);
  if (!known) throw new Error('there are rights');
  return known;
}

it.each([
  ['restart', ['Deployment', 'StatefulSet', 'DaemonSet']],
  ['scale', ['Deployment', 'StatefulSet']],
  ['protect', ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']],
  ['delete', ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']],
] as const)('%s is for %j', (verb, want) => {
  const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];
  expect(kinds.filter((kind) => fits(verb, kind))).toEqual(want);
});

it('may be done in the namespaces that are named, in all where none are, and not where nothing is known', () => {
  expect(mayDo('restart', row('asia/shop/cart'), rights([]))).toBe(true);
  expect(mayDo('restart', row('asia/payments/gateway'), rights([]))).toBe(false);
  expect(mayDo('delete', row('asia/shop/cart'), rights([]))).toBe(false);
  expect(mayDo('delete', row('asia/payments/gateway'), rights(null))).toBe(true);
  expect(mayDo('restart', row('europe/shop/cart'), rights(null))).toBe(false);
  expect(rightsOf(undefined)).toBeNull();
});

it('leaves out what it is not for, and says why', () => {
  const chosen = [
    row('asia/shop/cart'),
    row('asia/shop/import', { kind: 'Job' }),
    row('asia/payments/gateway'),
    row('asia/shop/old', { state: 'DELETING' }),
  ];
  const { rows, leftOut } = sorted('restart', chosen, rights(null));
  expect(rows.map(({ name }) => name)).toEqual(['cart']);
  expect(leftOut.map(({ row: { name }, why }) => [name, why])).toEqual([
    ['import', 'kind'],
    ['gateway', 'right'],
    ['old', 'deleting'],
  ]);
});
