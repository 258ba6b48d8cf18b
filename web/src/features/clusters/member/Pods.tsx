import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Missing } from '../../../app/pods/Missing';
import { toneOfPod } from '../../../app/pods/tone';
import { usePods } from '../../../app/pods/usePods';
import type { PodRowFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { Stale } from '../../../ui/Stale';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import { StateBadge } from '../../../ui/tone';
import { podsFirst } from './podsFirst';

interface PodsProps {
  id: string;
  instance: string;
  cluster: string;
}

const idOf = ({ id }: PodRowFragment) => id;
const attributesOf = ({ name, phase }: PodRowFragment) => ({ 'data-pod': name, 'data-phase': phase });

/** The pods of a cluster as it tells of them, those in trouble first. */
export default function Pods({ id, instance, cluster }: PodsProps) {
  const { t } = useTranslation();
  const view = usePods(id);
  const rows = useMemo(() => view.pods && podsFirst(view.pods), [view.pods]);
  const ready = rows?.filter((pod) => toneOfPod(pod) === 'ok').length ?? 0;
  return (
    <section className="connection-table">
      <Stale unwatched={[{ instance, problems: view.problems }]} />
      <Missing missing={view.missing} limited={view.limited} />
      <div className="connection-head">
        <span className="muted" role="status">
          {rows && rows.length > 0 && t('member.podsReady', { ready, count: rows.length })}
        </span>
      </div>
      <DataTable
        name="member-pods"
        label={t('member.podsIn', { cluster })}
        columns={useColumns()}
        rows={rows}
        loading={view.problems.length === 0}
        problems={view.problems}
        rowId={idOf}
        rowAttributes={attributesOf}
        empty={view.missing.length === 0 && <p className="muted">{t('member.noPods')}</p>}
      />
    </section>
  );
}

function useColumns(): DataColumn<PodRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'state',
        header: t('clusters.state'),
        cell: (pod) => (
          <>
            <StateBadge tone={toneOfPod(pod)}>{pod.reason}</StateBadge>
            {pod.message && <div className="muted small wrap">{pod.message}</div>}
          </>
        ),
      },
      {
        id: 'pod',
        header: t('member.pod'),
        namesRow: true,
        cell: ({ name, namespace }) => (
          <>
            <span className="name wrap">{name}</span>
            <div className="muted small">{namespace}</div>
          </>
        ),
      },
      {
        id: 'ready',
        header: t('member.ready'),
        number: true,
        cell: ({ readyContainers, containerCount }) => `${readyContainers}/${containerCount}`,
      },
      {
        id: 'restarts',
        header: t('member.restarts'),
        number: true,
        cell: ({ restarts, lastRestartAt }) => (
          <>
            {restarts}
            {lastRestartAt && (
              <div className="muted small">
                <Age since={lastRestartAt} />
              </div>
            )}
          </>
        ),
      },
      {
        id: 'node',
        header: t('member.node'),
        cell: ({ nodeName }) => <span className="wrap">{nodeName ?? '–'}</span>,
      },
      {
        id: 'age',
        header: t('member.age'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
    ],
    [t],
  );
}
