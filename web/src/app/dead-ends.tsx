import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { standing } from '../features/session/session';
import { SignOut } from '../features/session/SignOut';
import { Blank } from '../ui/Notices';
import { useViewer } from './viewer';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Blank title={t('app.notFound')} hint={t('app.notFoundHint')}>
      <Link to="/">{t('app.toOverview')}</Link>
    </Blank>
  );
}

/** Somebody whom the server knows, and who may do nothing there. */
export function NoRole() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const [principal, setPrincipal] = useState('');
  useEffect(() => void standing().then((session) => setPrincipal(session.principal)), []);
  const name = viewer?.name ?? principal;
  return (
    <Blank title={t('app.noRole')} hint={name ? t('app.noRoleHint', { name }) : t('app.noRoleHintUnnamed')}>
      <SignOut primary>{t('problem.otherAccount')}</SignOut>
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
