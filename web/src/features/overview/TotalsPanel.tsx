import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOfKind } from '../../app/kinds';
import { Age } from '../../ui/Age';
import { bytesText, coresText, shareOf } from '../../ui/amounts';
import { FreshnessMark } from '../../ui/Freshness';
import { Meter } from '../../ui/Meter';
import { ToneIcon } from '../../ui/tone';
import type { AnyState } from '../../ui/tones';
import { toneOfState } from '../../ui/tones';
import type { AttentionRowFragment, OverviewInstanceFragment } from '../../graph/generated/graphql';
import type { Totals } from './totals';
import { statesOf } from './totals';

interface TotalsProps {
  instance?: string;
  totals: Totals;
  workloads: readonly AttentionRowFragment[];
  instances: readonly OverviewInstanceFragment[];
}

/** What there is, as links to the lists of it, and how fresh what is shown is. */
export function TotalsPanel({ instance, totals, workloads, instances }: TotalsProps) {
  const { t } = useTranslation();
  const { clusters, nodes, cpu, memory, policies, uncounted, asOf } = totals;
  return (
    <section className="panel totals" aria-labelledby="totals-title">
      <h2 id="totals-title">{t('overview.totals')}</h2>
      <dl>
        <Total label={t('overview.instances')}>
          <Link to="/clusters" search={{ instance }} data-total="instances">
            <States states={totals.instances} />
          </Link>
        </Total>
        <Total label={t('overview.clusters')}>
          <Link to="/clusters" search={{ instance }} data-total="clusters">
            <Ready {...clusters} /> <States states={totals.clusterStates.filter(isNotReady)} />
          </Link>
        </Total>
        <Total label={t('overview.nodes')}>
          <Link to="/clusters" search={{ instance }} data-total="nodes">
            <Ready {...nodes} />
          </Link>
        </Total>
        <Total label={t('overview.cpu')}>
          <Meter
            label={t('overview.cpu')}
            share={shareOf(cpu.allocated.cores, cpu.allocatable.cores)}
            text={t('overview.cores', {
              used: coresText(cpu.allocated.cores),
              total: coresText(cpu.allocatable.cores),
            })}
          />
        </Total>
        <Total label={t('overview.memory')}>
          <Meter
            label={t('overview.memory')}
            share={shareOf(memory.allocated.bytes, memory.allocatable.bytes)}
            text={t('overview.bytes', {
              used: bytesText(memory.allocated.bytes),
              total: bytesText(memory.allocatable.bytes),
            })}
          />
        </Total>
        <Total label={t('overview.workloads')}>
          <WorkloadTotals instance={instance} totals={totals} workloads={workloads} />
        </Total>
        <Total label={t('overview.policies')}>
          <span className="number" data-total="policies">
            {policies.reduce((sum, { total }) => sum + total, 0)}
          </span>
        </Total>
        <Total label={t('overview.data')}>
          <Freshness instances={instances} />
        </Total>
        {asOf && (
          <Total label={t('overview.counted')} title={t('overview.countedHint')}>
            <Age since={asOf} />
          </Total>
        )}
      </dl>
      {uncounted.length > 0 && (
        <p className="muted small">
          {t('overview.uncounted', { instances: uncounted.map(({ name }) => name).join(', ') })}
        </p>
      )}
    </section>
  );
}

function Total({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <div>
      <dt title={title}>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Ready({ ready, total }: { ready: number; total: number }) {
  const { t } = useTranslation();
  return (
    <span
      className={ready < total ? 'number reason' : 'number'}
      title={t('overview.readyOf', { ready, total })}
    >
      {ready}/{total}
    </span>
  );
}

function States({ states }: { states: readonly { state: AnyState; total: number }[] }) {
  const { t } = useTranslation();
  return states.map(({ state, total }) => (
    <span key={state} className={`count tone-${toneOfState(state)}`} data-state={state}>
      <ToneIcon tone={toneOfState(state)} /> {total} {t(`state.${state}`)}
    </span>
  ));
}

function isNotReady({ state }: { state: AnyState }): boolean {
  return state !== 'READY';
}

/** By kind as the controllers count them, and by state where that is another than running. */
function WorkloadTotals({ instance, totals, workloads }: Omit<TotalsProps, 'instances'>) {
  const { t } = useTranslation();
  return (
    <>
      <ul className="counts" aria-label={t('overview.byState')}>
        {statesOf(workloads).map((count) => (
          <li key={count.state}>
            <Link
              to="/workloads"
              search={{ instance, state: [count.state.toLowerCase()] }}
              data-total={count.state}
            >
              <States states={[count]} />
            </Link>
          </li>
        ))}
      </ul>
      <ul className="counts" aria-label={t('overview.byKind')}>
        {totals.workloads
          .filter(({ total }) => total > 0)
          .map(({ kind, total, ready }) => (
            <li key={kind}>
              <Link to="/workloads" search={{ instance, kind: [pathOfKind(kind)] }} data-total={kind}>
                {kind} <Ready ready={ready} total={total} />
              </Link>
            </li>
          ))}
      </ul>
    </>
  );
}

/** How fresh the objects of each control plane are; a member that is not is among what is wrong. */
function Freshness({ instances }: { instances: readonly OverviewInstanceFragment[] }) {
  return (
    <ul className="counts">
      {instances.map(({ id, name, freshness }) => (
        <li key={id}>
          {name} <FreshnessMark freshness={freshness} />
        </li>
      ))}
    </ul>
  );
}
