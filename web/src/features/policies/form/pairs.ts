import type { Pair } from './document';

/** The first row that makes no object with the others: without a key, or with one that another has. */
export function wrongPairs(rows: readonly Pair[]): Pair | null {
  return rows.find(({ key }, at) => key === '' || rows.findIndex((other) => other.key === key) < at) ?? null;
}

/** Whether rows say the same as others, in whatever order. */
export function pairsSay(rows: readonly Pair[], others: readonly Pair[]): boolean {
  return (
    rows.length === others.length &&
    rows.every(({ key, value }) => others.some((other) => other.key === key && other.value === value))
  );
}
