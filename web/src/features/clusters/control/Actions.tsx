import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { ClusterRowFragment, InstanceDetailFragment } from '../../../graph/generated/graphql';
import { Kubeconfig } from '../../kubeconfig/Kubeconfig';
import { ConsoleLink } from '../Console';
import { DeleteDialog } from './Delete';
import { EditDialog } from './Edit';

interface ActionsProps {
  instance: InstanceDetailFragment;
  clusters: readonly ClusterRowFragment[] | null;
}

export function Actions({ instance, clusters }: ActionsProps) {
  const { t } = useTranslation();
  const { name, state } = instance;
  const { allowed, reason } = usePermission({ adminOf: name });
  const running = state === 'RUNNING';
  return (
    <span className="detail-actions">
      <Link to="/workloads" search={{ instance: name }} className="button-link">
        {t('app.workloads')}
      </Link>
      {running && <ConsoleLink instance={instance} />}
      {running && <Kubeconfig instance={name} clusters={clusters?.map(({ name }) => name) ?? []} />}
      {allowed === false && (
        <span className="muted small" data-not-allowed="instance" title={reason}>
          {t('member.readOnly')}
        </span>
      )}
      {allowed && (
        <>
          {running && (
            <Link to="/join-cluster" search={{ instance: name }} className="button-link">
              {t('clusters.join')}
            </Link>
          )}
          <Edit instance={instance} />
          <Delete instance={instance} />
        </>
      )}
    </span>
  );
}

function Edit({ instance }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('control.edit')}
      </Button>
      <EditDialog instance={instance} open={open} close={() => setOpen(false)} />
    </>
  );
}

function Delete({ instance }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (instance.state === 'DELETING') return null;
  return (
    <>
      <Button size="small" danger aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t(instance.source === 'ATTACHED' ? 'control.detach' : 'control.delete')}
      </Button>
      <DeleteDialog instance={instance} open={open} close={() => setOpen(false)} />
    </>
  );
}
