import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useViewer } from '../../app/viewer';
import { Blank } from '../../ui/Notices';

/** An installation without any instance: how the first one comes to be, for those who may have one made. */
export function NoInstances() {
  const { t } = useTranslation();
  const viewer = useViewer();
  if (!viewer?.owner) return <Blank title={t('overview.none')} hint={t('overview.noneForYou')} />;
  return (
    <Blank title={t('overview.none')} hint={t('overview.noneHint')}>
      <Link to="/new-instance" search={{ how: 'attach' }} className="button-link">
        {t('overview.attach')}
      </Link>
      <Link to="/new-instance" search={{}} className="button-link">
        {t('overview.create')}
      </Link>
    </Blank>
  );
}
