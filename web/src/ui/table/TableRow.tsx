import { memo } from 'react';
import type { DataColumn, RowAttributes } from './columns';
import { classOf } from './columns';

interface TableRowProps<Row> {
  row: Row;
  index: number;
  columns: readonly DataColumn<Row>[];
  attributes?: (row: Row) => RowAttributes;
  picked: boolean;
  measure?: (element: HTMLTableRowElement | null) => void;
}

function Line<Row>({ row, index, columns, attributes, picked, measure }: TableRowProps<Row>) {
  return (
    <tr
      ref={measure}
      className={picked ? 'is-picked' : undefined}
      data-index={index}
      aria-rowindex={index + 2}
      {...attributes?.(row)}
    >
      {columns.map((column) => {
        const { className, ...rest } = column.attributes?.(row) ?? {};
        const all = { ...rest, className: classOf(column, className) };
        const content = column.cell(row);
        return column.namesRow ? (
          <th key={column.id} scope="row" {...all}>
            {content}
          </th>
        ) : (
          <td key={column.id} {...all}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

/** A row is drawn again when it or the columns change: a live page changes few of its rows. */
export const TableRow = memo(Line) as typeof Line;
