import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageSize } from '../../app/search';
import { isRefusal } from '../../graph/problems';
import { Blank, Problems } from '../Notices';
import { Pager } from '../Pager';
import type { TableShape } from '../table/DataTable';
import { DataTable } from '../table/DataTable';
import type { ConnectionView } from './ConnectionPage';
import { useSearchChange } from './ConnectionPage';
import { Refresh } from './Refresh';

interface ConnectionTableProps<Row> {
  /** How much there is, or of what. */
  lead?: ReactNode;
  filters?: ReactNode;
  search: { after?: string; size?: PageSize };
  view: ConnectionView<Row>;
  table: TableShape<Row>;
  empty: ReactNode;
  byTime?: boolean;
}

/** A list that the server gives page by page, as a part of a page about something else. */
export function ConnectionTable<Row extends object>(props: ConnectionTableProps<Row>) {
  const { lead, filters, search, view, table, empty, byTime } = props;
  const { t } = useTranslation();
  const change = useSearchChange();
  const lost = search.after !== undefined && isRefusal(view.problems, 'BAD_USER_INPUT');
  return (
    <section className="connection-table">
      <div className="connection-head">
        <span className="muted" role="status">
          {lead}
        </span>
        {filters}
        <span className="page-gap" />
        {view.rows && view.asOf && <Refresh asOf={view.asOf} loading={view.loading} read={view.retry} />}
      </div>
      {view.rows && <Problems problems={view.problems} retry={view.retry} />}
      <DataTable
        {...table}
        {...view}
        sorted
        empty={empty}
        failed={
          lost ? (
            <Blank title={t('problem.BAD_USER_INPUT')} hint={view.problems[0]?.message}>
              <Button type="primary" onClick={() => change({ after: undefined })}>
                {t(byTime ? 'pager.newest' : 'pager.first')}
              </Button>
            </Blank>
          ) : undefined
        }
      />
      {view.rows && (view.hasNext || search.after !== undefined) && (
        <Pager
          byTime={byTime}
          shown={view.rows.length}
          keys=""
          size={search.size}
          after={search.after}
          endCursor={view.endCursor}
          hasNext={view.hasNext}
          go={(after, trail) => change({ after }, trail)}
          resize={(size) => change({ size, after: undefined })}
        />
      )}
    </section>
  );
}
