import { Alert } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { YamlView } from '../../../ui/YamlView';
import { unshownOf } from './manifest';
import type { ManifestForm } from './useManifestForm';

interface YamlSideProps {
  view: Pick<ManifestForm, 'draft' | 'parsed' | 'kind' | 'object' | 'type'>;
  label: string;
}

/** As many fields as are named; of more it is said how many there are. */
const NAMED = 6;

/** The manifest as YAML: what is wrong with it, and what of it the form has no input for. */
export function YamlSide({ view, label }: YamlSideProps) {
  const { t } = useTranslation();
  const { draft, parsed, kind, object, type } = view;
  const unshown = useMemo(() => unshownOf(kind, object), [kind, object]);
  const named = unshown.slice(0, NAMED).join(', ');
  return (
    <section className="work-yaml">
      <p className="muted small">{t('compose.inStep')}</p>
      <div role="alert">
        {!parsed.ok && (
          <Alert
            type="error"
            showIcon
            title={t(`compose.wrong.${parsed.reason}`)}
            description={<span className="mono wrap">{parsed.detail}</span>}
          />
        )}
      </div>
      {unshown.length > 0 && (
        <p className="muted small wrap" data-unshown={unshown.length}>
          {t('compose.unshown', {
            count: unshown.length,
            fields: unshown.length > NAMED ? `${named} …` : named,
          })}
        </p>
      )}
      <YamlView text={draft.text} label={label} edit={type} />
    </section>
  );
}
