import { expect, it } from 'vitest';
import { editedOf } from './manifest';

const BASE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  resourceVersion: "42"
  uid: u
spec:
  replicas: 2
`;
const change = (from: string, to: string) => editedOf(BASE, BASE.replace(from, to));

it('says what changed, and of which version', () => {
  expect(change('replicas: 2', 'replicas: 3')).toEqual({
    ok: true,
    operations: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
    resourceVersion: '42',
  });
});

it('sees no change in other spelling', () => {
  expect(change('replicas: 2', 'replicas:   2 # two')).toMatchObject({ ok: true, operations: [] });
});

it.each([
  ['replicas: 2', 'replicas: [2', 'syntax'],
  ['replicas: 2', 'replicas: 2\n  replicas: 3', 'syntax'],
  ['name: cart', 'name: cart2', 'identity'],
  ['uid: u', 'uid: v', 'server'],
  ['replicas: 2', 'replicas: 9007199254740993', 'number'],
])('does not take %j for %j: %s', (from, to, reason) => {
  expect(change(from, to)).toMatchObject({ ok: false, reason });
});

it('takes no text for an object', () => {
  expect(editedOf(BASE, 'nothing')).toMatchObject({ ok: false, reason: 'syntax' });
  expect(editedOf(BASE, '')).toMatchObject({ ok: false, reason: 'syntax' });
});
