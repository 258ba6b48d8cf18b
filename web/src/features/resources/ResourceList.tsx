import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../app/fleet';
import { MoreElsewhere } from '../../app/MoreElsewhere';
import type { ObjectType } from '../../app/objects';
import { NameFilter } from '../../ui/NameFilter';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { Stale } from '../../ui/Stale';
import { SelectionProvider, useSelection } from '../../ui/table/selection';
import { WordsFilter } from '../../ui/WordsFilter';
import { Bulk } from './Bulk';
import { useResourceColumns } from './columns';
import { CreateLink } from './CreateLink';
import { KindPicker } from './KindPicker';
import { LabelsFilter } from './LabelsFilter';
import type { ServedKind } from './kinds';
import type { ResourcesSearch } from './search';
import { isNarrowed } from './search';
import { useKinds } from './useKinds';
import { useResources } from './useResources';
import type { Row } from './where';

const idOf = ({ id }: Row) => id;
const attributesOf = ({ name }: Row) => ({ 'data-resource': name });

const NO_ROWS: readonly Row[] = [];
const NO_KINDS: readonly ServedKind[] = [];

interface ListProps {
  search: ResourcesSearch;
  type: ObjectType;
}

/** The objects of one kind, and where they are. */
export function ResourceList({ search, type }: ListProps) {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const { kinds } = useKinds(search.instance);
  const served = kinds?.find(({ apiVersion, kind }) => apiVersion === type.apiVersion && kind === type.kind);
  // A kind that is not among them may be served all the same: an older version, or by an instance that did not answer.
  const serving = served?.instances ?? (kinds ? (instances?.map(({ name }) => name) ?? null) : null);
  const { totalCount, unwatched, more, ...view } = useResources(search, type, serving);
  const selection = useSelection(view.rows);
  const columns = useResourceColumns({
    instance: !search.instance,
    namespace: served?.scope !== 'CLUSTER',
    keys: type.apiVersion === 'v1' && (type.kind === 'ConfigMap' || type.kind === 'Secret'),
  });
  const chosen = view.rows?.filter(({ id }) => selection.ids.has(id)) ?? NO_ROWS;
  return (
    <ConnectionPage
      lead={totalCount !== null ? t('resources.total', { count: totalCount, kind: type.kind }) : type.kind}
      filters={
        <>
          <div className="filters-and-action">
            <Filters search={search} kinds={kinds ?? NO_KINDS} rows={view.rows ?? NO_ROWS} served={served} />
            <CreateLink instance={search.instance} served={served} />
          </div>
          <Bulk chosen={chosen} served={served} clear={selection.clear} />
        </>
      }
      stale={
        <>
          <Stale
            instances={instances?.filter(({ name }) => !search.instance || search.instance === name)}
            unwatched={unwatched}
          />
          <MoreElsewhere instances={more} />
        </>
      }
      search={search}
      narrowed={isNarrowed(search)}
      view={view}
      texts={{
        empty: t('resources.empty', { kind: type.kind }),
        emptyHint: t('resources.emptyHint'),
        none: t('resources.none', { kind: type.kind }),
        noneHint: t('resources.noneHint'),
        badCursor: t('resources.badCursor'),
        keys: t('resources.keysHint'),
      }}
      table={{ name: 'resources', label: type.kind, columns, rowId: idOf, rowAttributes: attributesOf }}
      around={(table) => <SelectionProvider selection={selection}>{table}</SelectionProvider>}
    />
  );
}

interface FiltersProps {
  search: ResourcesSearch;
  kinds: readonly ServedKind[];
  rows: readonly Row[];
  served: ServedKind | undefined;
}

const NOT_NARROWED = { namespace: undefined, name: undefined, labels: undefined };

function Filters({ search, kinds, rows, served }: FiltersProps) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/resources' });
  const narrow = (change: Partial<ResourcesSearch>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...change, after: undefined }),
      replace: true,
    });
  return (
    <search className="filters">
      <KindPicker kinds={kinds} type={search.type} />
      <NameFilter name={search.name} change={(name) => narrow({ name })} />
      {served?.scope !== 'CLUSTER' && (
        <WordsFilter
          label={t('filter.namespace')}
          placeholder={t('filter.anyNamespace')}
          chosen={search.namespace}
          seen={rows.map(({ namespace }) => namespace)}
          change={(namespace) => narrow({ namespace })}
        />
      )}
      <LabelsFilter labels={search.labels} change={(labels) => narrow({ labels })} />
      {isNarrowed(search) && (
        <Button type="text" onClick={() => narrow(NOT_NARROWED)}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  );
}
