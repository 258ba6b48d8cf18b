import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Instances that have more than a list over all of them shows: each leads to its own list. */
export function MoreElsewhere({ instances }: { instances: readonly string[] }) {
  const { t } = useTranslation();
  if (instances.length === 0) return null;
  return (
    <p className="more-elsewhere" role="status">
      {t('app.moreIn')}{' '}
      {instances.map((instance) => (
        <Link
          key={instance}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, instance, after: undefined })}
        >
          {instance}
        </Link>
      ))}
    </p>
  );
}
