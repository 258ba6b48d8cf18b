import { useTranslation } from 'react-i18next';

interface FieldChange {
  path: string;
  from: string | null;
  to: string | null;
}

/** Fields that two versions of an object differ in, each from what it was to what it is. */
export function FieldChanges({ changes, label }: { changes: readonly FieldChange[]; label: string }) {
  const { t } = useTranslation();
  return (
    <dl className="field-changes" aria-label={label}>
      {changes.map(({ path, from, to }) => (
        <div key={path}>
          <dt className="mono">{path}</dt>
          <dd className="mono">
            {from === null ? (
              <span className="sr-only">{t('diff.new')}</span>
            ) : (
              <del>
                <span className="sr-only">{t('diff.from')} </span>
                {from}
              </del>
            )}
            {to === null ? (
              <span className="muted"> {t('diff.removed')}</span>
            ) : (
              <ins>
                <span className="sr-only">{t('diff.to')} </span>
                {to}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
