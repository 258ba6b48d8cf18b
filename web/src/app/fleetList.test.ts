import { describe, expect, it } from 'vitest';
import type { Slice } from './fleetList';
import { followed, slicesOf, totalOf } from './fleetList';

const slice = (
  instance: string,
  ids: string[],
  over: Partial<Slice<{ id: string }>> = {},
): Slice<{ id: string }> => ({
  instance,
  rows: ids.map((id) => ({ id })),
  hasPrevious: false,
  hasNext: false,
  endCursor: null,
  totalCount: ids.length,
  ...over,
});

const asked = (instance: string, ids: string[] | undefined) => ({ instance, ids });

describe('a list over all instances', () => {
  it('leaves out what could not be read', () => {
    const page = {
      nodes: [{ id: 'a' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: false, endCursor: 'c' },
    };
    expect(
      slicesOf([
        { name: 'asia', list: page },
        { name: 'dead', list: null },
      ]),
    ).toEqual([slice('asia', ['a'], { hasNext: true, endCursor: 'c', totalCount: null })]);
  });

  it('follows all of a part that is here, else the rows that are', () => {
    const parts = [
      slice('asia', ['a']),
      slice('europe', ['b', 'c'], { hasNext: true }),
      slice('empty', []),
      slice('past', [], { hasPrevious: true }),
    ];
    expect(followed(parts, asked)).toEqual({
      asia: { instance: 'asia', ids: undefined },
      europe: { instance: 'europe', ids: ['b', 'c'] },
      empty: { instance: 'empty', ids: undefined },
    });
  });

  it.each<[string, Slice<unknown>[], number | null]>([
    ['counts what it shows where that is all', [slice('asia', ['a'])], 7],
    [
      'adds what instances count',
      [slice('asia', ['a']), slice('europe', ['b'], { hasNext: true, totalCount: 90 })],
      91,
    ],
    ['does not guess', [slice('europe', ['b'], { hasNext: true, totalCount: null })], null],
  ])('%s', (_, parts, want) => {
    expect(totalOf(parts, 7)).toBe(want);
  });
});
