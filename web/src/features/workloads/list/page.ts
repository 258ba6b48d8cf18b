// The rows of a page: read from the store, with what the live feeds know laid over them.

import type { FeedView } from '../../../graph/live/feed';
import type { WorkloadOrder, WorkloadRowFragment } from '../../../graph/generated/graphql';

export type Row = WorkloadRowFragment;

export interface PageWindow {
  /** Rows precede this page. */
  hasPrevious: boolean;
  /** Rows follow this page. */
  hasNext: boolean;
}

export interface LivePage {
  rows: Row[];
  /** Rows that the feeds know and the store did not list, and the other way about. */
  appeared: string[];
  vanished: string[];
}

/**
 * Lay feeds over a page. A row that changed is replaced, one that is gone is left out, and a new one is
 * put in its place if that place is on this page: the list is sorted, so a page is a range of keys.
 */
export function overlay(
  page: readonly Row[],
  window: PageWindow,
  feeds: readonly FeedView<Row>[],
  order?: WorkloadOrder,
): LivePage {
  const compareRows = comparison(order);
  const listed = new Set(page.map((row) => row.id));
  const vanished: string[] = [];
  const rows: Row[] = [];
  for (const row of page) {
    if (feeds.some((feed) => feed.gone.has(row.id))) {
      vanished.push(row.id);
      continue;
    }
    rows.push(find(feeds, row.id) ?? row);
  }

  const first = window.hasPrevious ? page.at(0) : undefined;
  const last = window.hasNext ? page.at(-1) : undefined;
  const appeared: Row[] = [];
  for (const feed of feeds) {
    for (const row of feed.live.values()) {
      if (listed.has(row.id)) continue;
      if (first && compareRows(row, first) < 0) continue;
      if (last && compareRows(row, last) > 0) continue;
      // An empty page in the middle of a list is no range at all.
      if (page.length === 0 && (window.hasPrevious || window.hasNext)) continue;
      appeared.push(row);
    }
  }
  if (appeared.length > 0) {
    rows.push(...appeared);
    rows.sort(compareRows);
  }
  return { rows, appeared: appeared.map((row) => row.id).sort(), vanished };
}

/** The orders of the contract. */
function comparison(order: WorkloadOrder | undefined): (a: Row, b: Row) => number {
  if (order?.field !== 'CREATED_AT') return compareNames;
  const sign = order.direction === 'DESC' ? -1 : 1;
  return (a, b) => sign * (compare(a.createdAt, b.createdAt) || compareNames(a, b));
}

/** By instance, namespace, name and kind, by code point. */
function compareNames(a: Row, b: Row): number {
  return (
    compare(a.instance?.name ?? '', b.instance?.name ?? '') ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) ||
    compare(a.kind, b.kind)
  );
}

/** Which instances may have rows on this page: the others need no live feed. */
export function instancesOnPage(
  page: readonly Row[],
  window: PageWindow,
  instances: readonly string[],
  order?: WorkloadOrder,
): readonly string[] {
  if (order && order.field !== 'NAME') return instances;
  const from = window.hasPrevious ? (page.at(0)?.instance?.name ?? '') : '';
  const to = window.hasNext ? page.at(-1)?.instance?.name : undefined;
  return instances.filter((name) => compare(name, from) >= 0 && (!to || compare(name, to) <= 0));
}

function find(feeds: readonly FeedView<Row>[], id: string): Row | undefined {
  for (const feed of feeds) {
    const row = feed.live.get(id);
    if (row) return row;
  }
  return undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
