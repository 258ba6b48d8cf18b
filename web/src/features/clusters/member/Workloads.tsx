import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOfKind } from '../../../app/kinds';
import { PAGE_SIZES } from '../../../app/search';
import type { ClusterWorkloadsQuery } from '../../../graph/generated/graphql';
import { ClusterWorkloadsDocument } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { ConnectionTable } from '../../../ui/page/ConnectionTable';
import { useConnection } from '../../../ui/page/useConnection';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';
import { toneOfState } from '../../../ui/tones';
import { Promote } from '../promote/Promote';
import type { TabProps } from './tab';

type Row = NonNullable<
  NonNullable<NonNullable<ClusterWorkloadsQuery['instance']>['cluster']>['workloads']
>['nodes'][number];

const idOf = ({ id }: Row) => id;
const attributesOf = ({ name, state }: Row) => ({ 'data-member-workload': name, 'data-state': state });

/** The workloads in a cluster, whoever put them there. */
export default function Workloads({ instance, cluster, search }: TabProps) {
  const { t } = useTranslation();
  const { after, size } = search;
  const view = useConnection({
    document: ClusterWorkloadsDocument,
    variables: useMemo(
      () => ({ instance, cluster, first: size ?? PAGE_SIZES[0], after }),
      [instance, cluster, size, after],
    ),
    of: (data) => data.instance?.cluster?.workloads,
  });
  const rows = useMemo(() => view.rows && [...view.rows].sort((a, b) => rank(a) - rank(b)), [view.rows]);
  return (
    <ConnectionTable
      lead={rows && t('member.shown', { count: rows.length })}
      search={search}
      view={{ ...view, rows }}
      table={{
        name: 'member-workloads',
        label: t('member.workloadsIn', { cluster }),
        columns: useColumns(instance, cluster),
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
      empty={<p className="muted">{t('member.noWorkloads')}</p>}
    />
  );
}

function rank({ state }: Row): number {
  const tone = toneOfState(state);
  return ['bad', 'warn', 'unknown', 'busy'].indexOf(tone) + (tone === 'ok' || tone === 'idle' ? 5 : 0);
}

function useColumns(instance: string, cluster: string): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'state',
        header: t('clusters.state'),
        cell: ({ state, stateReason }) => (
          <>
            <StateBadge tone={toneOfState(state)} title={stateReason}>
              {t(`state.${state}`)}
            </StateBadge>
            {state !== 'RUNNING' && <div className="muted small wrap">{stateReason}</div>}
          </>
        ),
      },
      {
        id: 'workload',
        header: t('member.workload'),
        namesRow: true,
        cell: ({ name, namespace, template }) => (
          <>
            {template ? (
              <Link
                to="/workloads/$instance/$namespace/$kind/$name"
                params={{
                  instance,
                  namespace: template.namespace,
                  kind: pathOfKind(template.kind),
                  name: template.name,
                }}
                className="name wrap"
              >
                {name}
              </Link>
            ) : (
              <span className="name wrap">{name}</span>
            )}
            <div className="muted small">{namespace}</div>
          </>
        ),
      },
      { id: 'kind', header: t('member.kind'), cell: ({ kind }) => <span className="kind">{kind}</span> },
      {
        id: 'ready',
        header: t('member.ready'),
        number: true,
        cell: ({ status, replicas }) => [status?.ready ?? '–', replicas].filter((n) => n != null).join('/'),
      },
      {
        id: 'origin',
        header: t('member.origin'),
        cell: (row) =>
          row.template ? (
            t('member.byKarmada')
          ) : (
            <>
              <div className="muted">{t('member.byOthers')}</div>
              <Promote instance={instance} cluster={cluster} workload={row} />
            </>
          ),
      },
      {
        id: 'images',
        header: t('member.images'),
        cell: ({ images }) => <span className="mono small wrap">{images.join(', ')}</span>,
      },
      {
        id: 'age',
        header: t('member.age'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
    ],
    [t, instance, cluster],
  );
}
