import { describe, expect, it } from 'vitest';
import type { FeedView } from '../../../graph/live/feed';
import { row } from '../fixtures';
import type { Row } from './page';
import { instancesOnPage, overlay } from './page';

const WHOLE = { hasPrevious: false, hasNext: false };

function feed(live: Row[], gone: string[] = []): FeedView<Row> {
  return { synced: true, live: new Map(live.map((row) => [row.id, row])), gone: new Set(gone) };
}

describe('overlay', () => {
  const page = [row('asia/demo/b'), row('asia/demo/d'), row('europe/demo/a')];

  const cases: {
    name: string;
    window?: { hasPrevious: boolean; hasNext: boolean };
    page?: Row[];
    feeds: FeedView<Row>[];
    want: { rows: string[]; appeared?: string[]; vanished?: string[] };
  }[] = [
    {
      name: 'leaves a page alone that no feed speaks of',
      feeds: [],
      want: { rows: ['asia/demo/b', 'asia/demo/d', 'europe/demo/a'] },
    },
    {
      name: 'leaves out what is gone',
      feeds: [feed([], ['asia/demo/d'])],
      want: { rows: ['asia/demo/b', 'europe/demo/a'], vanished: ['asia/demo/d'] },
    },
    {
      name: 'does not report as vanished what was not listed',
      feeds: [feed([], ['asia/demo/zz'])],
      want: { rows: ['asia/demo/b', 'asia/demo/d', 'europe/demo/a'] },
    },
    {
      name: 'puts a new row in its place',
      feeds: [feed([row('asia/demo/c')]), feed([row('europe/demo/b')])],
      want: {
        rows: ['asia/demo/b', 'asia/demo/c', 'asia/demo/d', 'europe/demo/a', 'europe/demo/b'],
        appeared: ['asia/demo/c', 'europe/demo/b'],
      },
    },
    {
      name: 'keeps rows of other pages out',
      window: { hasPrevious: true, hasNext: true },
      feeds: [feed([row('asia/demo/a'), row('asia/demo/c'), row('europe/demo/z')])],
      want: {
        rows: ['asia/demo/b', 'asia/demo/c', 'asia/demo/d', 'europe/demo/a'],
        appeared: ['asia/demo/c'],
      },
    },
    {
      name: 'fills an empty list',
      page: [],
      feeds: [feed([row('asia/demo/a')])],
      want: { rows: ['asia/demo/a'], appeared: ['asia/demo/a'] },
    },
    {
      name: 'leaves an empty page after others empty, because it is no range',
      page: [],
      window: { hasPrevious: true, hasNext: false },
      feeds: [feed([row('asia/demo/a')])],
      want: { rows: [] },
    },
  ];
  it.each(cases)('$name', ({ window = WHOLE, feeds, want, ...given }) => {
    const got = overlay(given.page ?? page, window, feeds);
    expect({
      rows: got.rows.map(({ id }) => id),
      appeared: got.appeared,
      vanished: got.vanished,
    }).toEqual({ appeared: [], vanished: [], ...want });
  });

  it('shows the live state of a row, not the one that was read', () => {
    const changed = row('asia/demo/d', { state: 'DEGRADED' });
    expect(overlay(page, WHOLE, [feed([changed])]).rows[1]).toBe(changed);
  });

  it('keeps the identity of rows that did not change, so that they are not drawn again', () => {
    expect(overlay(page, WHOLE, [feed([])]).rows[0]).toBe(page[0]);
  });

  it('puts a new row in its place by age', () => {
    const [old, middle, young] = ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => `${day}T00:00:00Z`);
    const byAge = [row('asia/demo/z', { createdAt: young }), row('asia/demo/a', { createdAt: old })];
    const came = feed([row('asia/demo/m', { createdAt: middle })]);
    const names = (rows: readonly Row[]) => rows.map(({ name }) => name);
    const order = { field: 'CREATED_AT', direction: 'DESC' } as const;
    expect(names(overlay(byAge, WHOLE, [came], order).rows)).toEqual(['z', 'm', 'a']);
    const next = { hasPrevious: false, hasNext: true };
    expect(names(overlay(byAge.slice(0, 1), next, [came], order).rows)).toEqual(['z']);
    const reversed = { field: 'CREATED_AT', direction: 'ASC' } as const;
    expect(names(overlay(byAge.toReversed(), WHOLE, [came], reversed).rows)).toEqual(['a', 'm', 'z']);
  });

  it('tells kinds of the same name apart, in the order of the contract', () => {
    const job = row('asia/demo/b', { id: 'job', kind: 'Job' });
    expect(overlay(page, WHOLE, [feed([job])]).rows.map(({ id }) => id)).toEqual([
      'asia/demo/b',
      'job',
      'asia/demo/d',
      'europe/demo/a',
    ]);
  });
});

describe('instancesOnPage', () => {
  const names = ['africa', 'asia', 'europe', 'oceania'];
  const page = [row('asia/demo/b'), row('europe/demo/a')];
  const cases: [string, { hasPrevious: boolean; hasNext: boolean }, Row[], string[]][] = [
    ['watches all of them when the page is the whole list', WHOLE, page, names],
    [
      'leaves out those after a page that has a next',
      { hasPrevious: false, hasNext: true },
      page,
      ['africa', 'asia', 'europe'],
    ],
    [
      'leaves out those before a page that has a previous',
      { hasPrevious: true, hasNext: false },
      page,
      ['asia', 'europe', 'oceania'],
    ],
    ['watches all of them when nothing was listed', WHOLE, [], names],
  ];
  it.each(cases)('%s', (_, window, rows, want) => {
    expect(instancesOnPage(rows, window, names)).toEqual(want);
  });

  it('watches all of them when rows stand by age', () => {
    const next = { hasPrevious: false, hasNext: true };
    expect(instancesOnPage(page, next, names, { field: 'CREATED_AT', direction: 'ASC' })).toEqual(names);
  });
});
