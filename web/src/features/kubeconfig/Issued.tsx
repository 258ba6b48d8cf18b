import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../ui/download';

interface IssuedProps {
  text: string;
  expires: string;
  file: string;
}

/** A kubeconfig, the only time that it is shown. */
export function Issued({ text, expires, file }: IssuedProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="kubeconfig-once">
      <Alert
        type="warning"
        showIcon
        title={t('kubeconfig.once')}
        description={t('kubeconfig.ends', { moment: new Date(expires).toLocaleString() })}
      />
      <pre tabIndex={0} aria-label={file}>
        {text}
      </pre>
      <div className="kubeconfig-actions">
        <Button onClick={() => void copy()}>{t(copied ? 'workload.copied' : 'workload.copy')}</Button>
        <Button type="primary" onClick={() => download(text, file, 'application/yaml')}>
          {t('kubeconfig.download', { file })}
        </Button>
      </div>
    </div>
  );
}
