import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { ClusterDetailFragment } from '../../../graph/generated/graphql';
import { SetClusterSchedulableDocument } from '../../../graph/generated/graphql';
import { useAction } from '../../../ui/action/useAction';
import { Kubeconfig } from '../../kubeconfig/Kubeconfig';
import { isPaused } from './health';
import { changesClusters } from './rights';
import { UnjoinDialog } from './Unjoin';

interface ActionsProps {
  instance: string;
  cluster: ClusterDetailFragment;
}

export function Actions({ instance, cluster }: ActionsProps) {
  return (
    <span className="detail-actions">
      <Kubeconfig instance={instance} clusters={[cluster.name]} />
      <Scheduling instance={instance} cluster={cluster} />
      {cluster.state !== 'REMOVING' && <Unjoin instance={instance} cluster={cluster} />}
    </span>
  );
}

/** Pauses and resumes scheduling, which can be taken back at once. */
function Scheduling({ instance, cluster }: ActionsProps) {
  const { t } = useTranslation();
  const { allowed, reason } = usePermission(changesClusters(instance));
  const { id, uid, name } = cluster;
  const { run, pending } = useAction({
    document: SetClusterSchedulableDocument,
    payload: (data) => data.setClusterSchedulable,
    done: (_, { schedulable }: { id: string; uid: string; schedulable: boolean }) =>
      t(schedulable ? 'member.resumed' : 'member.paused', { name }),
    failed: t('member.schedulingFailed'),
    undo: (_, input) => ({ ...input, schedulable: !input.schedulable }),
  });
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <span className="muted small" data-not-allowed="schedule" title={reason}>
        {t('member.readOnly')}
      </span>
    );
  }
  const paused = isPaused(cluster);
  return (
    <Button
      size="small"
      loading={pending}
      title={t(paused ? 'member.resumeHint' : 'member.pauseHint')}
      onClick={() => void run({ id, uid, schedulable: paused })}
    >
      {t(paused ? 'member.resume' : 'member.pause')}
    </Button>
  );
}

function Unjoin({ instance, cluster }: ActionsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { allowed } = usePermission({ adminOf: instance });
  if (!allowed) return null;
  return (
    <>
      <Button size="small" danger aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('unjoin.button')}
      </Button>
      <UnjoinDialog cluster={cluster} open={open} close={() => setOpen(false)} />
    </>
  );
}
