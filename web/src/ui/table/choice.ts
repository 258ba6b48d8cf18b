// Which columns somebody wants to see is theirs, not the address's: it is kept in their browser.

import { useMemo, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function keyOf(table: string): string {
  return `kairship.columns.${table}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The columns of a table that are hidden, by its name. */
export function useHiddenColumns(table: string): readonly string[] {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(table)) ?? '');
  return useMemo(() => stored.split(' ').filter(Boolean), [stored]);
}

export function hideColumns(table: string, hidden: readonly string[]): void {
  if (hidden.length > 0) localStorage.setItem(keyOf(table), hidden.join(' '));
  else localStorage.removeItem(keyOf(table));
  for (const listener of [...listeners]) listener();
}
