import type { ReactNode, TdHTMLAttributes } from 'react';

type DataAttributes = Readonly<Record<`data-${string}`, string | undefined>>;

/** Attributes of a row, by which tests and styles find it. */
export type RowAttributes = DataAttributes;

/** One column of a table. Its cells have the class `col-<id>`, which gives them their width. */
export interface DataColumn<Row> {
  id: string;
  header: string;
  /** What stands in the heading instead of its words. */
  heading?: () => ReactNode;
  /** What stands in a cell. Hooks belong into a component of its own. */
  cell: (row: Row) => ReactNode;
  attributes?: (row: Row) => Pick<TdHTMLAttributes<HTMLElement>, 'title' | 'className'> & DataAttributes;
  /** It names the row, and cannot be hidden: every table has one such column. */
  namesRow?: boolean;
  /** Numbers stand below each other. */
  number?: boolean;
  /** Rows can be sorted by it; null stands last in both directions. */
  sortBy?: (row: Row) => string | number | null;
}

export function classOf<Row>({ id, number }: DataColumn<Row>, more?: string): string {
  return [`col-${id}`, number && 'number', more].filter(Boolean).join(' ');
}
