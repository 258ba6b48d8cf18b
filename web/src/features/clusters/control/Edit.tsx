import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InstanceDetailFragment } from '../../../graph/generated/graphql';
import { UpdateInstanceDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { AreaField, RadioField, TextField } from '../../../ui/form/Field';
import { LabelRows } from '../member/rows';
import type { EditValues } from './changes';
import { editInput } from './changes';

interface EditProps {
  instance: InstanceDetailFragment;
  open: boolean;
  close: () => void;
}

/** Changes what is said of an instance; of an attached one, also the kubeconfig. */
export function EditDialog({ open, ...props }: EditProps) {
  return open && <Opened {...props} />;
}

function Opened({ instance, close }: Omit<EditProps, 'open'>) {
  const { t } = useTranslation();
  // As it was when the dialog opened: what others change meanwhile is a conflict, and is not undone.
  const [before] = useState(instance);
  const { name, source } = before;
  return (
    <ActionDialog
      open
      close={close}
      title={t('control.editTitle', { name })}
      name="edit-instance"
      action={{
        document: UpdateInstanceDocument,
        payload: (data) => data.updateInstance,
        done: () => t('control.editDone', { name }),
        failed: t('control.editFailed'),
      }}
      initial={initialOf(before)}
      input={(values) => editInput(before, values)}
      submit={t('member.save')}
    >
      <TextField name="displayName" label={t('control.displayName')} check={atMost(128, t)} />
      <AreaField name="description" label={t('control.description')} rows={3} check={atMost(1024, t)} />
      <LabelRows />
      {source === 'MANAGED' ? (
        <RadioField
          name="deletionPolicy"
          label={t('control.onDelete')}
          options={(['CASCADE', 'ORPHAN'] as const).map((value) => ({
            value,
            label: t(`control.deletion.${value}`),
          }))}
        />
      ) : (
        <AreaField
          name="kubeconfig"
          label={t('control.newKubeconfig')}
          hint={t('control.newKubeconfigHint')}
          file={t('join.fromFile')}
          rows={4}
        />
      )}
    </ActionDialog>
  );
}

function initialOf({ displayName, description, labels, deletionPolicy }: InstanceDetailFragment): EditValues {
  return {
    displayName: displayName ?? '',
    description: description ?? '',
    labels: labels.map(({ key, value }) => ({ key, value })),
    deletionPolicy,
    kubeconfig: '',
  };
}

/** Whether a text is too long, in the characters that the server counts. */
export function atMost(most: number, t: (key: 'control.tooLong', words: { most: number }) => string) {
  return (typed: string) => (Array.from(typed).length > most ? t('control.tooLong', { most }) : null);
}
