import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../../../app/commands';
import { DeleteObject } from '../../../../app/DeleteObject';
import { resourceOf } from '../../../../app/kinds';
import { usePermission } from '../../../../app/permission';
import type { WorkloadDetailFragment, WorkloadKind } from '../../../../graph/generated/graphql';
import { DeleteResourceDocument } from '../../../../graph/generated/graphql';
import { MenuButton } from '../../../../ui/MenuButton';
import type { WorkloadAction } from './actions';
import { actionsOf, isProtected, rightFor } from './actions';
import { ChangeImage } from './ChangeImage';
import { Run } from './Run';

interface ActionsProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
  instance: string;
}

/** Everything that can be done to a workload: what the viewer may not do says what it takes. */
export function Actions({ workload, kind, instance }: ActionsProps) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<WorkloadAction | null>(null);
  const { namespace, name } = workload;
  const rights = {
    change: usePermission({ instance, verb: 'PATCH', ...resourceOf(kind), namespace }),
    delete: usePermission({ instance, verb: 'DELETE', ...resourceOf(kind), namespace }),
    reschedule: usePermission({
      instance,
      verb: 'CREATE',
      group: 'apps.karmada.io',
      resource: 'workloadrebalancers',
    }),
  };
  const guarded = isProtected(workload);
  const items = actionsOf(workload).map((action) => {
    const { allowed, reason } = rights[rightFor(action)];
    const held = guarded && rightFor(action) === 'delete';
    return {
      id: action,
      label: t(`workloadAction.item.${action}`),
      disabled: allowed !== true || held,
      note: reason || (held ? t('workloadAction.protectedFirst') : undefined),
      danger: action === 'delete',
      run: () => setBegun(action),
    };
  });
  const offered = items
    .filter(({ disabled }) => !disabled)
    .map(({ id }) => id)
    .join(' ');
  useCommands(
    useMemo(
      () =>
        offered
          .split(' ')
          .filter((id) => id !== '')
          .map((id) => ({
            id: `workload-${id}`,
            label: t(`workloadAction.item.${id as WorkloadAction}`),
            detail: name,
            run: () => setBegun(id as WorkloadAction),
          })),
      [offered, name, t],
    ),
  );
  return (
    <>
      {items.length > 0 && (
        <MenuButton
          label={t('workloadAction.button')}
          name={t('workloadAction.menu', { name })}
          items={items}
        />
      )}
      {begun && <Begun action={begun} workload={workload} close={() => setBegun(null)} />}
    </>
  );
}

interface BegunProps {
  action: WorkloadAction;
  workload: WorkloadDetailFragment;
  close: () => void;
}

function Begun({ action, workload, close }: BegunProps) {
  switch (action) {
    case 'setImage':
      return <ChangeImage workload={workload} close={close} />;
    case 'delete':
      return <Delete workload={workload} close={close} />;
    default:
      return <Run workload={workload} what={action} close={close} />;
  }
}

function Delete({ workload, close }: Omit<BegunProps, 'action'>) {
  const navigate = useNavigate();
  const { instance, namespace } = workload;
  return (
    <DeleteObject
      open
      close={close}
      object={workload}
      document={DeleteResourceDocument}
      payload={(data) => data.deleteResource}
      lead={<DeleteLead workload={workload} />}
      after={() =>
        void navigate({
          to: '/workloads',
          search: { instance: instance?.name, namespace: [namespace] },
        })
      }
    />
  );
}

/** Where it is now, and what becomes of its policy. */
function DeleteLead({ workload: { propagation } }: Pick<BegunProps, 'workload'>) {
  const { t } = useTranslation();
  const clusters = propagation?.targets.map(({ clusterName }) => clusterName) ?? [];
  const policy = propagation?.policy;
  return (
    <>
      {clusters.length > 0
        ? t('workloadAction.deleteLead.clusters', { clusters: clusters.join(', ') })
        : t('workloadAction.deleteLead.nowhere')}{' '}
      {policy
        ? t('workloadAction.deleteLead.claimed', { kind: policy.kind, policy: policy.name })
        : t('workloadAction.deleteLead.free')}
    </>
  );
}
