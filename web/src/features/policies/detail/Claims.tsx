import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ObjectLink } from '../../../app/ObjectLink';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { Problems } from '../../../ui/Notices';
import { Refresh } from '../../../ui/page/Refresh';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import type { Claim } from './useClaims';
import { useClaims } from './useClaims';

const idOf = ({ id }: Claim) => id;
const attributesOf = ({ object }: Claim) => ({ 'data-claim': object.name });

interface ClaimsProps {
  policy: PolicyDetailFragment;
  instance: string;
  after: string | undefined;
}

/** What a policy claims now, and where that goes. */
export function Claims({ policy, instance, after }: ClaimsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const view = useClaims(policy, instance, after);
  const overrides = 'overrideRules' in policy;
  const columns = useClaimColumns(instance, overrides);
  const go = (after: string | undefined) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, after }) });
  return (
    <section>
      <div className="section-head">
        <h2>
          {t(overrides ? 'policies.applies' : 'policies.claims')}{' '}
          {view.totalCount !== null && <span className="muted">{view.totalCount}</span>}
        </h2>
        {view.clusters && (
          <span className="muted small" data-reaches>
            {view.clusters.length > 0
              ? t('policies.inClusters', { names: view.clusters.map(({ name }) => name).join(', ') })
              : t('policies.nowhere')}
          </span>
        )}
        <span className="page-gap" />
        {!view.live && view.asOf && <Refresh asOf={view.asOf} loading={view.loading} read={view.retry} />}
      </div>
      {view.claims && <Problems problems={view.problems} retry={view.retry} />}
      <DataTable
        name="claims"
        label={t(overrides ? 'policies.applies' : 'policies.claims')}
        columns={columns}
        rows={view.claims}
        rowId={idOf}
        rowAttributes={attributesOf}
        loading={view.loading}
        problems={view.problems}
        retry={view.retry}
        sorted
        empty={<p className="muted">{t(overrides ? 'policies.appliesNothing' : 'policies.claimsNothing')}</p>}
      />
      {(view.hasNext || after) && (
        <div className="pager">
          <Button disabled={!after} onClick={() => go(undefined)}>
            {t('pager.first')}
          </Button>
          <Button disabled={!view.hasNext} onClick={() => go(view.endCursor ?? undefined)}>
            {t('pager.next')}
          </Button>
        </div>
      )}
    </section>
  );
}

function useClaimColumns(instance: string, overrides: boolean): DataColumn<Claim>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const clusters: DataColumn<Claim> = {
      id: 'where',
      header: t('policies.goesTo'),
      cell: (row) => <Where claim={row} />,
    };
    return [
      { id: 'kind', header: t('policies.kind'), cell: ({ object }) => object.kind },
      {
        id: 'namespace',
        header: t('policies.namespace'),
        cell: ({ object }) => object.namespace ?? <span className="muted">–</span>,
      },
      {
        id: 'name',
        header: t('policies.name'),
        namesRow: true,
        attributes: ({ object }) => ({ title: object.name }),
        cell: ({ object }) => <ObjectLink instance={instance} object={object} />,
      },
      ...(overrides ? [] : [clusters]),
    ];
  }, [t, instance, overrides]);
}

function Where({ claim: { clusters } }: { claim: Claim }) {
  const { t } = useTranslation();
  if (!clusters) return null;
  if (clusters.length === 0) return <span className="tone-bad state">{t('policies.noCluster')}</span>;
  return clusters
    .map(({ clusterName, replicas }) => (replicas === null ? clusterName : `${clusterName} ${replicas}`))
    .join(', ');
}
