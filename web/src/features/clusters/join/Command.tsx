import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../../ui/Copy';

/** The command with which a cluster registers itself. It holds a token, and is shown once. */
export function Command({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <section className="command" aria-label={t('join.command')}>
      <h2>{t('join.command')}</h2>
      <Alert type="warning" showIcon title={t('join.once')} />
      <pre tabIndex={0} aria-label={t('join.command')} data-command>
        {text}
      </pre>
      <Copy text={text} primary />
    </section>
  );
}
