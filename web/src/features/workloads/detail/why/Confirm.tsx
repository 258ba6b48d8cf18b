import { useTranslation } from 'react-i18next';
import {
  MendBindingDocument,
  RerunJobDocument,
  RescheduleWorkloadDocument,
  ResumeWorkloadDocument,
} from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import type { MendDialogProps } from './context';

/** Says what will happen, and does it. */
export function Run({
  workload,
  what,
  close,
}: MendDialogProps & { what: 'reschedule' | 'rerun' | 'resume' }) {
  const { t } = useTranslation();
  const { id, uid, name } = workload;
  const texts = {
    open: true,
    close,
    title: t(`why.${what}.title`, { name }),
    name: what,
    initial: {},
    input: () => ({ id, uid }),
    submit: t(`why.${what}.submit`),
    lead: t(`why.${what}.lead`),
    children: null,
  };
  const told = { done: () => t(`why.${what}.done`, { name }), failed: t(`why.${what}.failed`) };
  switch (what) {
    case 'reschedule':
      return (
        <ActionDialog
          {...texts}
          action={{
            ...told,
            document: RescheduleWorkloadDocument,
            payload: (data) => data.rescheduleWorkload,
          }}
        />
      );
    case 'rerun':
      return (
        <ActionDialog
          {...texts}
          action={{ ...told, document: RerunJobDocument, payload: (data) => data.rerunJob }}
        />
      );
    case 'resume':
      return (
        <ActionDialog
          {...texts}
          action={{ ...told, document: ResumeWorkloadDocument, payload: (data) => data.resumeWorkload }}
        />
      );
  }
}

/** Has the scheduler deal with a binding again whose scheduling is suspended. */
export function ResumeScheduling({ workload, close }: MendDialogProps) {
  const { t } = useTranslation();
  const binding = workload.propagation?.binding;
  return (
    <ActionDialog
      open
      close={close}
      title={t('why.resumeScheduling.title')}
      name="resume-scheduling"
      action={{
        document: MendBindingDocument,
        payload: (data) => data.patchResource,
        done: () => t('why.resumeScheduling.done'),
        failed: t('why.resumeScheduling.failed'),
      }}
      initial={{}}
      input={() =>
        binding ? { id: binding.id, patch: '{"spec":{"suspension":{"scheduling":null}}}' } : null
      }
      submit={t('why.resumeScheduling.submit')}
      lead={t('why.resumeScheduling.lead')}
    >
      {null}
    </ActionDialog>
  );
}
