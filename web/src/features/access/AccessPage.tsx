import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../../app/search';
import { useViewer } from '../../app/viewer';
import type { AccessBindingsQuery } from '../../graph/generated/graphql';
import { AccessBindingsDocument } from '../../graph/generated/graphql';
import { NameFilter } from '../../ui/NameFilter';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { useConnection } from '../../ui/page/useConnection';
import { ChoiceFilter, WordsFilter } from '../../ui/WordsFilter';
import type { Binding } from './binding';
import { BUILT_IN_ROLES } from './binding';
import { useAccessColumns } from './columns';
import { Grant } from './Grant';
import { PeoplePage } from './PeoplePage';
import type { AccessSearch } from './search';
import { filterOf, isNarrowed, SOURCES, SUBJECT_KINDS } from './search';

const idOf = ({ id }: Binding) => id;
const attributesOf = ({ name, subject }: Binding) => ({ 'data-binding': name, 'data-subject': subject.name });
const accessBindings = (data: AccessBindingsQuery) => data.accessBindings;
const NO_ROWS: readonly Binding[] = [];

/** Who has which role where, and why: by binding, or by person. */
export function AccessPage() {
  const search = useSearch({ from: '/signed-in/access' });
  return search.by === 'person' && search.instance ? (
    <PeoplePage search={search} instance={search.instance} />
  ) : (
    <BindingsPage search={search} />
  );
}

function BindingsPage({ search }: { search: AccessSearch }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const filter = JSON.stringify(filterOf(search));
  const view = useConnection({
    document: AccessBindingsDocument,
    variables: useMemo(
      () => ({
        first: search.size ?? PAGE_SIZES[0],
        after: search.after ?? null,
        filter: JSON.parse(filter) as ReturnType<typeof filterOf>,
      }),
      [search.size, search.after, filter],
    ),
    of: accessBindings,
  });
  const { retry } = view;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the same query, by its variables
  const changed = useCallback(() => retry(), [filter, search.after, search.size]);
  const columns = useAccessColumns(changed);
  const rows = view.rows ?? NO_ROWS;
  return (
    <ConnectionPage
      lead={t(viewer && !viewer.owner ? 'access.leadOwn' : 'access.lead')}
      filters={
        <div className="filters-and-action">
          <Filters search={search} rows={rows} />
          <Grant instance={search.instance} known={rows} changed={changed} />
        </div>
      }
      search={search}
      narrowed={isNarrowed(search)}
      view={view}
      texts={{
        empty: t('access.empty'),
        emptyHint: t('access.emptyHint'),
        none: t('access.none'),
        noneHint: t('access.noneHint'),
        badCursor: t('access.badCursor'),
        keys: t('access.keys'),
      }}
      table={{ name: 'access', label: t('access.table'), columns, rowId: idOf, rowAttributes: attributesOf }}
    />
  );
}

const NOT_NARROWED = { subject: undefined, name: undefined, role: undefined, source: undefined };

function Filters({ search, rows }: { search: AccessSearch; rows: readonly Binding[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/access' });
  const narrow = (change: Partial<AccessSearch>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...change, after: undefined }),
      replace: true,
    });
  return (
    <search className="filters">
      <NameFilter name={search.name} change={(name) => narrow({ name })} />
      <ChoiceFilter
        label={t('access.kindOfSubject')}
        placeholder={t('access.anybody')}
        chosen={search.subject}
        options={SUBJECT_KINDS.map((value) => ({ value, label: t(`access.subjectKind.${value}`) }))}
        change={(subject) => narrow({ subject })}
      />
      <WordsFilter
        label={t('access.role')}
        placeholder={t('access.anyRole')}
        chosen={search.role}
        seen={[...BUILT_IN_ROLES, ...rows.map(({ role }) => role)]}
        change={(role) => narrow({ role })}
      />
      <ChoiceFilter
        label={t('access.sourceLabel')}
        placeholder={t('access.anySource')}
        chosen={search.source}
        options={SOURCES.map((value) => ({ value, label: t(`access.source.${value}`) }))}
        change={(source) => narrow({ source })}
      />
      {isNarrowed(search) && (
        <Button type="text" onClick={() => narrow(NOT_NARROWED)}>
          {t('filter.clear')}
        </Button>
      )}
      {search.instance && (
        <Link to="/access" search={{ instance: search.instance, by: 'person' }}>
          {t('access.byPerson')}
        </Link>
      )}
    </search>
  );
}
