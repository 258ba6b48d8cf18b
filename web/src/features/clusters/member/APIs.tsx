import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ClusterEnablementsDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { NameFilter } from '../../../ui/NameFilter';
import { useAsOf } from '../../../ui/page/asOf';
import { useSearchChange } from '../../../ui/page/ConnectionPage';
import { Refresh } from '../../../ui/page/Refresh';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import type { API } from './matching';
import { matching } from './matching';
import type { TabProps } from './tab';

const idOf = ({ groupVersion }: API) => groupVersion;
const attributesOf = ({ groupVersion }: API) => ({ 'data-api': groupVersion });

/** The APIs that a cluster serves: what is of another kind cannot be placed there. */
export default function APIs({ instance, cluster, search: { name } }: TabProps) {
  const { t } = useTranslation();
  const change = useSearchChange();
  const [{ data, error, fetching, stale }, read] = useQuery({
    query: ClusterEnablementsDocument,
    variables: { instance, cluster },
  });
  const loading = fetching || stale;
  const asOf = useAsOf(loading);
  const all = data?.instance?.cluster?.apiEnablements;
  const rows = useMemo(() => (all ? matching(all, name) : null), [all, name]);
  const retry = () => read({ requestPolicy: 'network-only' });
  return (
    <section className="connection-table">
      <div className="connection-head">
        <NameFilter name={name} change={(name) => change({ name })} />
        <span className="muted" role="status">
          {rows && t('member.apis', { count: rows.length })}
        </span>
        <span className="page-gap" />
        {all && asOf && <Refresh asOf={asOf} loading={loading} read={retry} />}
      </div>
      <DataTable
        name="apis"
        label={t('member.apisOf', { cluster })}
        columns={useColumns()}
        rows={rows}
        loading={loading}
        problems={problemsOf(error)}
        retry={retry}
        rowId={idOf}
        rowAttributes={attributesOf}
        empty={<p className="muted">{t(name ? 'member.noAPI' : 'member.noAPIs', { name })}</p>}
      />
    </section>
  );
}

function useColumns(): DataColumn<API>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'api',
        header: t('member.api'),
        namesRow: true,
        cell: ({ groupVersion }) => <span className="mono wrap">{groupVersion}</span>,
      },
      {
        id: 'kinds',
        header: t('member.kinds'),
        cell: ({ kinds }) => <span className="wrap">{[...kinds].sort().join(', ')}</span>,
      },
    ],
    [t],
  );
}
