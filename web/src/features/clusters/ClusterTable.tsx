import { useTranslation } from 'react-i18next';
import { useFleet } from '../../app/fleet';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { FreshnessMark } from '../../ui/Freshness';
import { Meter } from '../../ui/Meter';
import { StateBadge } from '../../ui/tone';
import { toneOfState } from '../workloads/verdict';
import { bytesText, coresText, shareOf } from './amounts';

interface ClusterTableProps {
  instance: string;
  clusters: readonly ClusterRowFragment[];
}

export function ClusterTable({ instance, clusters }: ClusterTableProps) {
  const { t } = useTranslation();
  return (
    <div className="grid-scroll" role="group" tabIndex={0} aria-label={t('clusters.table', { instance })}>
      <table className="grid clusters" aria-label={t('clusters.table', { instance })}>
        <thead>
          <tr>
            <th scope="col">{t('clusters.cluster')}</th>
            <th scope="col">{t('clusters.state')}</th>
            <th scope="col">{t('clusters.mode')}</th>
            <th scope="col">{t('clusters.where')}</th>
            <th scope="col" className="number">
              {t('clusters.nodes')}
            </th>
            <th scope="col">{t('clusters.cpu')}</th>
            <th scope="col">{t('clusters.memory')}</th>
            <th scope="col" className="number">
              {t('clusters.pods')}
            </th>
            <th scope="col">{t('clusters.version')}</th>
            <th scope="col">{t('clusters.data')}</th>
          </tr>
        </thead>
        <tbody>
          {clusters.map((cluster) => (
            <ClusterLine key={cluster.id} instance={instance} cluster={cluster} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ClusterLine({ instance, cluster }: { instance: string; cluster: ClusterRowFragment }) {
  const { t } = useTranslation();
  const fleet = useFleet();
  const { nodes, resources } = cluster;
  return (
    <tr data-cluster={cluster.name} data-state={cluster.state}>
      <th scope="row">
        <span className="name">{cluster.name}</span>
        <Taints cluster={cluster} />
      </th>
      <td>
        <StateBadge tone={toneOfState(cluster.state)} title={cluster.stateMessage}>
          {t(`state.${cluster.state}`)}
        </StateBadge>
        {cluster.state !== 'READY' && cluster.stateMessage && (
          <div className="muted small wrap">{cluster.stateMessage}</div>
        )}
      </td>
      <td title={t(cluster.syncMode === 'PUSH' ? 'clusters.pushHint' : 'clusters.pullHint')}>
        {t(`clusters.${cluster.syncMode}`)}
      </td>
      <td>
        {[cluster.provider, cluster.region].filter(Boolean).join(' · ') || <span className="muted">–</span>}
        {cluster.zones.length > 0 && <div className="muted small">{cluster.zones.join(', ')}</div>}
      </td>
      <td className="number">
        {nodes ? (
          <span className={nodes.ready < nodes.total ? 'reason' : undefined}>
            {nodes.ready}/{nodes.total}
          </span>
        ) : (
          <NotReported />
        )}
      </td>
      <td>
        {resources ? (
          <Meter
            label={t('clusters.cpu')}
            share={shareOf(resources.allocated.cpu.cores, resources.allocatable.cpu.cores)}
            text={t('clusters.of', {
              used: coresText(resources.allocated.cpu.cores),
              total: t('clusters.cores', { n: coresText(resources.allocatable.cpu.cores) }),
            })}
          />
        ) : (
          <NotReported />
        )}
      </td>
      <td>
        {resources ? (
          <Meter
            label={t('clusters.memory')}
            share={shareOf(resources.allocated.memory.bytes, resources.allocatable.memory.bytes)}
            text={t('clusters.of', {
              used: bytesText(resources.allocated.memory.bytes),
              total: bytesText(resources.allocatable.memory.bytes),
            })}
          />
        ) : (
          <NotReported />
        )}
      </td>
      <td className="number">
        {resources ? `${resources.allocated.pods}/${resources.allocatable.pods}` : <NotReported />}
      </td>
      <td>{cluster.kubernetesVersion ?? <NotReported />}</td>
      <td>
        <FreshnessMark freshness={fleet.freshness(instance, cluster.name) ?? cluster.freshness} />
      </td>
    </tr>
  );
}

function Taints({ cluster }: { cluster: ClusterRowFragment }) {
  const { t } = useTranslation();
  if (cluster.taints.length === 0) return null;
  const words = cluster.taints.map(({ key, value, effect }) => `${key}${value && `=${value}`}:${effect}`);
  return (
    <div className="muted small wrap" title={words.join('\n')}>
      {cluster.schedulable ? `${t('clusters.taints')}: ${words.length}` : t('clusters.unschedulable')}
    </div>
  );
}

function NotReported() {
  const { t } = useTranslation();
  return <span className="muted">{t('clusters.notReported')}</span>;
}
