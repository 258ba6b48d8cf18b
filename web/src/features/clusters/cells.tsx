import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { Meter } from '../../ui/Meter';
import { bytesText, coresText, shareOf } from '../../ui/amounts';
import { taintText } from './member/health';

interface CellProps {
  cluster: ClusterRowFragment;
}

export function CPU({ cluster: { resources } }: CellProps) {
  const { t } = useTranslation();
  if (!resources) return <NotReported />;
  const used = resources.allocated.cpu.cores;
  const total = resources.allocatable.cpu.cores;
  return (
    <Meter
      label={t('clusters.cpu')}
      share={shareOf(used, total)}
      text={t('clusters.of', {
        used: coresText(used),
        total: t('clusters.cores', { n: coresText(total) }),
      })}
    />
  );
}

export function Memory({ cluster: { resources } }: CellProps) {
  const { t } = useTranslation();
  if (!resources) return <NotReported />;
  const used = resources.allocated.memory.bytes;
  const total = resources.allocatable.memory.bytes;
  return (
    <Meter
      label={t('clusters.memory')}
      share={shareOf(used, total)}
      text={t('clusters.of', { used: bytesText(used), total: bytesText(total) })}
    />
  );
}

export function Place({ cluster }: CellProps) {
  return (
    <>
      {[cluster.provider, cluster.region].filter(Boolean).join(' · ') || <span className="muted">–</span>}
      {cluster.zones.length > 0 && <div className="muted small">{cluster.zones.join(', ')}</div>}
    </>
  );
}

export function Taints({ cluster }: CellProps) {
  const { t } = useTranslation();
  if (cluster.taints.length === 0) return null;
  return (
    <div className="muted small" title={cluster.taints.map(taintText).join('\n')}>
      {`${t('clusters.taints')}: ${cluster.taints.length}`}
    </div>
  );
}

export function NotReported() {
  const { t } = useTranslation();
  return <span className="muted">{t('clusters.notReported')}</span>;
}
