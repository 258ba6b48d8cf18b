import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permit } from '../../../app/permission';
import type { PodRowFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';
import { toneOfPod } from './pod';
import { Into } from './Into';

export interface Rights {
  log: Permit;
  terminal: Permit;
}

export function usePodColumns(rights: Rights): DataColumn<PodRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'pod',
        header: t('pods.pod'),
        namesRow: true,
        cell: ({ name }) => <span className="name">{name}</span>,
      },
      { id: 'cluster', header: t('workload.cluster'), cell: ({ cluster }) => cluster?.name },
      {
        id: 'status',
        header: t('pods.status'),
        attributes: (pod) => ({ 'data-phase': pod.phase }),
        cell: (pod) => (
          <>
            <StateBadge tone={toneOfPod(pod)}>{pod.reason}</StateBadge>
            {pod.message && <div className="muted small wrap">{pod.message}</div>}
          </>
        ),
      },
      {
        id: 'ready',
        header: t('workload.ready'),
        number: true,
        cell: ({ readyContainers, containerCount }) => `${readyContainers}/${containerCount}`,
      },
      {
        id: 'restarts',
        header: t('pods.restarts'),
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
      { id: 'age', header: t('workloads.age'), number: true, cell: (pod) => <Age since={pod.createdAt} /> },
      {
        id: 'node',
        header: t('pods.node'),
        cell: ({ nodeName }) => nodeName ?? <span className="muted">–</span>,
      },
      { id: 'into', header: t('pods.into'), cell: (pod) => <Into pod={pod} rights={rights} /> },
    ],
    [t, rights],
  );
}
