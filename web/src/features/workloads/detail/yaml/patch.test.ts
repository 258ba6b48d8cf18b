import { describe, expect, it } from 'vitest';
import type { Json, Operation } from './patch';
import { identityOf, patchOf, serversOwn } from './patch';

/** As an API server applies it. */
function applied(document: Json, operations: readonly Operation[]): Json {
  const holder = { '': structuredClone(document) };
  for (const operation of operations) {
    const keys = operation.path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Json>((at, key) => (at as Record<string, Json>)[key] ?? null, holder);
    if (Array.isArray(parent)) {
      if (operation.op === 'remove') parent.splice(Number(last), 1);
      else if (operation.op === 'add')
        parent.splice(last === '-' ? parent.length : Number(last), 0, operation.value);
      else parent[Number(last)] = operation.value;
    } else if (operation.op === 'remove') Reflect.deleteProperty(parent as object, last);
    else (parent as Record<string, Json>)[last] = operation.value;
  }
  return holder[''];
}

describe('patchOf', () => {
  it.each<[string, Json, Json]>([
    ['a value', { a: 1 }, { a: 2 }],
    ['a field that came', { a: 1 }, { a: 1, b: { c: [1] } }],
    ['a field that went', { a: 1, b: 2 }, { a: 1 }],
    ['keys that need escapes', { 'a/b': 1, 'c~d': 1 }, { 'a/b': 2 }],
    ['items that came', { a: [1] }, { a: [1, 2, 3] }],
    ['items that went', { a: [1, 2, 3, 4] }, { a: [1] }],
    [
      'an item in the middle',
      {
        a: [
          { n: 1, m: 1 },
          { n: 2, m: 2 },
        ],
      },
      {
        a: [
          { n: 1, m: 1 },
          { n: 2, m: 9 },
        ],
      },
    ],
    ['another type', { a: [1] }, { a: { b: 1 } }],
    ['null', { a: null }, { a: 1 }],
    ['a null that came', { a: 1 }, { a: 1, b: null }],
  ])('leads from one to the other: %s', (_, from, to) => {
    expect(applied(from, patchOf(from, to))).toEqual(to);
  });

  it('says nothing of what is the same', () => {
    expect(patchOf({ a: [{ b: 1 }], c: null }, { c: null, a: [{ b: 1 }] })).toEqual([]);
  });

  it('touches nothing beside what changed: fields that nobody knows stay', () => {
    const containers = (image: string) => ({ spec: { containers: [{ name: 'web', image }] } });
    expect(patchOf(containers('a'), containers('b'))).toEqual([
      { op: 'replace', path: '/spec/containers/0/image', value: 'b' },
    ]);
  });
});

it('what the API server sets itself is told apart', () => {
  const operations = patchOf(
    { metadata: { uid: 'a', labels: { x: '1' } }, status: { replicas: 1 }, kind: 'Deployment' },
    { metadata: { uid: 'b', labels: { x: '2' } }, status: { replicas: 2 }, kind: 'Job' },
  );
  expect(serversOwn(operations)).toEqual(['/metadata/uid', '/status/replicas']);
  expect(identityOf(operations)).toEqual(['/kind']);
});
