import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../app/fleet';
import { MoreElsewhere } from '../../app/MoreElsewhere';
import { NameFilter } from '../../ui/NameFilter';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { Stale } from '../../ui/Stale';
import { useNamespaceColumns } from './columns';
import { CreateNamespace } from './CreateNamespace';
import type { Row } from './namespace';
import './texts';
import { useNamespaces } from './useNamespaces';

const idOf = ({ id }: Row) => id;
const attributesOf = ({ name }: Row) => ({ 'data-namespace': name });

/** The namespaces of control planes, and how much is in them. */
export function NamespacesPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/namespaces' });
  const navigate = useNavigate({ from: '/namespaces' });
  const { totalCount, unwatched, more, contents, ...view } = useNamespaces(search);
  const { instances } = useFleet();
  const columns = useNamespaceColumns(!search.instance, contents);
  const narrow = (name: string | undefined) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, name, after: undefined }),
      replace: true,
    });
  return (
    <ConnectionPage
      lead={totalCount !== null && t('namespaces.total', { count: totalCount })}
      filters={
        <div className="filters-and-action">
          <search className="filters">
            <NameFilter name={search.name} change={narrow} />
            {search.name !== undefined && (
              <Button type="text" onClick={() => narrow(undefined)}>
                {t('filter.clear')}
              </Button>
            )}
          </search>
          <CreateNamespace instance={search.instance} />
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
      narrowed={search.name !== undefined}
      view={view}
      texts={{
        empty: t('namespaces.empty'),
        emptyHint: t('namespaces.emptyHint'),
        none: t('namespaces.none'),
        noneHint: t('namespaces.noneHint'),
        badCursor: t('namespaces.badCursor'),
        keys: t('namespaces.keys'),
      }}
      table={{
        name: 'namespaces',
        label: t('app.namespaces'),
        columns,
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
    />
  );
}
