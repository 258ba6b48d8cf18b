import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ClusterLink } from '../../app/ClusterLink';
import { useFleet } from '../../app/fleet';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { FreshnessMark } from '../../ui/Freshness';
import type { DataColumn } from '../../ui/table/columns';
import { CPU, Memory, NotReported, Place, Taints } from './cells';
import { HealthMark } from './member/HealthMark';

export function useClusterColumns(instance: string): DataColumn<ClusterRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'cluster',
        header: t('clusters.cluster'),
        namesRow: true,
        cell: (cluster) => (
          <>
            <ClusterLink instance={instance} cluster={cluster.name} />
            <Taints cluster={cluster} />
          </>
        ),
      },
      {
        id: 'state',
        header: t('clusters.state'),
        cell: (cluster) => (
          <>
            <HealthMark cluster={cluster} />
            {cluster.state !== 'READY' && cluster.stateMessage && (
              <div className="muted small wrap">{cluster.stateMessage}</div>
            )}
          </>
        ),
      },
      {
        id: 'mode',
        header: t('clusters.mode'),
        attributes: ({ syncMode }) => ({
          title: t(syncMode === 'PUSH' ? 'clusters.pushHint' : 'clusters.pullHint'),
        }),
        cell: ({ syncMode }) => t(`clusters.${syncMode}`),
      },
      { id: 'where', header: t('clusters.where'), cell: (cluster) => <Place cluster={cluster} /> },
      {
        id: 'nodes',
        header: t('clusters.nodes'),
        number: true,
        cell: ({ nodes }) =>
          nodes ? (
            <span className={nodes.ready < nodes.total ? 'reason' : undefined}>
              {nodes.ready}/{nodes.total}
            </span>
          ) : (
            <NotReported />
          ),
      },
      { id: 'cpu', header: t('clusters.cpu'), cell: (cluster) => <CPU cluster={cluster} /> },
      { id: 'memory', header: t('clusters.memory'), cell: (cluster) => <Memory cluster={cluster} /> },
      {
        id: 'pods',
        header: t('clusters.pods'),
        number: true,
        cell: ({ resources }) =>
          resources ? `${resources.allocated.pods}/${resources.allocatable.pods}` : <NotReported />,
      },
      {
        id: 'version',
        header: t('clusters.version'),
        cell: ({ kubernetesVersion }) => kubernetesVersion ?? <NotReported />,
      },
      {
        id: 'data',
        header: t('clusters.data'),
        cell: (cluster) => <Freshness instance={instance} cluster={cluster} />,
      },
    ],
    [t, instance],
  );
}

function Freshness({ instance, cluster }: { instance: string; cluster: ClusterRowFragment }) {
  const fleet = useFleet();
  return <FreshnessMark freshness={fleet.freshness(instance, cluster.name) ?? cluster.freshness} />;
}
