// The rows of a page: read from the store, with what the live feeds know laid over them.

import type { FeedView } from '../../../graph/live/feed';
import type {
  WorkloadFilter,
  WorkloadOrder,
  WorkloadRowFragment,
  WorkloadsLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';

export type Row = WorkloadRowFragment;

export interface PageWindow {
  /** Rows precede this page. */
  hasPrevious: boolean;
  /** Rows follow this page. */
  hasNext: boolean;
}

/** Whether the list is all on this page. */
export function isWhole({ hasPrevious, hasNext }: PageWindow): boolean {
  return !hasPrevious && !hasNext;
}

/**
 * What is followed of a page, by instance. Of a list that is all on it everything that passes the filter, so that
 * what is new appears; of a page of a longer list the rows on it and no others.
 */
export function watchedOf(
  page: readonly Row[],
  window: PageWindow,
  instances: readonly string[],
  filter: WorkloadFilter | undefined,
): Record<string, WorkloadsLiveSubscriptionVariables> {
  if (isWhole(window)) {
    return Object.fromEntries(instances.map((instance) => [instance, { instance, filter }]));
  }
  const watched: Record<string, { instance: string; ids: string[] }> = {};
  for (const { id, instance } of page) {
    if (instance) (watched[instance.name] ??= { instance: instance.name, ids: [] }).ids.push(id);
  }
  return watched;
}

/**
 * Lay feeds over a page. A row that changed is replaced, one that is gone is left out, and a new one is
 * put in its place.
 */
export function overlay(page: readonly Row[], feeds: readonly FeedView<Row>[], order?: WorkloadOrder): Row[] {
  const listed = new Set(page.map((row) => row.id));
  const rows = page
    .filter(({ id }) => !feeds.some((feed) => feed.gone.has(id)))
    .map((row) => find(feeds, row.id) ?? row);
  const appeared = feeds.flatMap((feed) => [...feed.live.values()]).filter(({ id }) => !listed.has(id));
  return appeared.length > 0 ? [...rows, ...appeared].sort(comparison(order)) : rows;
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
