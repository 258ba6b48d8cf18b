import type { TypedDocumentNode } from '@urql/core';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import {
  PauseWorkloadDocument,
  ProtectResourceDocument,
  RerunJobDocument,
  RescheduleWorkloadDocument,
  RestartWorkloadDocument,
  ResumeWorkloadDocument,
  SuspendCronJobDocument,
} from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { DryRun } from '../../../../ui/action/DryRun';
import type { Payload } from '../../../../ui/action/useAction';
import type { WorkloadAction } from './actions';

export type RunAction = Exclude<WorkloadAction, 'setImage' | 'delete'>;

interface RunProps {
  workload: WorkloadDetailFragment;
  what: RunAction;
  close: () => void;
}

/** Says what will happen and whether Karmada would take it, and does it. */
export function Run(props: RunProps) {
  const { workload, what } = props;
  // The uid says which object is meant: not a namesake that was made since the page was read.
  const { id, uid, kind } = workload;
  const input = { id, uid };
  switch (what) {
    case 'restart':
      return (
        <Confirm
          {...props}
          document={RestartWorkloadDocument}
          payload={(data) => data.restartWorkload}
          input={input}
        />
      );
    case 'reschedule':
      return (
        <Confirm
          {...props}
          document={RescheduleWorkloadDocument}
          payload={(data) => data.rescheduleWorkload}
          input={input}
        />
      );
    case 'rerun':
      return (
        <Confirm
          {...props}
          danger
          document={RerunJobDocument}
          payload={(data) => data.rerunJob}
          input={input}
        />
      );
    case 'suspend':
    case 'unsuspend':
      if (kind === 'CronJob') {
        return (
          <Confirm
            {...props}
            document={SuspendCronJobDocument}
            payload={(data) => data.suspendCronJob}
            input={{ ...input, suspend: what === 'suspend' }}
            back={{ ...input, suspend: what !== 'suspend' }}
          />
        );
      }
      return what === 'suspend' ? <Pause {...props} input={input} /> : <Resume {...props} input={input} />;
    case 'pause':
      return <Pause {...props} input={input} />;
    case 'resume':
      return <Resume {...props} input={input} />;
    case 'protect':
    case 'unprotect':
      return (
        <Confirm
          {...props}
          document={ProtectResourceDocument}
          payload={(data) => data.protectResource}
          input={{ ...input, protected: what === 'protect' }}
          back={{ ...input, protected: what !== 'protect' }}
        />
      );
  }
}

type WithInput = RunProps & { input: { id: string; uid: string } };

function Pause(props: WithInput) {
  return <Confirm {...props} document={PauseWorkloadDocument} payload={(data) => data.pauseWorkload} />;
}

function Resume(props: WithInput) {
  return <Confirm {...props} document={ResumeWorkloadDocument} payload={(data) => data.resumeWorkload} />;
}

interface ConfirmProps<Data, Input extends object, Result extends Payload> extends RunProps {
  document: TypedDocumentNode<Data, { input: Input }>;
  payload: (data: Data) => Result | null | undefined;
  input: Input;
  /** What takes it back. */
  back?: Input;
  danger?: boolean;
}

function Confirm<Data, Input extends object, Result extends Payload>(
  props: ConfirmProps<Data, Input, Result>,
) {
  const { t } = useTranslation();
  const { workload, what, close, document, payload, input, back, danger } = props;
  const { name, kind } = workload;
  return (
    <ActionDialog
      open
      close={close}
      title={t(`workloadAction.${what}.title`, { name })}
      name={what}
      danger={danger}
      action={{
        document,
        payload,
        done: (_, sent) => t(`workloadAction.${sent === back ? opposite(what) : what}.done`, { name }),
        failed: t(`workloadAction.${what}.failed`),
        undo: () => back,
      }}
      initial={{}}
      input={() => input}
      submit={t(`workloadAction.${what}.submit`)}
      lead={t(leadOf(what, kind))}
    >
      <DryRun document={document} payload={payload} input={input} />
    </ActionDialog>
  );
}

const OPPOSITES: Partial<Record<RunAction, RunAction>> = {
  suspend: 'unsuspend',
  unsuspend: 'suspend',
  protect: 'unprotect',
  unprotect: 'protect',
};

function opposite(what: RunAction): RunAction {
  return OPPOSITES[what] ?? what;
}

function leadOf(what: RunAction, kind: string) {
  if (what !== 'suspend' && what !== 'unsuspend') return `workloadAction.${what}.lead` as const;
  return kind === 'CronJob'
    ? (`workloadAction.${what}.leadCronJob` as const)
    : (`workloadAction.${what}.leadJob` as const);
}
