// The rows of a page: read from the store, with what the live feeds know laid over them.

import type { FeedView } from './feed';

export interface PageWindow {
  /** Rows precede this page. */
  hasPrevious: boolean;
  /** Rows follow this page. */
  hasNext: boolean;
}

/** Whether the list is all on this page: then what is new belongs on it, and is followed, too. */
export function isWhole({ hasPrevious, hasNext }: PageWindow): boolean {
  return !hasPrevious && !hasNext;
}

/**
 * Lay feeds over a page. A row that changed is replaced, one that is gone is left out, and a new one is
 * put in its place.
 */
export function overlay<Row extends { id: string }>(
  page: readonly Row[],
  feeds: readonly FeedView<Row>[],
  compare: (a: Row, b: Row) => number,
): Row[] {
  const listed = new Set(page.map((row) => row.id));
  const rows = page
    .filter(({ id }) => !feeds.some((feed) => feed.gone.has(id)))
    .map((row) => find(feeds, row.id) ?? row);
  const appeared = feeds.flatMap((feed) => [...feed.live.values()]).filter(({ id }) => !listed.has(id));
  return appeared.length > 0 ? [...rows, ...appeared].sort(compare) : rows;
}

function find<Row>(feeds: readonly FeedView<Row>[], id: string): Row | undefined {
  for (const feed of feeds) {
    const row = feed.live.get(id);
    if (row) return row;
  }
  return undefined;
}

/** By code point, as the server sorts. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
