import type { ReactNode } from 'react';
import { Fragment, useEffect, useRef } from 'react';
import type { Problem } from '../../graph/problems';
import { Failed, LoadingRows } from '../Notices';
import type { DataColumn, RowAttributes } from './columns';
import { HeaderCell } from './HeaderCell';
import { moveFocus } from './keys';
import { useTableModel } from './model';
import type { TableOrder } from './order';
import { TableRow } from './TableRow';
import { useVirtualRows } from './useVirtualRows';

/** What a list knows of its rows. */
export interface ListView<Row> {
  /** Null until they have been read. */
  rows: readonly Row[] | null;
  /** They are being read, for the first time or anew. */
  loading: boolean;
  problems: readonly Problem[];
  retry: () => void;
}

/** What a table is: how it is called, and what its rows and columns are. All of it must be stable. */
export interface TableShape<Row> {
  /** Names its styles, and what its reader chose of its columns. */
  name: string;
  label: string;
  columns: readonly DataColumn<Row>[];
  rowId: (row: Row) => string;
  rowAttributes?: (row: Row) => RowAttributes;
}

interface DataTableProps<Row> extends TableShape<Row>, Partial<Omit<ListView<Row>, 'rows'>> {
  rows: readonly Row[] | null;
  /** In place of a table without rows. */
  empty: ReactNode;
  /** In place of rows that could not be read; what went wrong when left out. */
  failed?: ReactNode;
  /** Why the rows may be old: it stands above them. */
  stale?: ReactNode;
  /** The row that is looked at, by its id. */
  picked?: string;
  /** What is unfolded below the row that is looked at. */
  detail?: (row: Row) => ReactNode;
  order?: TableOrder;
  reorder?: (order: TableOrder | undefined) => void;
  /** The rows come sorted from the server. */
  sorted?: boolean;
}

/** A table, or what stands in its place: rows on their way, none, or none that could be read. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  return (
    <>
      {props.stale}
      <Body {...props} />
    </>
  );
}

function Body<Row extends object>({
  rows,
  loading,
  problems,
  retry,
  empty,
  failed,
  ...table
}: DataTableProps<Row>) {
  if (!rows)
    return loading ? <LoadingRows /> : (failed ?? <Failed problems={problems ?? []} retry={retry} />);
  if (rows.length === 0) return empty;
  return <Table rows={rows} busy={loading ?? false} {...table} />;
}

interface TableProps<Row>
  extends TableShape<Row>, Pick<DataTableProps<Row>, 'picked' | 'detail' | 'order' | 'reorder' | 'sorted'> {
  rows: readonly Row[];
  busy: boolean;
}

function Table<Row extends object>({
  busy,
  picked,
  detail,
  reorder,
  rowAttributes,
  ...options
}: TableProps<Row>) {
  const { name, label, rowId, order } = options;
  const table = useRef<HTMLTableElement>(null);
  const { columns, rows } = useTableModel(options);
  const virtual = useVirtualRows(rows, rowId, table);

  useEffect(() => {
    if (picked !== undefined)
      table.current?.querySelector('.is-picked')?.scrollIntoView({ block: 'nearest' });
  }, [picked]);

  return (
    <div className="grid-scroll" role="group" tabIndex={0} aria-label={label}>
      <table
        ref={table}
        className={`grid ${name}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={busy}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} order={order} reorder={reorder} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          <Spacer height={virtual.above} />
          {virtual.indexes.map((index) => {
            const row = rows[index];
            return (
              row && (
                <Fragment key={rowId(row)}>
                  <TableRow
                    row={row}
                    index={index}
                    columns={columns}
                    attributes={rowAttributes}
                    picked={rowId(row) === picked}
                    measure={virtual.measure}
                  />
                  {detail && rowId(row) === picked && (
                    <tr className="row-detail">
                      <td colSpan={columns.length}>{detail(row)}</td>
                    </tr>
                  )}
                </Fragment>
              )
            );
          })}
          <Spacer height={virtual.below} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are not drawn. One cell: over all columns, it would make those that styles hide. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="spacer">
      <td style={{ height }} />
    </tr>
  );
}
