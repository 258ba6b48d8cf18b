import { Blank } from '../ui/Notices';
import { Stale } from '../ui/Stale';
import { DataTable } from '../ui/table/DataTable';
import { useTableOrder } from '../ui/table/order';
import type { Fruit } from './fixtures';
import { FORBIDDEN, fruit, LONG, STALE, TABLE, UNREACHABLE } from './fixtures';
import type { Story } from './story';

interface TableStory {
  rows?: readonly Fruit[] | null;
  loading?: boolean;
  picked?: string;
}

const noRetry = () => {};
const none = <Blank title="No fruit" hint="Plant a tree." />;

function table({ rows = fruit(6), ...state }: TableStory = {}) {
  return <DataTable {...TABLE} rows={rows} problems={[]} retry={noRetry} empty={none} {...state} />;
}

function Sortable() {
  const { order, reorder } = useTableOrder();
  return <DataTable {...TABLE} rows={fruit(8)} empty={none} order={order} reorder={reorder} />;
}

const story = (state: string, render: Story['render'], search?: string): Story => ({
  of: 'DataTable',
  state,
  render,
  search,
});

export const TABLE_STORIES: Story[] = [
  story('loading', () => table({ rows: null, loading: true })),
  story('empty', () => table({ rows: [] })),
  story('error', () => (
    <DataTable {...TABLE} rows={null} problems={[UNREACHABLE]} retry={noRetry} empty={none} />
  )),
  story('forbidden', () => (
    <DataTable {...TABLE} rows={null} problems={[FORBIDDEN]} retry={noRetry} empty={none} />
  )),
  story('stale', () => (
    <DataTable
      {...TABLE}
      rows={fruit(3)}
      empty={none}
      stale={<Stale instances={[{ name: 'asia', freshness: STALE }]} unwatched={[]} />}
    />
  )),
  story('rows', () => table()),
  story('read anew', () => table({ loading: true })),
  story('one row picked', () => table({ picked: '2' })),
  story('long content', () => table({ rows: LONG })),
  story('many rows', () => table({ rows: fruit(500) })),
  story('unsorted', () => <Sortable />),
  story('sorted', () => <Sortable />, '?sort=-crates'),
];
