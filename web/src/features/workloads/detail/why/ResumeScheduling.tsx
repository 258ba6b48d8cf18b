import { useTranslation } from 'react-i18next';
import { MendBindingDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import type { MendDialogProps } from './context';

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
