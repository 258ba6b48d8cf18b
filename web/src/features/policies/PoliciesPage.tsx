import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../app/fleet';
import { MoreElsewhere } from '../../app/MoreElsewhere';
import { POLICY_KINDS } from '../../app/objects';
import { NameFilter } from '../../ui/NameFilter';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { Stale } from '../../ui/Stale';
import { ChoiceFilter, WordsFilter } from '../../ui/WordsFilter';
import { CreateLink } from './CreateLink';
import { usePolicyColumns } from './columns';
import type { PoliciesSearch, Row } from './search';
import { isNarrowed } from './search';
import { usePolicies } from './usePolicies';

const idOf = ({ id }: Row) => id;
const attributesOf = ({ kind, name }: Row) => ({ 'data-policy': name, 'data-kind': kind });

const NO_ROWS: readonly Row[] = [];

/** What says where objects go, and how they differ there. */
export function PoliciesPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/policies' });
  const { totalCount, unwatched, more, reach, ...view } = usePolicies(search);
  const { instances } = useFleet();
  const columns = usePolicyColumns(!search.instance, reach);
  return (
    <ConnectionPage
      lead={totalCount !== null && t('policies.total', { count: totalCount })}
      filters={
        <div className="filters-and-action">
          <Filters search={search} rows={view.rows ?? NO_ROWS} />
          <CreateLink instance={search.instance} />
        </div>
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
        empty: t('policies.empty'),
        emptyHint: t('policies.emptyHint'),
        none: t('policies.none'),
        noneHint: t('policies.noneHint'),
        badCursor: t('policies.badCursor'),
        keys: t('policies.keys'),
      }}
      table={{
        name: 'policies',
        label: t('policies.title'),
        columns,
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
    />
  );
}

const NOT_NARROWED = { kind: undefined, namespace: undefined, name: undefined, selects: undefined };

function Filters({ search, rows }: { search: PoliciesSearch; rows: readonly Row[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const narrow = (change: Partial<PoliciesSearch>) =>
    void navigate({
      to: '/policies',
      search: (before) => ({ ...before, ...change, after: undefined }),
      replace: true,
    });
  return (
    <search className="filters">
      <NameFilter name={search.name} change={(name) => narrow({ name })} />
      <ChoiceFilter
        label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        chosen={search.kind}
        options={POLICY_KINDS.map(({ path, kind }) => ({ value: path, label: kind }))}
        change={(kind) => narrow({ kind })}
      />
      <WordsFilter
        label={t('filter.namespace')}
        placeholder={t('filter.anyNamespace')}
        chosen={search.namespace}
        seen={rows.map(({ namespace }) => namespace)}
        change={(namespace) => narrow({ namespace })}
      />
      <WordsFilter
        label={t('policies.selectsKind')}
        placeholder={t('policies.selectsAny')}
        chosen={search.selects ? [search.selects] : undefined}
        seen={rows.flatMap(({ resourceSelectors }) => resourceSelectors?.map(({ kind }) => kind) ?? [])}
        change={(kinds) => narrow({ selects: kinds?.at(-1) })}
      />
      {isNarrowed(search) && (
        <Button type="text" onClick={() => narrow(NOT_NARROWED)}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  );
}
