import { useTranslation } from 'react-i18next';
import { ageText, useNow } from './age';

/** How long ago, with the exact time on hover. */
export function Age({ since, empty = '–' }: { since?: string | null; empty?: string }) {
  const { t } = useTranslation();
  const now = useNow();
  if (!since) return <span className="muted">{empty}</span>;
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {ageText(since, now, t)}
    </time>
  );
}
