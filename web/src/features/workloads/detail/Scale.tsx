import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { WorkloadDetailFragment, WorkloadKind } from '../../../graph/generated/graphql';
import { ScaleWorkloadDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { TextField } from '../../../ui/form/Field';
import { MOST_REPLICAS, replicasOf } from '../../../ui/typed';
import { resourceOf } from '../../../app/kinds';

interface ScaleProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
  instance: string;
}

/** Scales a workload. Who may not is told so, and not offered it. */
export function Scale({ workload, kind, instance }: ScaleProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { namespace } = workload;
  const { allowed, reason } = usePermission({ verb: 'PATCH', ...resourceOf(kind), instance, namespace });
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <span className="muted small" data-not-allowed="scale" title={reason}>
        {t('scale.notAllowed')}
      </span>
    );
  }
  return (
    <>
      <Button type="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('scale.button')}
      </Button>
      <ScaleDialog workload={workload} open={open} close={() => setOpen(false)} />
    </>
  );
}

interface DialogProps {
  workload: WorkloadDetailFragment;
  open: boolean;
  close: () => void;
}

export function ScaleDialog({ workload, open, close }: DialogProps) {
  const { t } = useTranslation();
  const { id, uid, name, replicas: before } = workload;
  return (
    <ActionDialog
      open={open}
      close={close}
      title={t('scale.title', { name })}
      name="scale"
      action={{
        document: ScaleWorkloadDocument,
        payload: (data) => data.scaleWorkload,
        done: ({ workload }, input) => t('scale.done', { replicas: workload?.replicas ?? input.replicas }),
        failed: t('scale.failed'),
        undo: (_, input) =>
          before === null || before === input.replicas ? undefined : { ...input, replicas: before },
      }}
      initial={{ replicas: String(before ?? 0) }}
      input={({ replicas: typed }) => {
        const replicas = replicasOf(typed);
        // The uid says which object is meant: not a namesake that was made since this page was read.
        return replicas === null ? null : { id, uid, replicas };
      }}
      paths={{ 'spec.replicas': 'replicas' }}
      submit={t('scale.submit')}
    >
      <TextField
        name="replicas"
        label={t('scale.replicas')}
        hint={t('scale.hint')}
        numeric
        check={(typed) =>
          replicasOf(typed) === null ? t('scale.invalid', { typed, most: MOST_REPLICAS }) : null
        }
      />
    </ActionDialog>
  );
}
