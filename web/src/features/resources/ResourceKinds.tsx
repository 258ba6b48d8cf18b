import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { typeText } from '../../app/objects';
import { NameFilter } from '../../ui/NameFilter';
import { Blank, Problems } from '../../ui/Notices';
import { PageHead } from '../../ui/page/PageHead';
import type { DataColumn } from '../../ui/table/columns';
import { DataTable } from '../../ui/table/DataTable';
import type { ServedKind } from './kinds';
import { commonKinds, matchesKind } from './kinds';
import type { ResourcesSearch } from './search';
import { useKinds } from './useKinds';

const idOf = (kind: ServedKind) => typeText(kind);
const attributesOf = (kind: ServedKind) => ({ 'data-kind': typeText(kind) });

/** Every kind that can be listed, each leading to its objects. */
export function ResourceKinds({ search }: { search: ResourcesSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/resources' });
  const { kinds, loading, problems, retry } = useKinds(search.instance);
  const shown = useMemo(
    () => kinds?.filter((kind) => !search.name || matchesKind(kind, search.name)) ?? null,
    [kinds, search.name],
  );
  const columns = useKindColumns(search.instance);
  return (
    <div className="page">
      <PageHead lead={shown && t('resources.kindCount', { count: shown.length })} />
      <search className="filters">
        <NameFilter
          name={search.name}
          change={(name) =>
            void navigate({ to: '.', search: (before) => ({ ...before, name }), replace: true })
          }
        />
        <ul className="common-kinds" aria-label={t('resources.common')}>
          {commonKinds(kinds ?? []).map((kind) => (
            <li key={typeText(kind)}>
              <KindLink kind={kind} instance={search.instance} />
            </li>
          ))}
        </ul>
      </search>
      {kinds && <Problems problems={problems} retry={retry} />}
      <DataTable
        name="kinds"
        label={t('resources.kinds')}
        columns={columns}
        rows={shown}
        rowId={idOf}
        rowAttributes={attributesOf}
        loading={loading}
        problems={problems}
        retry={retry}
        sorted
        empty={<Blank title={t('resources.noKind')} hint={t('resources.emptyHint')} />}
      />
    </div>
  );
}

function KindLink({ kind, instance }: { kind: ServedKind; instance: string | undefined }) {
  return (
    <Link to="/resources" search={{ instance, type: typeText(kind) }} className="name">
      {kind.kind}
    </Link>
  );
}

function useKindColumns(instance: string | undefined): DataColumn<ServedKind>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: (DataColumn<ServedKind> | false)[] = [
      {
        id: 'kind',
        header: t('resources.kind'),
        namesRow: true,
        cell: (kind) => <KindLink kind={kind} instance={instance} />,
      },
      { id: 'api', header: t('resources.apiVersion'), cell: ({ apiVersion }) => apiVersion },
      { id: 'short', header: t('resources.shortNames'), cell: ({ shortNames }) => shortNames.join(', ') },
      { id: 'scope', header: t('resources.scope'), cell: ({ scope }) => t(`resources.scopes.${scope}`) },
      {
        id: 'custom',
        header: t('resources.origin'),
        cell: ({ custom }) => t(custom ? 'resources.custom' : 'resources.builtIn'),
      },
      instance === undefined && {
        id: 'instances',
        header: t('resources.servedBy'),
        attributes: ({ instances }) => ({ title: instances.join(', ') }),
        cell: ({ instances }) => instances.join(', '),
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, instance]);
}
