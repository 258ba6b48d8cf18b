import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { resourceOf } from '../../../../app/kinds';
import type { ObjectPermission } from '../../../../app/permission';
import { usePermission } from '../../../../app/permission';
import type { FindingFieldsFragment } from '../../../../graph/generated/graphql';
import { CLOSED } from '../../pods/search';
import { ImageDialog } from '../actions/ChangeImage';
import { Run } from '../actions/Run';
import { ROUTE } from '../route';
import { ScaleDialog } from '../Scale';
import { ChangePolicy } from './ChangePolicy';
import type { MendContext, MendDialogProps } from './context';
import { CreatePolicy } from './CreatePolicy';
import { LabelCluster } from './LabelCluster';
import type { Mend } from './mends';
import { mendsOf } from './mends';
import { RemoveTaint } from './RemoveTaint';
import { ResumeScheduling } from './ResumeScheduling';
import { taintText, tolerationsFor } from './taints';

interface MendsProps extends MendContext {
  finding: FindingFieldsFragment;
  /** Opens the dialog of a mend: findings come and go while somebody fills it in. */
  begin: (mend: ButtonMend) => void;
}

/** What can be done about a finding from here, and where to look further. */
export function Mends({ finding, begin, ...context }: MendsProps) {
  return mendsOf(finding, context.workload).map((mend, index) =>
    isLink(mend) ? (
      <MendLink key={mend.kind} mend={mend} instance={context.instance} />
    ) : (
      <MendButton
        key={`${mend.kind} ${index}`}
        mend={mend}
        primary={index === 0}
        begin={begin}
        {...context}
      />
    ),
  );
}

type LinkMend = Extract<Mend, { kind: 'log' | 'pods' | 'revisions' | 'clusters' }>;
export type ButtonMend = Exclude<Mend, LinkMend>;

function isLink(mend: Mend): mend is LinkMend {
  return mend.kind === 'log' || mend.kind === 'pods' || mend.kind === 'revisions' || mend.kind === 'clusters';
}

function MendLink({ mend, instance }: { mend: LinkMend; instance: string }) {
  const { t } = useTranslation();
  switch (mend.kind) {
    case 'log':
      return (
        <Link
          from={ROUTE}
          to="."
          search={{ tab: 'pods', log: [mend.pod], container: mend.container }}
          data-mend="log"
        >
          {t('why.go.log')}
        </Link>
      );
    case 'pods':
      return (
        <Link from={ROUTE} to="." search={{ ...CLOSED, tab: 'pods', cluster: mend.cluster }} data-mend="pods">
          {t('why.go.pods', { cluster: mend.cluster })}
        </Link>
      );
    case 'revisions':
      return (
        <Link from={ROUTE} to="." search={{ tab: 'revisions' }} data-mend="revisions">
          {t('why.go.revisions')}
        </Link>
      );
    case 'clusters':
      return (
        <Link to="/clusters" search={{ instance }} data-mend="clusters">
          {t('why.go.clusters')}
        </Link>
      );
  }
}

interface MendButtonProps extends MendContext {
  mend: ButtonMend;
  primary: boolean;
  begin: (mend: ButtonMend) => void;
}

/** Who may not is told what is missing, and not offered it. */
function MendButton({ mend, primary, begin, ...context }: MendButtonProps) {
  const { t } = useTranslation();
  const { allowed, reason } = usePermission(permissionFor(mend, context));
  const label = t(`why.mend.${nameOf(mend)}`);
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <span className="muted small" data-not-allowed={nameOf(mend)} title={reason}>
        {t('why.notAllowed', { action: label })}
      </span>
    );
  }
  return (
    <Button
      size="small"
      type={primary ? 'primary' : 'default'}
      aria-haspopup="dialog"
      data-mend={nameOf(mend)}
      onClick={() => begin(mend)}
    >
      {label}
    </Button>
  );
}

function nameOf(mend: ButtonMend) {
  if (mend.kind === 'run') return mend.what;
  return mend.kind === 'changePolicy' ? mend.change : mend.kind;
}

/** What the mutation asks the API server for. */
function permissionFor(mend: ButtonMend, { workload, kind, instance }: MendContext): ObjectPermission {
  const { namespace } = workload;
  switch (mend.kind) {
    case 'createPolicy':
      return {
        instance,
        verb: 'CREATE',
        group: 'policy.karmada.io',
        resource: 'propagationpolicies',
        namespace,
      };
    case 'labelCluster':
    case 'removeTaint':
      return { instance, verb: 'PATCH', group: 'cluster.karmada.io', resource: 'clusters' };
    case 'tolerate':
    case 'changePolicy': {
      const policy = workload.propagation?.policy;
      const resource =
        policy?.kind === 'ClusterPropagationPolicy' ? 'clusterpropagationpolicies' : 'propagationpolicies';
      return {
        instance,
        verb: 'PATCH',
        group: 'policy.karmada.io',
        resource,
        namespace: policy?.namespace ?? undefined,
      };
    }
    case 'resumeScheduling':
      return { instance, verb: 'PATCH', group: 'work.karmada.io', resource: 'resourcebindings', namespace };
    case 'run':
      if (mend.what === 'reschedule')
        return { instance, verb: 'CREATE', group: 'apps.karmada.io', resource: 'workloadrebalancers' };
      return {
        instance,
        verb: mend.what === 'rerun' ? 'DELETE' : 'PATCH',
        ...resourceOf(kind),
        namespace,
      };
    case 'setImage':
    case 'scale':
      return { instance, verb: 'PATCH', ...resourceOf(kind), namespace };
  }
}

/** What a mend is done with. */
export function MendDialog({ mend, ...context }: MendDialogProps & { mend: ButtonMend }) {
  switch (mend.kind) {
    case 'createPolicy':
      return <CreatePolicy {...context} />;
    case 'labelCluster':
      return <LabelCluster {...context} labels={mend.labels} clusters={mend.clusters} />;
    case 'removeTaint':
      return <RemoveTaint {...context} taints={mend.taints} />;
    case 'tolerate':
      return (
        <ChangePolicy
          {...context}
          what="tolerate"
          summary={`spec.placement.clusterTolerations: + ${mend.taints.map(taintText).join(', ')}`}
          change={(policy) => ({
            placement: {
              clusterTolerations: [
                ...(policy.placement?.clusterTolerations ?? []),
                ...tolerationsFor(mend.taints),
              ],
            },
          })}
        />
      );
    case 'changePolicy':
      return <ChangePolicy {...context} {...POLICY_CHANGES[mend.change]} what={mend.change} />;
    case 'resumeScheduling':
      return <ResumeScheduling {...context} />;
    case 'run':
      return <Run workload={context.workload} what={mend.what} close={context.close} />;
    case 'setImage':
      return (
        <ImageDialog
          workload={context.workload}
          containers={[{ name: mend.container, image: mend.image, init: false }]}
          close={context.close}
        />
      );
    case 'scale':
      return <ScaleDialog workload={context.workload} open close={context.close} />;
  }
}

const POLICY_CHANGES = {
  overwrite: {
    summary: 'spec.conflictResolution: Overwrite',
    change: () => ({ conflictResolution: 'OVERWRITE' as const }),
  },
  propagateDeps: { summary: 'spec.propagateDeps: true', change: () => ({ propagateDeps: true }) },
  dispatch: { summary: 'spec.suspension: –', change: () => ({ suspension: null }) },
};
