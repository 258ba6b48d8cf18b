import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import type { FactFieldsFragment, WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { FreshnessMark } from '../../../ui/Freshness';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import { ToneIcon } from '../../../ui/tone';
import type { Stage } from '../verdict';
import { toneOfFact } from '../verdict';
import { columnsOf, numberIn } from './columns';
import { ROUTE } from './route';
import { TargetDetail } from './TargetDetail';
import { useTree } from './useTree';
import type { DiagnosedWorkload } from './useWorkload';

type Target = NonNullable<WorkloadDetailFragment['propagation']>['targets'][number];

const STAGES = ['scheduled', 'applied', 'healthy'] as const satisfies readonly Stage[];

interface TargetsProps {
  workload: DiagnosedWorkload;
  /** The cluster whose row is unfolded: its chip led here, or somebody unfolded it. */
  picked?: string;
}

const idOf = ({ clusterName }: Target) => clusterName;
const attributesOf = ({ clusterName }: Target) => ({ 'data-target': clusterName });

export function Targets({ workload, picked }: TargetsProps) {
  const { t } = useTranslation();
  const completions = 'completions' in workload ? workload.completions : null;
  const columns = useTargetColumns(workload.kind, workload.instance?.name ?? '', completions, picked);
  const tree = useTree(picked === undefined ? undefined : workload.id);
  const { diagnosis } = workload.propagation ?? {};
  return (
    <DataTable
      name="targets"
      label={t('workload.clusters')}
      columns={columns}
      rows={workload.propagation?.targets ?? NONE}
      rowId={idOf}
      rowAttributes={attributesOf}
      picked={picked}
      detail={({ clusterName }) => (
        <TargetDetail
          cluster={clusterName}
          view={tree}
          findings={diagnosis?.filter((finding) => finding.clusterName === clusterName) ?? []}
        />
      )}
      empty={<p className="muted">{t('workload.noTargets')}</p>}
    />
  );
}

const NONE: readonly Target[] = [];

function useTargetColumns(
  kind: string,
  instance: string,
  completions: number | null | undefined,
  picked: string | undefined,
) {
  const { t } = useTranslation();
  return useMemo(
    (): DataColumn<Target>[] => [
      {
        id: 'cluster',
        header: t('workload.cluster'),
        namesRow: true,
        cell: (target) => <Cluster target={target} open={target.clusterName === picked} />,
      },
      ...columnsOf(kind).map((column): DataColumn<Target> => ({
        id: column,
        header: t(`workload.${column}`),
        number: true,
        attributes: () => ({ 'data-column': column }),
        cell: (target) => numberIn(column, kind, target, completions) ?? <span className="muted">–</span>,
      })),
      ...STAGES.map((stage): DataColumn<Target> => ({
        id: stage,
        header: t(`fact.${stage}`),
        attributes: () => ({ className: 'fact-cell' }),
        cell: (target) => <StageFact stage={stage} fact={target[stage]} />,
      })),
      {
        id: 'data',
        header: t('workload.data'),
        cell: (target) => <Freshness instance={instance} target={target} />,
      },
    ],
    [t, kind, instance, completions, picked],
  );
}

function Cluster({ target, open }: { target: Target; open: boolean }) {
  const { t } = useTranslation();
  const { cluster, clusterName, reason } = target;
  return (
    <>
      <Link
        from={ROUTE}
        to="."
        search={(before) => ({ ...before, cluster: open ? undefined : clusterName })}
        replace
        resetScroll={false}
        className="name unfold"
        aria-expanded={open}
        title={t(open ? 'target.fold' : 'target.unfold', { cluster: clusterName })}
      >
        <span className="unfold-mark" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        {clusterName}
      </Link>
      {cluster && cluster.state !== 'READY' && (
        <div className="muted small wrap">
          {t('workload.offline', { state: t(`state.${cluster.state}`), message: cluster.stateMessage })}
        </div>
      )}
      {reason !== 'SCHEDULED' && <div className="muted small">{t(`placement.${reason}`)}</div>}
    </>
  );
}

function StageFact({ stage, fact }: { stage: Stage; fact: FactFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="fact-line">
        <ToneIcon tone={toneOfFact(stage, fact)} />
        <span className="sr-only">{t(`fact.${fact.value}`)}</span>
        <span className="reason">{fact.reason}</span>
        {fact.since && (
          <span className="muted">
            <Age since={fact.since} />
          </span>
        )}
      </span>
      {fact.value !== 'TRUE' && fact.message && <div className="muted small wrap">{fact.message}</div>}
    </>
  );
}

function Freshness({ instance, target }: { instance: string; target: Target }) {
  const fleet = useFleet();
  return <FreshnessMark freshness={fleet.freshness(instance, target.clusterName) ?? target.freshness} />;
}
