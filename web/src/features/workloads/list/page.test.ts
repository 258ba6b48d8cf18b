import { describe, expect, it } from 'vitest';
import type { FeedView } from '../../../graph/live/feed';
import { row } from '../fixtures';
import type { Row } from './page';
import { overlay, watchedOf } from './page';

const WHOLE = { hasPrevious: false, hasNext: false };

function feed(live: Row[], gone: string[] = []): FeedView<Row> {
  return { synced: true, live: new Map(live.map((row) => [row.id, row])), gone: new Set(gone) };
}

describe('overlay', () => {
  const page = [row('asia/demo/b'), row('asia/demo/d'), row('europe/demo/a')];

  const cases: { name: string; page?: Row[]; feeds: FeedView<Row>[]; want: string[] }[] = [
    {
      name: 'leaves a page alone that no feed speaks of',
      feeds: [],
      want: ['asia/demo/b', 'asia/demo/d', 'europe/demo/a'],
    },
    {
      name: 'leaves out what is gone',
      feeds: [feed([], ['asia/demo/d'])],
      want: ['asia/demo/b', 'europe/demo/a'],
    },
    {
      name: 'puts a new row in its place',
      feeds: [feed([row('asia/demo/c')]), feed([row('europe/demo/b')])],
      want: ['asia/demo/b', 'asia/demo/c', 'asia/demo/d', 'europe/demo/a', 'europe/demo/b'],
    },
    {
      name: 'fills an empty list',
      page: [],
      feeds: [feed([row('asia/demo/a')])],
      want: ['asia/demo/a'],
    },
  ];
  it.each(cases)('$name', ({ feeds, want, ...given }) => {
    expect(overlay(given.page ?? page, feeds).map(({ id }) => id)).toEqual(want);
  });

  it('shows the live state of a row, not the one that was read', () => {
    const changed = row('asia/demo/d', { state: 'DEGRADED' });
    expect(overlay(page, [feed([changed])])[1]).toBe(changed);
  });

  it('keeps the identity of rows that did not change, so that they are not drawn again', () => {
    expect(overlay(page, [feed([])])[0]).toBe(page[0]);
  });

  it('puts a new row in its place by age', () => {
    const [old, middle, young] = ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => `${day}T00:00:00Z`);
    const byAge = [row('asia/demo/z', { createdAt: young }), row('asia/demo/a', { createdAt: old })];
    const came = feed([row('asia/demo/m', { createdAt: middle })]);
    const names = (rows: readonly Row[]) => rows.map(({ name }) => name);
    const order = { field: 'CREATED_AT', direction: 'DESC' } as const;
    expect(names(overlay(byAge, [came], order))).toEqual(['z', 'm', 'a']);
    const reversed = { field: 'CREATED_AT', direction: 'ASC' } as const;
    expect(names(overlay(byAge.toReversed(), [came], reversed))).toEqual(['a', 'm', 'z']);
  });

  it('tells kinds of the same name apart, in the order of the contract', () => {
    const job = row('asia/demo/b', { id: 'job', kind: 'Job' });
    expect(overlay(page, [feed([job])]).map(({ id }) => id)).toEqual([
      'asia/demo/b',
      'job',
      'asia/demo/d',
      'europe/demo/a',
    ]);
  });
});

describe('watchedOf', () => {
  const instances = ['asia', 'europe', 'oceania'];
  const page = [row('asia/demo/b'), row('asia/demo/d'), row('europe/demo/a')];
  const filter = { namespaces: ['demo'] };

  it('follows what passes the filter everywhere when the page is the whole list', () => {
    expect(watchedOf(page, WHOLE, instances, filter)).toEqual({
      asia: { instance: 'asia', filter },
      europe: { instance: 'europe', filter },
      oceania: { instance: 'oceania', filter },
    });
  });

  it.each([
    ['a next', { hasPrevious: false, hasNext: true }],
    ['a previous', { hasPrevious: true, hasNext: false }],
  ])('follows the rows on it and no others when the page has %s', (_, window) => {
    expect(watchedOf(page, window, instances, filter)).toEqual({
      asia: { instance: 'asia', ids: ['asia/demo/b', 'asia/demo/d'] },
      europe: { instance: 'europe', ids: ['europe/demo/a'] },
    });
  });

  it('follows nothing of an empty page after others', () => {
    expect(watchedOf([], { hasPrevious: true, hasNext: false }, instances, filter)).toEqual({});
  });
});
