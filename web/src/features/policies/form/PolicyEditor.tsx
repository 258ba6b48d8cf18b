import { Alert, Segmented } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../../ui/action/refusals';
import { refusalText } from '../../../ui/action/refusals';
import { YamlView } from '../../../ui/YamlView';
import { blamedOf } from './blame';
import { opened } from './document';
import { PolicyForm } from './PolicyForm';
import './texts';
import type { PolicyText } from './usePolicyText';

/** What the server said of a manifest. */
export interface Told {
  text: string;
  refusals: readonly Refusal[];
  /** What did not happen therefore; left out where it is told elsewhere, as of a preview. */
  failed?: string;
}

interface PolicyEditorProps {
  policy: PolicyText;
  instance: string;
  label: string;
  /** Whether it is there already: its name stays. */
  named: boolean;
  told: Told | null;
  as: 'yaml' | undefined;
  show: (as: 'yaml' | undefined) => void;
}

/** A policy as a form or as YAML: two views of one text. */
export function PolicyEditor({ policy, instance, label, named, told, as, show }: PolicyEditorProps) {
  const { t } = useTranslation();
  const now = useMemo(() => opened(policy.text), [policy.text]);
  const then = useMemo(() => (told ? opened(told.text) : null), [told]);
  const blamed = useMemo(() => (told && now.ok ? blamedOf(told.refusals, now.shape) : null), [told, now]);
  const unplaced = as !== 'yaml' && blamed ? blamed.rest : (told?.refusals ?? []);
  return (
    <>
      <div className="pf-switch">
        <Segmented<'form' | 'yaml'>
          aria-label={t('policyForm.as')}
          value={as ?? 'form'}
          options={[
            { value: 'form', label: t('policyForm.form') },
            { value: 'yaml', label: t('policyForm.yaml'), disabled: policy.incomplete },
          ]}
          onChange={(as) => show(as === 'yaml' ? as : undefined)}
        />
        {policy.incomplete && <span className="muted small">{t('policyForm.incomplete')}</span>}
      </div>
      {as === 'yaml' ? (
        <YamlView text={policy.text} label={label} edit={policy.write} />
      ) : (
        <PolicyForm
          policy={policy}
          opened={now}
          blamed={blamed}
          then={then?.ok ? then.value : undefined}
          instance={instance}
          label={label}
          named={named}
          toYaml={() => show('yaml')}
        />
      )}
      <div role="alert">
        {told?.failed !== undefined && unplaced.length === 0 && (
          <Alert type="error" showIcon title={told.failed} description={t('policyForm.seeFields')} />
        )}
        {told?.failed !== undefined &&
          unplaced
            .map(refusalText)
            .map((text) => <Alert key={text} type="error" showIcon title={told.failed} description={text} />)}
      </div>
    </>
  );
}
