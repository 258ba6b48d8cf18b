import { useTranslation } from 'react-i18next';
import { ToneIcon } from '../../ui/tone';
import type { PodsView } from './usePods';

/** Clusters whose pods are not among those that are shown, and why. */
export function Missing({ missing, limited }: Pick<PodsView, 'missing' | 'limited'>) {
  const { t } = useTranslation();
  if (missing.length === 0 && !limited) return null;
  return (
    <ul className="troubles" aria-label={t('pods.missing')}>
      {missing.map(({ clusterName, error }) => (
        <li key={clusterName} className="tone-warn" data-missing={clusterName}>
          <ToneIcon tone="warn" />
          <strong>{clusterName}</strong>
          <span className="wrap">{t('pods.notFollowed', { message: error.message })}</span>
        </li>
      ))}
      {limited && (
        <li className="tone-warn" data-limited>
          <ToneIcon tone="warn" />
          <span className="wrap">{t('pods.limited')}</span>
        </li>
      )}
    </ul>
  );
}
