import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment, InstanceStatusFragment } from '../../../graph/generated/graphql';
import { StateBadge } from '../../../ui/tone';
import { healthOfInstance } from './health';

interface MarkProps {
  instance: InstanceStatusFragment;
  clusters: readonly ClusterRowFragment[] | null;
}

/** How an instance does, in one mark: "Running · 1 member unreachable". */
export function InstanceHealthMark({ instance, clusters }: MarkProps) {
  const { t } = useTranslation();
  const { tone, notes } = healthOfInstance(instance, clusters);
  const words = notes.map(({ note, count }) => t(`clusters.instanceNote.${note}`, { count }));
  return (
    <span className="health">
      <StateBadge tone={tone} title={instance.stateMessage}>
        {[t(`state.${instance.state}`), ...words].join(t('clusters.comma'))}
      </StateBadge>
    </span>
  );
}
