import type { ColumnDef } from '@tanstack/react-table';
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useHiddenColumns } from './choice';
import type { DataColumn } from './columns';
import type { TableOrder } from './order';
import { compareValues } from './order';

const FEATURES = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

type Definition<Row extends object> = ColumnDef<typeof FEATURES, Row>;

export interface ModelOptions<Row> {
  name: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  order?: TableOrder;
  /** The rows come sorted: a page of a longer list is in the server's order. */
  sorted?: boolean;
}

/** Which rows and columns a table shows, in which order. */
export function useTableModel<Row extends object>(options: ModelOptions<Row>) {
  const { name, columns, rows, rowId, order, sorted } = options;
  const hidden = useHiddenColumns(name);
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const table = useTable({
    features: FEATURES,
    columns: useMemo(() => columns.map(definitionOf), [columns]),
    data: rows,
    getRowId: rowId,
    manualSorting: sorted,
    state: {
      columnVisibility: useMemo(
        () =>
          Object.fromEntries(
            columns.map(({ id, namesRow }) => [id, namesRow === true || !hidden.includes(id)]),
          ),
        [columns, hidden],
      ),
      sorting: useMemo(() => (order ? [{ id: order.column, desc: order.descending }] : []), [order]),
    },
  });
  const shown = table.getVisibleLeafColumns();
  const sortedRows = table.getRowModel().rows;
  return {
    columns: useMemo(
      () => shown.map(({ id }) => byId.get(id)).filter((column) => column !== undefined),
      [shown, byId],
    ),
    rows: useMemo(() => sortedRows.map(({ original }) => original), [sortedRows]),
  };
}

function definitionOf<Row extends object>({ id, sortBy, namesRow }: DataColumn<Row>): Definition<Row> {
  return {
    id,
    accessorFn: (row) => sortBy?.(row) ?? undefined,
    enableSorting: sortBy !== undefined,
    enableHiding: !namesRow,
    sortFn: (a, b, column) => compareValues(a.getValue(column), b.getValue(column)),
    sortUndefined: 'last',
  };
}
