import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { ClusterDetailFragment } from '../../../graph/generated/graphql';
import { UpdateClusterDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { labelChanges } from './changes';
import { changesClusters } from './rights';
import { LabelRows } from './rows';

interface EditProps {
  instance: string;
  cluster: ClusterDetailFragment;
}

/** Changes the labels of a cluster; nothing is offered to who may not. */
export function EditLabels({ instance, cluster }: EditProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { allowed } = usePermission(changesClusters(instance));
  if (!allowed) return null;
  return (
    <>
      <Button size="small" type="text" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('member.editLabels')}
      </Button>
      <LabelsDialog cluster={cluster} open={open} close={() => setOpen(false)} />
    </>
  );
}

interface DialogProps {
  cluster: ClusterDetailFragment;
  open: boolean;
  close: () => void;
}

export function LabelsDialog({ cluster, open, close }: DialogProps) {
  const { t } = useTranslation();
  const { id, uid, name, labels } = cluster;
  return (
    <ActionDialog
      open={open}
      close={close}
      title={t('member.labelsOf', { name })}
      name="labels"
      action={{
        document: UpdateClusterDocument,
        payload: (data) => data.updateCluster,
        done: () => t('member.labelsDone', { name }),
        failed: t('member.labelsFailed'),
      }}
      initial={{ labels: labels.map(({ key, value }) => ({ key, value })) }}
      input={({ labels }) => {
        const changes = labelChanges(cluster, labels);
        return changes && { id, uid, ...changes };
      }}
      submit={t('member.save')}
      lead={t('member.labelsLead')}
    >
      <LabelRows />
    </ActionDialog>
  );
}
