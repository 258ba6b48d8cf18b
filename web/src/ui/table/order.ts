// In which order a table stands, as its address says it: `?sort=cpu`, or `?sort=-cpu` for the largest first.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { one } from '../../app/search';

export interface TableOrder {
  column: string;
  descending: boolean;
}

/** What an address may say of the order: a column that has one, and nothing else. */
export function sortOf(raw: unknown, columns: readonly string[]): string | undefined {
  const sort = one(raw);
  return sort && columns.includes(sort.replace(/^-/, '')) ? sort : undefined;
}

export function orderOf(sort: string | undefined): TableOrder | undefined {
  return sort ? { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined;
}

export function sortText(order: TableOrder | undefined): string | undefined {
  return order && `${order.descending ? '-' : ''}${order.column}`;
}

/** The order that the address gives, and a way to change it. The route's search has to know `sort`. */
export function useTableOrder() {
  const navigate = useNavigate();
  const search: object = useSearch({ strict: false });
  const sort = 'sort' in search ? one(search.sort) : undefined;
  return {
    order: useMemo(() => orderOf(sort), [sort]),
    reorder: (order: TableOrder | undefined) =>
      void navigate({
        to: '.',
        // A cursor belongs to the order it was read in.
        search: (before: Record<string, unknown>) => ({ ...before, sort: sortText(order), after: undefined }),
        replace: true,
      }),
  };
}

/** Two values of a column: numbers by size, words by code point, as the server sorts them. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
