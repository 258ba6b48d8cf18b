import { useNavigate } from '@tanstack/react-router';
import { Alert, Form, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type { InstanceDetailFragment } from '../../../graph/generated/graphql';
import { DeleteInstanceDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { refusalsOf, refusalText } from '../../../ui/action/refusals';
import { CheckField } from '../../../ui/form/Field';
import { NameTyped } from '../../../ui/form/NameTyped';
import { removesControlPlane } from './changes';

interface DeleteProps {
  instance: InstanceDetailFragment;
  open: boolean;
  close: () => void;
}

interface Values {
  name: string;
  force?: boolean;
}

/** Deletes an instance: what stands in the way is said first, and its name is typed. */
export function DeleteDialog({ open, ...props }: DeleteProps) {
  return open && <Opened {...props} />;
}

function Opened({ instance, close }: Omit<DeleteProps, 'open'>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [blocked, setBlocked] = useState(true);
  const { id, uid, name, source } = instance;
  const removes = removesControlPlane(instance);
  const initial: Values = { name: '', force: false };
  return (
    <ActionDialog
      open
      close={close}
      title={t(source === 'ATTACHED' ? 'control.detachTitle' : 'control.deleteTitle', { name })}
      name="delete-instance"
      action={{
        document: DeleteInstanceDocument,
        payload: (data) => data.deleteInstance,
        failed: t('control.deleteFailed'),
      }}
      initial={initial}
      input={({ name, force }) => ({ id, uid, name, force: force ?? false })}
      submit={t(source === 'ATTACHED' ? 'control.detach' : 'control.delete')}
      danger
      blocked={blocked}
      lead={t(removes ? 'control.deleteLead' : 'control.detachLead', { name })}
      onDone={({ operation }) =>
        void navigate({ from: '/clusters/$instance', to: '.', search: { operation: operation?.id } })
      }
    >
      {removes && <Lost instance={instance} />}
      <InTheWay instance={instance} setBlocked={setBlocked} />
      <NameTyped name={name} />
    </ActionDialog>
  );
}

/** What is lost with a control plane. */
function Lost({ instance: { statistics } }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  if (!statistics) return null;
  const workloads = statistics.workloads.reduce((sum, { total }) => sum + total, 0);
  const policies = statistics.policies.reduce((sum, { total }) => sum + total, 0);
  if (workloads + policies === 0) return null;
  return <Alert type="warning" showIcon title={t('control.lost', { workloads, policies })} />;
}

interface InTheWayProps {
  instance: InstanceDetailFragment;
  setBlocked: (blocked: boolean) => void;
}

/** What stands in the way of the deletion, as a dry run says it; and whether it is to go on all the same. */
function InTheWay({ instance, setBlocked }: InTheWayProps) {
  const { t } = useTranslation();
  const { id, uid, source, resourceVersion, statistics } = instance;
  const force = Form.useWatch<boolean | undefined>('force') ?? false;
  const joined = statistics?.clusters.total ?? 0;
  const [{ data, error }, ask] = useMutation(DeleteInstanceDocument);
  const [asked, setAsked] = useState(false);
  // Asked again when what may stand in the way has changed.
  useEffect(() => {
    void ask({ input: { id, uid, dryRun: true } }).then(() => setAsked(true));
  }, [ask, id, uid, resourceVersion, joined]);
  const refusals = refusalsOf(data?.deleteInstance?.userErrors, error, t);
  const stands = refusals.length > 0;
  useEffect(() => setBlocked(!asked || (stands && !force)), [setBlocked, asked, stands, force]);

  if (!asked) return <Skeleton active title={false} paragraph={{ rows: 1 }} />;
  if (!stands) return <Alert type="success" showIcon title={t('control.nothingInTheWay')} />;
  return (
    <div className="foreseen" data-in-the-way>
      {refusals.map((refusal) => (
        <Alert
          key={refusalText(refusal)}
          type="error"
          showIcon
          title={t('control.inTheWay')}
          description={refusal.message}
        />
      ))}
      {source === 'MANAGED' && (
        <CheckField name="force" label={t('control.force')} hint={t('control.forceHint')} />
      )}
    </div>
  );
}
