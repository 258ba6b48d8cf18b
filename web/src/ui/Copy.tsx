import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Puts a text on the clipboard, and says so. */
export function Copy({ text, primary = false }: { text: string; primary?: boolean }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState('');
  return (
    <Button
      type={primary ? 'primary' : 'default'}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}
    >
      <span aria-live="polite">{t(copied === text ? 'form.copied' : 'form.copy')}</span>
    </Button>
  );
}
