import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import type { FactFieldsFragment, WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { FreshnessMark } from '../../../ui/Freshness';
import { ToneIcon } from '../../../ui/tone';
import type { Stage } from '../verdict';
import { toneOfFact } from '../verdict';
import { columnsOf, numberIn } from './columns';

type Target = NonNullable<WorkloadDetailFragment['propagation']>['targets'][number];

interface TargetsProps {
  workload: WorkloadDetailFragment;
  /** The cluster whose chip led here. */
  picked?: string;
}

export function Targets({ workload, picked }: TargetsProps) {
  const { t } = useTranslation();
  const columns = columnsOf(workload.kind);
  const targets = workload.propagation?.targets ?? [];
  if (targets.length === 0) return <p className="muted">{t('workload.noTargets')}</p>;
  return (
    <div className="grid-scroll">
      <table className="grid targets" aria-label={t('workload.clusters')}>
        <thead>
          <tr>
            <th scope="col">{t('workload.cluster')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="number">
                {t(`workload.${column}`)}
              </th>
            ))}
            <th scope="col">{t('fact.scheduled')}</th>
            <th scope="col">{t('fact.applied')}</th>
            <th scope="col">{t('fact.healthy')}</th>
            <th scope="col">{t('workload.data')}</th>
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <TargetRow
              key={target.clusterName}
              target={target}
              workload={workload}
              picked={target.clusterName === picked}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TargetRowProps {
  target: Target;
  workload: WorkloadDetailFragment;
  picked: boolean;
}

function TargetRow({ target, workload, picked }: TargetRowProps) {
  const { t } = useTranslation();
  const fleet = useFleet();
  const row = useRef<HTMLTableRowElement>(null);
  const instance = workload.instance?.name ?? '';
  const completions = 'completions' in workload ? workload.completions : null;

  useEffect(() => {
    if (picked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [picked]);

  const cluster = target.cluster;
  return (
    <tr ref={row} className={picked ? 'is-picked' : undefined} data-target={target.clusterName}>
      <th scope="row">
        <Link to="/clusters" search={{ instance }} className="name">
          {target.clusterName}
        </Link>
        {cluster && cluster.state !== 'READY' && (
          <div className="muted small wrap">
            {t('workload.offline', { state: t(`state.${cluster.state}`), message: cluster.stateMessage })}
          </div>
        )}
        {target.reason !== 'SCHEDULED' && (
          <div className="muted small">{t(`placement.${target.reason}`)}</div>
        )}
      </th>
      {columnsOf(workload.kind).map((column) => (
        <td key={column} className="number" data-column={column}>
          {numberIn(column, workload.kind, target, completions) ?? <span className="muted">–</span>}
        </td>
      ))}
      <FactCell stage="scheduled" fact={target.scheduled} />
      <FactCell stage="applied" fact={target.applied} />
      <FactCell stage="healthy" fact={target.healthy} />
      <td>
        <FreshnessMark freshness={fleet.freshness(instance, target.clusterName) ?? target.freshness} />
      </td>
    </tr>
  );
}

function FactCell({ stage, fact }: { stage: Stage; fact: FactFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <td className="fact-cell">
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
    </td>
  );
}
