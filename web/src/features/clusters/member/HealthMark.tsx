import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment } from '../../../graph/generated/graphql';
import { StateBadge } from '../../../ui/tone';
import { healthOf } from './health';

/** How a cluster does, in one mark. */
export function HealthMark({ cluster }: { cluster: ClusterRowFragment }) {
  const { t } = useTranslation();
  const { tone, state, notes } = healthOf(cluster);
  const words = notes.map(({ note, count }) => t(`clusters.note.${note}`, { count: count ?? 0 }));
  return (
    <span className="health">
      <StateBadge tone={tone} title={cluster.stateMessage}>
        {[t(`state.${state}`), ...words].join(t('clusters.comma'))}
      </StateBadge>
    </span>
  );
}
