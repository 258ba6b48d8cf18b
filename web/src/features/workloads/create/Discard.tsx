import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/Dialog';

/** Throws away what was entered, once somebody has said so twice. */
export function Discard({ discard }: { discard: () => void }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button type="text" aria-haspopup="dialog" onClick={() => setAsked(true)}>
        {t('compose.discard')}
      </Button>
      <Dialog open={asked} close={() => setAsked(false)} title={t('compose.discardTitle')}>
        <p className="muted">{t('compose.discardLead')}</p>
        <div className="action-buttons">
          <Button onClick={() => setAsked(false)}>{t('compose.keep')}</Button>
          <Button
            danger
            type="primary"
            onClick={() => {
              setAsked(false);
              discard();
            }}
          >
            {t('compose.discard')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

/** Has the browser ask before the tab is left with something in it that was not sent. */
export function useLeaving(entered: boolean): void {
  useEffect(() => {
    if (!entered) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [entered]);
}
