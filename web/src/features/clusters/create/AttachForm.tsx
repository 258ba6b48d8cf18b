import { useTranslation } from 'react-i18next';
import { AttachInstanceDocument } from '../../../graph/generated/graphql';
import { ActionForm } from '../../../ui/action/ActionDialog';
import { AreaField } from '../../../ui/form/Field';
import { SETTING_PATHS } from '../control/values';
import { SettingsFields } from '../control/SettingsFields';
import { DisplayNameField, MoreFields, NameField } from './CommonFields';
import type { AttachValues } from './input';
import { attachInput, NOTHING_SET } from './input';

interface FormProps {
  close: () => void;
  done: (operation: string) => void;
}

const INITIAL: AttachValues = {
  name: '',
  displayName: '',
  description: '',
  labels: [],
  kubeconfig: '',
  ...NOTHING_SET,
};

/** Attaches a control plane that runs already. Its kubeconfig can be tried before anything is stored. */
export function AttachForm({ close, done }: FormProps) {
  const { t } = useTranslation();
  return (
    <ActionForm
      name="attach"
      action={{
        document: AttachInstanceDocument,
        payload: (data) => data.attachInstance,
        failed: t('make.attachFailed'),
      }}
      initial={INITIAL}
      input={attachInput}
      rehearsal={{
        label: t('make.check'),
        input: (values) => {
          const input = attachInput(values);
          return input && { ...input, dryRun: true };
        },
        passed: t('make.checked'),
      }}
      paths={SETTING_PATHS}
      lead={t('make.attachedLead')}
      submit={t('make.attach')}
      close={close}
      done={({ operation }) => operation && done(operation.id)}
    >
      <NameField />
      <AreaField
        name="kubeconfig"
        label={t('make.kubeconfig')}
        hint={t('make.kubeconfigHint')}
        file={t('join.fromFile')}
        check={(typed) => (typed === '' ? t('make.noKubeconfig') : null)}
      />
      <DisplayNameField />
      <MoreFields />
      <details className="more-fields">
        <summary>{t('make.settings')}</summary>
        <div className="action">
          <SettingsFields managed={false} />
        </div>
      </details>
    </ActionForm>
  );
}
