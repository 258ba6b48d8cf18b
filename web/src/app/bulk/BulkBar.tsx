import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './texts';

interface BulkBarProps {
  count: number;
  clear: () => void;
  /** What can be done to all of them. */
  children: ReactNode;
}

/** What can be done to the rows that are chosen; nothing while none is. */
export function BulkBar({ count, clear, children }: BulkBarProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className="bulk" role="region" aria-label={t('bulk.region')}>
      <strong>{t('bulk.chosen', { count })}</strong>
      {children}
      <Button size="small" type="text" onClick={clear}>
        {t('bulk.clear')}
      </Button>
    </div>
  );
}
