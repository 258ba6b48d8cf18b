import { expect, it } from 'vitest';
import type { EventRow } from './rows';
import { eventRows } from './rows';

const ABOUT = { kind: 'Deployment', name: 'cart', binding: 'cart-deployment' };

function event(id: string, change: Partial<EventRow> = {}): EventRow {
  return {
    id,
    name: id,
    type: 'NORMAL',
    reason: 'Scaled',
    message: '',
    count: 1,
    lastSeen: '2026-01-01T00:00:00Z',
    source: '',
    cluster: null,
    regarding: { kind: 'Deployment', namespace: 'shop', name: 'cart', fieldPath: null },
    ...change,
  };
}

const feed = (...rows: EventRow[]) => ({
  synced: true,
  live: new Map(rows.map((row) => [row.id, row])),
  gone: new Set<string>(),
});
const ids = (rows: EventRow[] | null) => rows?.map(({ id }) => id);

it('are not known before they were read', () => {
  expect(eventRows(null, undefined, { about: ABOUT })).toBeNull();
});

it('stand the newest first, with what is told laid over what was read', () => {
  const read = [event('a', { count: 1 }), event('b', { lastSeen: '2026-01-02T00:00:00Z' })];
  const told = feed(event('a', { count: 5, lastSeen: '2026-01-03T00:00:00Z' }));
  const rows = eventRows(read, told, { about: ABOUT });
  expect(ids(rows)).toEqual(['a', 'b']);
  expect(rows?.[0]?.count).toBe(5);
});

it('of what is told, only what is about the workload or its binding', () => {
  const other = { kind: 'Deployment', namespace: 'shop', name: 'cart-2', fieldPath: null };
  const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment', fieldPath: null };
  const told = feed(event('a', { regarding: other }), event('b', { regarding: binding }));
  expect(ids(eventRows([], told, { about: ABOUT }))).toEqual(['b']);
});

it('are narrowed to a cluster, and to warnings', () => {
  const tokyo = { id: 't', name: 'tokyo' };
  const read = [event('a'), event('b', { cluster: tokyo }), event('c', { cluster: tokyo, type: 'WARNING' })];
  expect(ids(eventRows(read, undefined, { about: ABOUT, cluster: 'tokyo' }))).toEqual(['b', 'c']);
  expect(ids(eventRows(read, undefined, { about: ABOUT, warnings: true }))).toEqual(['c']);
});
