import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AsOf } from './asOf';

interface RefreshProps {
  asOf: AsOf;
  loading: boolean;
  read: () => void;
}

/** Reads a list again of which nothing tells what comes and goes, and says when it was read. */
export function Refresh({ asOf: { at, outdated }, loading, read }: RefreshProps) {
  const { t } = useTranslation();
  const moment = new Date(at);
  return (
    <span className="refresh">
      <span className="muted small" role="status">
        {outdated ? (
          t('refresh.outdated')
        ) : (
          <time dateTime={moment.toISOString()}>
            {t('refresh.asOf', { moment: moment.toLocaleTimeString() })}
          </time>
        )}
      </span>
      <Button size="small" type={outdated ? 'primary' : 'default'} loading={loading} onClick={read}>
        {t('refresh.button')}
      </Button>
    </span>
  );
}
