import { useTranslation } from 'react-i18next';
import { CreateInstanceDocument } from '../../../graph/generated/graphql';
import { ActionForm } from '../../../ui/action/ActionDialog';
import { CheckField, SelectField, TextField, WordsField } from '../../../ui/form/Field';
import { isNamespace } from '../../../ui/typed';
import { SETTING_PATHS } from '../control/values';
import { SettingsFields } from '../control/SettingsFields';
import { DisplayNameField, MoreFields, NameField } from './CommonFields';
import type { CreateValues } from './input';
import { createInput, NOTHING_SET } from './input';

interface FormProps {
  close: () => void;
  done: (operation: string) => void;
}

const INITIAL: CreateValues = {
  name: '',
  displayName: '',
  description: '',
  labels: [],
  version: '',
  namespace: '',
  highAvailability: false,
  etcdReplicas: '',
  storageSize: '',
  storageClassName: '',
  serviceType: '',
  certSANs: [],
  imageRegistry: '',
  ...NOTHING_SET,
};

const PATHS = {
  ...SETTING_PATHS,
  'etcd.local.replicas': 'etcdReplicas',
  'etcd.local.storageSize': 'storageSize',
  'etcd.local.storageClassName': 'storageClassName',
  'apiServer.serviceType': 'serviceType',
  'apiServer.certSANs': 'certSANs',
};

/** Has a control plane installed. Only its name is needed. */
export function CreateForm({ close, done }: FormProps) {
  const { t } = useTranslation();
  return (
    <ActionForm
      name="create"
      action={{
        document: CreateInstanceDocument,
        payload: (data) => data.createInstance,
        failed: t('make.createFailed'),
      }}
      initial={INITIAL}
      input={createInput}
      rehearsal={{
        label: t('make.check'),
        input: (values) => {
          const input = createInput(values);
          return input && { ...input, dryRun: true };
        },
        passed: t('make.checked'),
      }}
      paths={PATHS}
      lead={t('make.managedLead')}
      submit={t('make.create')}
      close={close}
      done={({ operation }) => operation && done(operation.id)}
    >
      <NameField />
      <DisplayNameField />
      <MoreFields />
      <Installation />
      <details className="more-fields">
        <summary>{t('make.settings')}</summary>
        <div className="action">
          <SettingsFields managed />
        </div>
      </details>
    </ActionForm>
  );
}

const REPLICAS = ['1', '3', '5', '7'] as const;
const SERVICES = ['ClusterIP', 'NodePort', 'LoadBalancer'] as const;

/** How it is installed: version, where, how many, on what. */
function Installation() {
  const { t } = useTranslation();
  const usual = { value: '' as const, label: t('make.usual') };
  return (
    <>
      <details className="more-fields">
        <summary>
          {t('make.version')}, {t('make.availability')}
        </summary>
        <div className="action">
          <TextField name="version" label={t('make.version')} hint={t('make.versionHint')} />
          <TextField
            name="namespace"
            label={t('make.namespace')}
            hint={t('make.namespaceHint')}
            check={(typed) => (isNamespace(typed) ? null : t('make.notANamespace', { typed }))}
          />
          <CheckField name="highAvailability" label={t('make.highAvailability')} />
          <TextField name="imageRegistry" label={t('make.registry')} />
        </div>
      </details>
      <details className="more-fields">
        <summary>
          {t('make.storage')}, {t('make.network')}
        </summary>
        <div className="action">
          <SelectField
            name="etcdReplicas"
            label={t('make.etcdReplicas')}
            options={[usual, ...REPLICAS.map((value) => ({ value, label: value }))]}
          />
          <TextField name="storageSize" label={t('make.etcdSize')} hint={t('make.etcdSizeHint')} />
          <TextField name="storageClassName" label={t('make.etcdClass')} />
          <SelectField
            name="serviceType"
            label={t('make.serviceType')}
            options={[usual, ...SERVICES.map((value) => ({ value, label: value }))]}
          />
          <WordsField name="certSANs" label={t('make.sans')} hint={t('make.sansHint')} />
        </div>
      </details>
    </>
  );
}
