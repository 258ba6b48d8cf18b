import { Alert, Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { ClusterDetailFragment } from '../../../graph/generated/graphql';
import { UpdateClusterDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import type { TaintRow } from './changes';
import { evicts, taintChanges } from './changes';
import { changesClusters } from './rights';
import { TaintRows } from './rows';

interface EditProps {
  instance: string;
  cluster: ClusterDetailFragment;
}

/** Changes the taints of a cluster; nothing is offered to who may not. */
export function EditTaints({ instance, cluster }: EditProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { allowed } = usePermission(changesClusters(instance));
  if (!allowed) return null;
  return (
    <>
      <Button size="small" type="text" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('member.editTaints')}
      </Button>
      <TaintsDialog cluster={cluster} open={open} close={() => setOpen(false)} />
    </>
  );
}

interface DialogProps {
  cluster: ClusterDetailFragment;
  open: boolean;
  close: () => void;
}

export function TaintsDialog({ cluster, open, close }: DialogProps) {
  const { t } = useTranslation();
  const { id, uid, name, taints } = cluster;
  return (
    <ActionDialog
      open={open}
      close={close}
      title={t('member.taintsOf', { name })}
      name="taints"
      action={{
        document: UpdateClusterDocument,
        payload: (data) => data.updateCluster,
        done: () => t('member.taintsDone', { name }),
        failed: t('member.taintsFailed'),
      }}
      initial={{ taints: taints.map(({ key, value, effect }): TaintRow => ({ key, value, effect })) }}
      input={({ taints }) => {
        const changes = taintChanges(cluster, taints);
        return changes && { id, uid, ...changes };
      }}
      submit={t('member.save')}
      lead={t('member.taintsLead')}
    >
      <TaintRows />
      <Evicts cluster={cluster} />
    </ActionDialog>
  );
}

/** Says what a taint will do before it does. */
function Evicts({ cluster }: { cluster: ClusterDetailFragment }) {
  const { t } = useTranslation();
  const rows = Form.useWatch<TaintRow[] | undefined>('taints');
  if (!rows || !evicts(cluster, rows)) return null;
  return <Alert type="warning" showIcon title={t('member.evicts', { name: cluster.name })} />;
}
