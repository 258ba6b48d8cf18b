import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RevisionRowFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { RollbackWorkloadDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { DryRun } from '../../../../ui/action/DryRun';
import { Compared } from './Compared';

interface RollbackProps {
  workload: WorkloadDetailFragment;
  current: RevisionRowFragment;
  to: RevisionRowFragment;
}

/** Brings a workload back to an earlier template, after showing what that changes. */
export function Rollback(props: RollbackProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { to } = props;
  return (
    <>
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('revisions.rollbackTo', { revision: to.revision })}
        data-rollback={to.revision}
        onClick={() => setOpen(true)}
      >
        {t('revisions.rollback')}
      </Button>
      {open && <RollbackDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

export function RollbackDialog({ workload, current, to, close }: RollbackProps & { close: () => void }) {
  const { t } = useTranslation();
  const { id, uid, name } = workload;
  return (
    <ActionDialog
      open
      close={close}
      title={t('revisions.title', { name, revision: to.revision })}
      name="rollback"
      action={{
        document: RollbackWorkloadDocument,
        payload: (data) => data.rollbackWorkload,
        done: (_, input) => t('revisions.done', { name, revision: input.revision }),
        failed: t('revisions.failed'),
        undo: (_, input) => ({ ...input, revision: current.name }),
      }}
      initial={{}}
      input={() => ({ id, uid, revision: String(to.revision) })}
      submit={t('revisions.submit', { revision: to.revision })}
      lead={t('revisions.lead')}
    >
      <h3 className="dialog-part">{t('revisions.becomes', { from: current.revision, to: to.revision })}</h3>
      <Compared from={current} to={to} />
      <DryRun
        document={RollbackWorkloadDocument}
        payload={(data) => data.rollbackWorkload}
        input={{ id, uid, revision: String(to.revision) }}
      />
    </ActionDialog>
  );
}
