import { useTranslation } from 'react-i18next';
import type { FreshnessFieldsFragment } from '../graph/generated/graphql';
import type { Problem } from '../graph/problems';
import { FreshnessMark, freshnessHint, isOld } from './Freshness';

interface StaleProps {
  /** Instances, and how fresh their rows are. */
  instances?: readonly { name: string; freshness: FreshnessFieldsFragment | null }[];
  /** Instances whose live feed does not run, and why. */
  unwatched: readonly { instance: string; problems: readonly Problem[] }[];
}

/** Instances whose rows are not to be trusted as they stand, and why. */
export function Stale({ instances = [], unwatched }: StaleProps) {
  const { t } = useTranslation();
  const old = instances.filter(({ freshness }) => isOld(freshness));
  const lost = unwatched.filter(({ problems }) => problems.length > 0);
  if (lost.length === 0 && old.length === 0) return null;
  return (
    <div className="unwatched" role="status">
      {old.map(({ name, freshness }) => (
        <p key={name} data-doubt={name}>
          <FreshnessMark freshness={freshness} /> <strong>{name}</strong>{' '}
          {freshness && t(freshnessHint(freshness.state))} <span className="muted">{freshness?.message}</span>
        </p>
      ))}
      {lost.map(({ instance, problems }) => (
        <p key={instance}>
          {t('problem.live', { instance })} <span className="muted">{problems[0]?.message}</span>
        </p>
      ))}
    </div>
  );
}
