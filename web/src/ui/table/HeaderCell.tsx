import { useTranslation } from 'react-i18next';
import type { DataColumn } from './columns';
import { classOf } from './columns';
import type { TableOrder } from './order';

interface HeaderCellProps<Row> {
  column: DataColumn<Row>;
  order?: TableOrder;
  /** Left out where the order cannot be changed. */
  reorder?: (order: TableOrder | undefined) => void;
}

/** A heading; where rows can be sorted by it, a button that does: up, down, and as it was. */
export function HeaderCell<Row>({ column, order, reorder }: HeaderCellProps<Row>) {
  const { t } = useTranslation();
  if (!column.sortBy || !reorder) {
    return (
      <th scope="col" className={classOf(column)}>
        {column.heading?.() ?? column.header}
      </th>
    );
  }
  const by = order?.column === column.id ? order : undefined;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={by ? (by.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className="sort"
        title={t('table.sort', { column: column.header })}
        onClick={() => reorder(next(column.id, by))}
      >
        {column.header}
        <span className="sort-mark" aria-hidden="true">
          {by ? (by.descending ? '↓' : '↑') : '↕'}
        </span>
      </button>
    </th>
  );
}

function next(column: string, by: TableOrder | undefined): TableOrder | undefined {
  if (!by) return { column, descending: false };
  return by.descending ? undefined : { column, descending: true };
}
