import { Alert, Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type { RevisionRowFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { RollbackWorkloadDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import type { Refusal } from '../../../../ui/action/refusals';
import { refusalsOf, refusalText } from '../../../../ui/action/refusals';
import { ToneIcon } from '../../../../ui/tone';
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
      <DryRun input={{ id, uid, revision: String(to.revision) }} />
    </ActionDialog>
  );
}

/** Whether the API server would take it: asked as the dialog opens, so that nobody has to try. */
function DryRun({ input }: { input: { id: string; uid: string; revision: string } }) {
  const { t } = useTranslation();
  const [, execute] = useMutation(RollbackWorkloadDocument);
  const [refusals, setRefusals] = useState<Refusal[] | null>(null);
  const wanted = JSON.stringify(input);
  useEffect(() => {
    let past = false;
    void execute({ input: { ...(JSON.parse(wanted) as typeof input), dryRun: true } }).then(
      ({ data, error }) => {
        if (!past) setRefusals(refusalsOf(data?.rollbackWorkload?.userErrors, error, t));
      },
    );
    return () => {
      past = true;
    };
  }, [execute, wanted, t]);

  if (!refusals) return <p className="muted">{t('revisions.trying')}</p>;
  if (refusals.length === 0) {
    return (
      <p className="why-well tone-ok" data-dry-run="accepted">
        <ToneIcon tone="ok" /> {t('revisions.accepted')}
      </p>
    );
  }
  return refusals
    .map(refusalText)
    .map((text) => (
      <Alert key={text} type="error" showIcon title={t('revisions.refused')} description={text} />
    ));
}
