import { expect, it } from 'vitest';
import type { Promoted } from './plan';
import { inputOf, nameOf, objectFirst } from './plan';

const WEB = { uid: 'u', apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

it('names the object as it was read', () => {
  expect(inputOf('asia', 'tokyo', WEB, { dependencies: true, preserve: false })).toEqual({
    instance: 'asia',
    cluster: 'tokyo',
    ...WEB,
    dependencies: true,
    preserve: false,
  });
});

it.each([
  [{ kind: 'Secret', namespace: 'shop', name: 'keys' }, 'shop/keys'],
  [{ kind: 'PersistentVolume', namespace: null, name: 'disk' }, 'disk'],
  [{ kind: 'Service', namespace: 'shop', name: '' }, 'Service'],
])('calls %j so', (object, want) => {
  expect(nameOf(object)).toBe(want);
});

it('begins with the object itself', () => {
  const promoted = (kind: string): Promoted => ({
    apiVersion: 'v1',
    kind,
    namespace: 'shop',
    name: 'web',
    policyName: 'web',
    changes: [],
  });
  expect(objectFirst([promoted('ConfigMap'), promoted('Deployment')]).map(({ kind }) => kind)).toEqual([
    'Deployment',
    'ConfigMap',
  ]);
});
