import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Blank } from '../ui/Notices';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Blank title={t('app.notFound')} hint={t('app.notFoundHint')}>
      <Link to="/workloads">{t('app.toWorkloads')}</Link>
    </Blank>
  );
}

export function Crashed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <Blank title={t('app.crashed')} hint={t('app.crashedHint')}>
      <pre className="crash">{error instanceof Error ? error.message : String(error)}</pre>
      <Button type="primary" onClick={() => location.reload()}>
        {t('app.reload')}
      </Button>
    </Blank>
  );
}
