import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import { ConnectionPage } from '../../../ui/page/ConnectionPage';
import { Stale } from '../../../ui/Stale';
import { SelectionProvider, useSelection } from '../../../ui/table/selection';
import { Bulk } from './bulk/Bulk';
import { ChipCard } from './ChipCard';
import { useWorkloadColumns } from './columns';
import { CreateLink } from './CreateLink';
import { Filters } from './Filters';
import type { Row } from './page';
import { isNarrowed } from './search';
import { useWorkloads } from './useWorkloads';

const idOf = ({ id }: Row) => id;
const attributesOf = ({ id }: Row) => ({ 'data-workload': id });

const NO_ROWS: readonly Row[] = [];

/** Every workload, and where it runs. */
export function WorkloadsPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/workloads' });
  const { totalCount, unwatched, ...view } = useWorkloads(search);
  const { instances } = useFleet();
  const columns = useWorkloadColumns(!search.instance);
  const rows = view.rows ?? NO_ROWS;
  const selection = useSelection(view.rows);
  const chosen = rows.filter(({ id }) => selection.ids.has(id));
  const offer = <CreateLink instance={search.instance} namespace={search.namespace} />;
  return (
    <ConnectionPage
      lead={totalCount !== null && t('workloads.total', { count: totalCount })}
      filters={
        <>
          <div className="filters-and-action">
            <Filters search={search} rows={rows} />
            {offer}
          </div>
          <Bulk chosen={chosen} clear={selection.clear} />
        </>
      }
      offer={offer}
      stale={
        <Stale
          instances={instances?.filter(({ name }) => !search.instance || search.instance === name)}
          unwatched={unwatched}
        />
      }
      search={search}
      narrowed={isNarrowed(search)}
      view={view}
      texts={{
        empty: t('workloads.empty'),
        emptyHint: t('workloads.emptyHint'),
        none: t('workloads.none'),
        noneHint: t('workloads.noneHint'),
        badCursor: t('workloads.badCursor'),
        keys: t('workloads.keys'),
      }}
      table={{
        name: 'workloads',
        label: t('workloads.table'),
        columns,
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
      around={(table) => (
        <SelectionProvider selection={selection}>
          <ChipCard rows={rows}>{table}</ChipCard>
        </SelectionProvider>
      )}
    />
  );
}
