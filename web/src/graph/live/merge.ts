import type { FeedView } from './feed';

/** What a feed tells, and what was read of the rest; sorted by name. Null while neither knows all there is. */
export function merged<T extends { id: string; name: string }>(
  read: readonly T[] | null,
  feed: FeedView<T> | undefined,
): T[] | null {
  if (!read && !feed?.synced) return null;
  const byId = new Map((read ?? []).map((row) => [row.id, row]));
  for (const id of feed?.gone ?? []) byId.delete(id);
  for (const [id, row] of feed?.live ?? []) byId.set(id, row);
  return [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
