import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { Age } from '../../../../ui/Age';
import { Problems } from '../../../../ui/Notices';
import { Stale } from '../../../../ui/Stale';
import type { DataColumn } from '../../../../ui/table/columns';
import { DataTable } from '../../../../ui/table/DataTable';
import { StateBadge } from '../../../../ui/tone';
import type { Tone } from '../../../../ui/tones';
import { FROM, ROUTE } from '../route';
import type { EventRow } from './rows';
import { useEvents } from './useEvents';

const TONES: Record<EventRow['type'], Tone> = { NORMAL: 'idle', WARNING: 'warn', UNKNOWN: 'unknown' };

const idOf = ({ id }: EventRow) => id;
const attributesOf = ({ reason, type, cluster }: EventRow) => ({
  'data-event': reason,
  'data-type': type,
  'data-cluster': cluster?.name,
});

/** What happened to a workload, in the control plane and in its members. A default export, fetched when wanted. */
export default function EventsTab({
  workload,
  instance,
}: {
  workload: WorkloadDetailFragment;
  instance: string;
}) {
  const { t } = useTranslation();
  const { cluster, warnings } = useSearch({ from: FROM });
  const view = useEvents(workload, { instance, cluster, warnings });
  const columns = useEventColumns();
  return (
    <section className="events-tab">
      {view.rows && <Problems problems={view.problems} retry={view.retry} />}
      <Stale unwatched={[{ instance, problems: view.liveProblems }]} />
      <div className="pods-head">
        <span className="muted" role="status">
          {view.rows && t('workloadEvents.count', { count: view.rows.length })}
        </span>
        {cluster && (
          <span className="only-cluster">
            {t('pods.only', { cluster })}{' '}
            <Link from={ROUTE} to="." search={(before) => ({ ...before, cluster: undefined })} replace>
              {t('pods.all')}
            </Link>
          </span>
        )}
        <span className="page-gap" />
        <Link
          from={ROUTE}
          to="."
          search={(before) => ({ ...before, warnings: warnings ? undefined : true })}
          replace
        >
          {t(warnings ? 'workloadEvents.all' : 'workloadEvents.warnings')}
        </Link>
      </div>
      <DataTable
        {...view}
        name="events"
        label={t('workloadEvents.table', { name: workload.name })}
        columns={columns}
        rowId={idOf}
        rowAttributes={attributesOf}
        empty={<p className="muted">{t('workloadEvents.none')}</p>}
      />
    </section>
  );
}

function useEventColumns() {
  const { t } = useTranslation();
  return useMemo(
    (): DataColumn<EventRow>[] => [
      {
        id: 'reason',
        header: t('workloadEvents.reason'),
        namesRow: true,
        cell: ({ reason, type }) => (
          <StateBadge tone={TONES[type]} title={t(`workloadEvents.type.${type}`)}>
            {reason}
          </StateBadge>
        ),
      },
      { id: 'age', header: t('workloadEvents.lastSeen'), cell: ({ lastSeen }) => <Age since={lastSeen} /> },
      {
        id: 'count',
        header: t('workloadEvents.times'),
        number: true,
        cell: ({ count }) => count,
      },
      {
        id: 'cluster',
        header: t('workload.cluster'),
        cell: ({ cluster }) =>
          cluster?.name ?? <span className="muted">{t('workloadEvents.controlPlane')}</span>,
      },
      {
        id: 'object',
        header: t('workloadEvents.object'),
        cell: ({ regarding: { kind, name } }) => (
          <span className="wrap">
            <span className="kind">{kind}</span> {name}
          </span>
        ),
      },
      {
        id: 'message',
        header: t('workloadEvents.message'),
        cell: ({ message, source }) => (
          <span className="wrap" title={source}>
            {message}
          </span>
        ),
      },
    ],
    [t],
  );
}
