import { Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteNamespaceDocument } from '../../graph/generated/graphql';
import { ActionDialog } from '../../ui/action/ActionDialog';
import { DryRun } from '../../ui/action/DryRun';
import { CheckField, TextField } from '../../ui/form/Field';
import { DeletionPreview } from '../DeleteObject';
import { usePermission } from '../permission';
import './texts';

/** A namespace of a control plane. */
interface Named {
  id: string;
  uid?: string | null;
  name: string;
  instance?: { name: string } | null;
}

interface DeleteNamespaceProps {
  namespace: Named;
  /** In a row of a table, which has no room for reasons. */
  inRow?: boolean;
  after?: () => void;
}

/** Deletes a namespace. Who may not is told what it takes, and not offered it. */
export function DeleteNamespaceButton({ namespace, inRow = false, after }: DeleteNamespaceProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { allowed, reason } = usePermission({
    instance: namespace.instance?.name ?? '',
    verb: 'DELETE',
    group: '',
    resource: 'namespaces',
  });
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <span className="muted small" data-not-allowed="delete" title={reason}>
        {inRow ? '–' : reason}
      </span>
    );
  }
  return (
    <>
      <Button
        danger
        size={inRow ? 'small' : 'middle'}
        type={inRow ? 'text' : 'default'}
        aria-haspopup="dialog"
        aria-label={inRow ? t('namespaceDeletion.button', { name: namespace.name }) : undefined}
        onClick={() => setOpen(true)}
      >
        {t('deletion.button')}
      </Button>
      {open && <DeleteNamespaceDialog namespace={namespace} close={() => setOpen(false)} after={after} />}
    </>
  );
}

interface DialogProps extends Pick<DeleteNamespaceProps, 'namespace' | 'after'> {
  close: () => void;
}

interface Values {
  confirm: string;
  cascade: boolean;
}

/** Says what is in a namespace, and deletes that with it only where it is said. */
export function DeleteNamespaceDialog({ namespace, close, after }: DialogProps) {
  const { t } = useTranslation();
  const { id, uid, name } = namespace;
  const initial: Values = { confirm: '', cascade: false };
  return (
    <ActionDialog
      open
      close={close}
      title={t('deletion.title', { kind: 'Namespace', name })}
      name="delete-namespace"
      danger
      action={{
        document: DeleteNamespaceDocument,
        payload: (data) => data.deleteNamespace,
        done: () => t('deletion.done', { kind: 'Namespace', name }),
        failed: t('deletion.failed'),
      }}
      initial={initial}
      input={({ confirm, cascade }) => (confirm === name ? { id, uid, cascade } : null)}
      submit={t('deletion.submit')}
      onDone={after}
      lead={t('namespaceDeletion.lead')}
      before={<DeletionPreview ids={[id]} />}
    >
      <CheckField
        name="cascade"
        label={t('namespaceDeletion.cascade')}
        hint={t('namespaceDeletion.cascadeHint')}
      />
      <Guard id={id} uid={uid} />
      <TextField
        name="confirm"
        label={t('deletion.confirm', { name })}
        check={(typed) => (typed === name ? null : t('deletion.notTheName', { name }))}
      />
    </ActionDialog>
  );
}

/** What stands in the way of the deletion as it is chosen. */
function Guard({ id, uid }: Pick<Named, 'id' | 'uid'>) {
  const cascade = Form.useWatch<boolean | undefined>('cascade') ?? false;
  return (
    <DryRun
      key={String(cascade)}
      document={DeleteNamespaceDocument}
      payload={(data) => data.deleteNamespace}
      input={{ id, uid, cascade }}
    />
  );
}
