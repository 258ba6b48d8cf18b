import { Link, useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageSize } from '../../app/search';
import { Blank, Failed, NoInstance, Problems } from '../Notices';
import { Pager } from '../Pager';
import type { ListView, TableShape } from '../table/DataTable';
import { DataTable } from '../table/DataTable';
import { useTableOrder } from '../table/order';
import type { AsOf } from './asOf';
import { PageHead } from './PageHead';
import { Refresh } from './Refresh';

/** What a page of a GraphQL connection knows. */
export interface ConnectionView<Row> extends ListView<Row> {
  endCursor: string | null;
  hasNext: boolean;
  /** When it was read; left out where what comes and goes is told. */
  asOf?: AsOf;
}

/** What the address of such a page says, whatever else it says. */
interface ConnectionSearch {
  instance?: string;
  after?: string;
  size?: PageSize;
}

export interface ConnectionTexts {
  /** Nothing passes the filters. */
  empty: string;
  emptyHint: string;
  /** There is nothing at all. */
  none: string;
  noneHint: string;
  /** The cursor in the address leads nowhere. */
  badCursor: string;
  /** Which keys do what. */
  keys: string;
}

interface ConnectionPageProps<Row> {
  lead: ReactNode;
  filters: ReactNode;
  /** Why the rows may be old. */
  stale?: ReactNode;
  search: ConnectionSearch;
  /** Filters leave something out. */
  narrowed: boolean;
  view: ConnectionView<Row>;
  texts: ConnectionTexts;
  table: TableShape<Row>;
  /** The row that is looked at, by its id. */
  picked?: string;
  /** The list begins with the newest. */
  byTime?: boolean;
  /** What belongs to one page of the list, and is not for the next: left out of the address there. */
  ofPage?: Readonly<Record<string, undefined>>;
  /** What the table stands in. */
  around?: (table: ReactNode) => ReactNode;
  /** What can be done where there is nothing yet. */
  offer?: ReactNode;
  children?: ReactNode;
}

/** A list that the server gives page by page: title, filters, what is missing, rows, and the way on. */
export function ConnectionPage<Row extends object>(props: ConnectionPageProps<Row>) {
  const { lead, filters, stale, search, view, texts, table, picked, byTime, ofPage, around, children } =
    props;
  const change = useSearchChange();
  const { order, reorder } = useTableOrder();
  const rows = (
    <DataTable
      {...table}
      {...view}
      sorted
      order={order}
      reorder={reorder}
      picked={picked}
      stale={stale}
      failed={<NotRead {...props} />}
      empty={<Empty {...props} />}
    />
  );
  return (
    <div className="page">
      <PageHead lead={lead} table={table}>
        {view.rows && view.asOf && <Refresh asOf={view.asOf} loading={view.loading} read={view.retry} />}
      </PageHead>
      {filters}
      {view.rows && <Problems problems={view.problems} retry={view.retry} />}
      {around ? around(rows) : rows}
      {view.rows && view.rows.length > 0 && (
        <Pager
          byTime={byTime}
          shown={view.rows.length}
          keys={texts.keys}
          size={search.size}
          after={search.after}
          endCursor={view.endCursor}
          hasNext={view.hasNext}
          go={(after, trail) => change({ ...ofPage, after }, trail)}
          resize={(size) => change({ size, after: undefined })}
        />
      )}
      {children}
    </div>
  );
}

/** Changes what the address says of this page, and leaves the rest. */
export function useSearchChange() {
  const navigate = useNavigate();
  return (change: Record<string, unknown>, trail?: (string | null)[]) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, ...change }),
      state: trail && { trail },
    });
}

type StateProps<Row> = Pick<
  ConnectionPageProps<Row>,
  'search' | 'narrowed' | 'view' | 'texts' | 'byTime' | 'offer'
>;

function Empty<Row>({ search: { instance }, narrowed, texts, offer }: StateProps<Row>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  if (!narrowed)
    return (
      <Blank title={texts.none} hint={texts.noneHint}>
        {offer}
      </Blank>
    );
  return (
    <Blank title={texts.empty} hint={texts.emptyHint}>
      <Button onClick={() => void navigate({ to: '.', search: () => ({ instance }) })}>
        {t('filter.clear')}
      </Button>
    </Blank>
  );
}

/** In place of rows that could not be read: what the address is to blame for, or what went wrong. */
function NotRead<Row>({ search, view, texts, byTime }: StateProps<Row>) {
  const { t } = useTranslation();
  const change = useSearchChange();
  const is = (code: string) => view.problems.some((problem) => problem.code === code);
  if (search.after && is('BAD_USER_INPUT')) {
    return (
      <Blank title={texts.badCursor} hint={view.problems[0]?.message}>
        <Button type="primary" onClick={() => change({ after: undefined })}>
          {t(byTime ? 'pager.newest' : 'pager.first')}
        </Button>
      </Blank>
    );
  }
  if (search.instance && is('NOT_FOUND')) {
    return (
      <NoInstance instance={search.instance}>
        <Link to="." search={() => ({})}>
          {t('app.allInstances')}
        </Link>
      </NoInstance>
    );
  }
  return <Failed problems={view.problems} retry={view.retry} />;
}
