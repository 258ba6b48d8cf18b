import { useTranslation } from 'react-i18next';
import type { FreshnessFieldsFragment, FreshnessState } from '../graph/generated/graphql';
import { Age } from './Age';

const HINTS = {
  LIVE: 'freshness.liveHint',
  STALE: 'freshness.staleHint',
  STOPPED: 'freshness.stoppedHint',
  NEVER: 'freshness.neverHint',
} as const satisfies Record<FreshnessState, string>;

export function isOld(freshness: FreshnessFieldsFragment | null | undefined): boolean {
  return freshness != null && freshness.state !== 'LIVE';
}

export function ClockIcon() {
  return (
    <svg className="clock-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M8 1.800a6.2 6.2 0 1 1 0 12.400A6.2 6.2 0 0 1 8 1.800ZM8 4.500V8l2.5 1.5" />
    </svg>
  );
}

/** How far to trust what is shown: quiet when live, plain when not. */
export function FreshnessMark({ freshness }: { freshness: FreshnessFieldsFragment | null | undefined }) {
  const { t } = useTranslation();
  if (!freshness) return <span className="muted">–</span>;
  const old = isOld(freshness);
  return (
    <span
      className={old ? 'freshness is-old' : 'freshness'}
      title={freshness.message || t(HINTS[freshness.state])}
    >
      {old ? <ClockIcon /> : <span className="dot" aria-hidden="true" />}
      <span>{t(`freshness.${freshness.state}`)}</span>
      {old && freshness.syncedAt && (
        <span className="muted">
          <Age since={freshness.syncedAt} />
        </span>
      )}
    </span>
  );
}

export function freshnessHint(state: FreshnessState): (typeof HINTS)[FreshnessState] {
  return HINTS[state];
}
