import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { CreateNamespaceDocument, NamespaceMakingDocument } from '../../graph/generated/graphql';
import { ActionDialog } from '../../ui/action/ActionDialog';
import { CheckField, SelectField, TextField } from '../../ui/form/Field';
import type { PairRow } from '../../ui/form/PairsField';
import { PairsField } from '../../ui/form/PairsField';
import { isDNSLabel, isLabelKey, isLabelValue } from '../../ui/typed';
import type { Values } from './namespace';
import { inputOf } from './namespace';

/** Creates a namespace, for whoever may in one of the instances that are shown. */
export function CreateNamespace({ instance }: { instance: string | undefined }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [{ data }] = useQuery({ query: NamespaceMakingDocument, requestPolicy: 'cache-first' });
  const shown = data?.instances?.nodes.filter(({ name }) => instance === undefined || name === instance);
  if (!shown || shown.length === 0) return null;
  const offered = shown.filter(({ access }) => access.may).map(({ name }) => name);
  if (offered.length === 0) {
    return (
      <span className="muted small" data-not-allowed="create-namespace">
        {t('namespaces.mayNotCreate')}
      </span>
    );
  }
  return (
    <>
      <Button type="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('namespaces.create')}
      </Button>
      {open && <CreateDialog instances={offered} close={() => setOpen(false)} />}
    </>
  );
}

export function CreateDialog({ instances, close }: { instances: readonly string[]; close: () => void }) {
  const { t } = useTranslation();
  const initial: Values = { instance: instances[0] ?? '', name: '', labels: [], propagate: true };
  return (
    <ActionDialog
      open
      close={close}
      title={t('namespaces.createTitle')}
      name="create-namespace"
      action={{
        document: CreateNamespaceDocument,
        payload: (data) => data.createNamespace,
        done: ({ namespace }, input) =>
          t('namespaces.created', { name: namespace?.name ?? input.name, instance: input.instance }),
        failed: t('namespaces.notCreated'),
      }}
      initial={initial}
      input={inputOf}
      rehearsal={{
        label: t('namespaces.tryFirst'),
        input: (values) => ({ ...inputOf(values), dryRun: true }),
        passed: t('action.accepted'),
      }}
      submit={t('namespaces.submit')}
    >
      <SelectField
        name="instance"
        label={t('app.instance')}
        options={instances.map((name) => ({ value: name, label: name }))}
      />
      <TextField
        name="name"
        label={t('namespaces.name')}
        hint={t('namespaces.nameHint')}
        check={(typed) => (isDNSLabel(typed) ? null : t('namespaces.badName', { typed }))}
      />
      <Labels />
      <CheckField name="propagate" label={t('namespaces.propagate')} hint={t('namespaces.propagateHint')} />
    </ActionDialog>
  );
}

function Labels() {
  const { t } = useTranslation();
  const checkKey = (typed: string, rows: readonly PairRow[]) => {
    if (!isLabelKey(typed)) return t('namespaces.badKey', { typed });
    return rows.filter(({ key }) => key === typed).length > 1 ? t('namespaces.twice', { typed }) : null;
  };
  return (
    <PairsField
      name="labels"
      label={t('namespaces.labels')}
      checkKey={checkKey}
      checkValue={(typed) => (isLabelValue(typed) ? null : t('namespaces.badValue', { typed }))}
      add={t('namespaces.addLabel')}
    />
  );
}
