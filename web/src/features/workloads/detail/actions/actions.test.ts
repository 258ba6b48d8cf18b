import { expect, it } from 'vitest';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { actionsOf, containersOf, isImage, isProtected, rightFor } from './actions';

type Subject = Parameters<typeof actionsOf>[0];

function subject(change: Partial<Subject> = {}): Subject {
  return {
    kind: 'Deployment',
    state: 'RUNNING',
    labels: [],
    propagation: { policy: { name: 'p' } } as WorkloadDetailFragment['propagation'],
    ...change,
  };
}

const CLAIMED = ['reschedule', 'protect', 'delete'];

it.each<[string, Partial<Subject>, string[]]>([
  ['a Deployment', {}, ['restart', 'setImage', 'pause', ...CLAIMED]],
  ['a Deployment whose rollout is paused', { paused: true }, ['setImage', 'resume', ...CLAIMED]],
  ['a StatefulSet', { kind: 'StatefulSet' }, ['restart', 'setImage', ...CLAIMED]],
  ['a DaemonSet', { kind: 'DaemonSet' }, ['restart', 'setImage', ...CLAIMED]],
  ['a CronJob', { kind: 'CronJob', suspended: false }, ['setImage', 'suspend', ...CLAIMED]],
  ['a suspended CronJob', { kind: 'CronJob', suspended: true }, ['setImage', 'unsuspend', ...CLAIMED]],
  ['a Job that runs', { kind: 'Job', state: 'PROGRESSING' }, ['rerun', 'suspend', ...CLAIMED]],
  ['a suspended Job', { kind: 'Job', state: 'PAUSED', suspended: true }, ['rerun', 'unsuspend', ...CLAIMED]],
  ['a Job that succeeded', { kind: 'Job', state: 'COMPLETED' }, ['rerun', ...CLAIMED]],
  ['a Job that failed', { kind: 'Job', state: 'FAILED' }, ['rerun', ...CLAIMED]],
  [
    'what no policy claims',
    { kind: 'DaemonSet', propagation: null },
    ['restart', 'setImage', 'protect', 'delete'],
  ],
  ['what is being deleted', { state: 'DELETING' }, []],
  [
    'what is protected',
    {
      kind: 'DaemonSet',
      labels: [{ key: 'resourcetemplate.karmada.io/deletion-protected', value: 'Always' }],
    },
    ['restart', 'setImage', 'reschedule', 'unprotect', 'delete'],
  ],
])('%s can be done this to', (_, change, want) => {
  expect(actionsOf(subject(change))).toEqual(want);
});

it('is protected by the value alone that Karmada knows', () => {
  const key = 'resourcetemplate.karmada.io/deletion-protected';
  expect(isProtected({ labels: [{ key, value: 'Always' }] })).toBe(true);
  expect(isProtected({ labels: [{ key, value: 'true' }] })).toBe(false);
  expect(isProtected({ labels: [] })).toBe(false);
});

it('says which right it takes', () => {
  expect(rightFor('restart')).toBe('change');
  expect(rightFor('unprotect')).toBe('change');
  expect(rightFor('rerun')).toBe('delete');
  expect(rightFor('delete')).toBe('delete');
  expect(rightFor('reschedule')).toBe('reschedule');
});

it('lists the containers, and those that run before them after them', () => {
  expect(
    containersOf({
      containers: [{ name: 'web', image: 'web:1' }],
      initContainers: [{ name: 'migrate', image: null }],
    }),
  ).toEqual([
    { name: 'web', image: 'web:1', init: false },
    { name: 'migrate', image: '', init: true },
  ]);
  expect(containersOf({ containers: null, initContainers: null })).toEqual([]);
});

it.each([
  ['registry.example/shop/cart:1.2', true],
  ['', false],
  ['cart 1.2', false],
  ['cart\n', false],
  ['a'.repeat(1024), true],
  ['a'.repeat(1025), false],
])('%j as an image: %s', (typed, want) => {
  expect(isImage(typed)).toBe(want);
});
