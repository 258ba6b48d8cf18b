import { useNavigate } from '@tanstack/react-router';
import { Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KINDS, resourceOf } from '../../../app/kinds';
import { usePermission } from '../../../app/permission';
import { PromoteResourceDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { DryRun } from '../../../ui/action/DryRun';
import { CheckField } from '../../../ui/form/Field';
import type { Candidate, Choices } from './plan';
import { inputOf } from './plan';
import { PlanView } from './PlanView';

interface PromoteProps {
  instance: string;
  cluster: string;
  workload: Candidate;
}

/** Takes a workload of a member into the federation. Who may not is told what it takes. */
export function Promote(props: PromoteProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { instance, workload } = props;
  const kind = KINDS.find((known) => known.kind === workload.kind)?.value ?? 'DEPLOYMENT';
  const { allowed, reason } = usePermission({
    instance,
    verb: 'CREATE',
    ...resourceOf(kind),
    namespace: workload.namespace,
  });
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <div className="muted small" data-not-allowed="promote" title={reason}>
        {t('promote.notAllowed')}
      </div>
    );
  }
  return (
    <>
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('promote.buttonFor', { name: workload.name })}
        onClick={() => setOpen(true)}
      >
        {t('promote.button')}
      </Button>
      {open && <PromoteDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

const INITIAL: Choices = { dependencies: true, preserve: false };

/** Says what would be made, and then makes it: the page follows how. */
export function PromoteDialog({ instance, cluster, workload, close }: PromoteProps & { close: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [accepted, setAccepted] = useState(false);
  const { name } = workload;
  return (
    <ActionDialog
      open
      close={close}
      title={t('promote.title', { name })}
      name="promote"
      action={{
        document: PromoteResourceDocument,
        payload: (data) => data.promoteResource,
        failed: t('promote.failed'),
      }}
      initial={INITIAL}
      input={(choices) => inputOf(instance, cluster, workload, choices)}
      submit={t('promote.submit')}
      blocked={!accepted}
      lead={t('promote.lead', { cluster })}
      onDone={({ operation }) =>
        void navigate({
          from: '/clusters/$instance/$cluster',
          to: '.',
          search: (before) => ({ ...before, operation: operation?.id }),
        })
      }
    >
      <CheckField name="dependencies" label={t('promote.dependencies')} />
      <CheckField name="preserve" label={t('promote.preserve')} hint={t('promote.preserveHint')} />
      <Foreseen instance={instance} cluster={cluster} workload={workload} tell={setAccepted} />
    </ActionDialog>
  );
}

/** What the promotion comes to, as it is chosen. */
function Foreseen(props: PromoteProps & { tell: (accepted: boolean) => void }) {
  const { instance, cluster, workload, tell } = props;
  const dependencies = Form.useWatch<boolean | undefined>('dependencies') ?? INITIAL.dependencies;
  const preserve = Form.useWatch<boolean | undefined>('preserve') ?? INITIAL.preserve;
  return (
    <DryRun
      document={PromoteResourceDocument}
      payload={(data) => data.promoteResource}
      input={inputOf(instance, cluster, workload, { dependencies, preserve })}
      tell={tell}
    >
      {(plan) => <PlanView plan={plan} />}
    </DryRun>
  );
}
