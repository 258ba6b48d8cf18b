import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from './download';
import { LoadingRows } from './Notices';

/** The editor is fetched when a manifest is wanted. */
const YamlView = lazy(() => import('./YamlView').then(({ YamlView }) => ({ default: YamlView })));

interface ManifestTextProps {
  /** Null where it could not be read. */
  text: string | null;
  /** Of what it is. */
  name: string;
}

/** A manifest to read, to copy and to keep. */
export function ManifestText({ text, name }: ManifestTextProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<string | null>(null);
  if (text === null) return <p className="muted">{t('manifest.unreadable')}</p>;
  return (
    <section className="manifest">
      <div className="manifest-actions">
        <Button
          size="small"
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}
        >
          <span aria-live="polite">{t(copied === text ? 'manifest.copied' : 'manifest.copy')}</span>
        </Button>
        <Button size="small" onClick={() => download(text, `${name}.yaml`, 'application/yaml')}>
          {t('manifest.download')}
        </Button>
      </div>
      <Suspense fallback={<LoadingRows />}>
        <YamlView text={text} label={t('manifest.label', { name })} />
      </Suspense>
    </section>
  );
}
