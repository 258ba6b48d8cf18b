import { useTranslation } from 'react-i18next';
import type { StatisticsFragment } from '../../graph/generated/graphql';
import { Age } from '../../ui/Age';
import { Meter } from '../../ui/Meter';
import { bytesText, coresText, shareOf } from '../../ui/amounts';

interface StatisticsProps {
  instance: string;
  statistics: StatisticsFragment;
}

/** What an instance has, counted over its clusters. */
export function Statistics({ instance, statistics }: StatisticsProps) {
  const { t } = useTranslation();
  const { nodes, cpu, memory, workloads, policies, asOf } = statistics;
  return (
    <section
      className="statistics"
      aria-label={t('instance.statistics', { instance })}
      data-statistics={instance}
    >
      <dl>
        <div>
          <dt>{t('clusters.nodes')}</dt>
          <dd>
            <Ready count={nodes} />
          </dd>
        </div>
        <div>
          <dt>{t('clusters.cpu')}</dt>
          <dd>
            <Meter
              label={t('clusters.cpu')}
              share={shareOf(cpu.allocated.cores, cpu.allocatable.cores)}
              text={t('clusters.of', {
                used: coresText(cpu.allocated.cores),
                total: t('clusters.cores', { n: coresText(cpu.allocatable.cores) }),
              })}
            />
          </dd>
        </div>
        <div>
          <dt>{t('clusters.memory')}</dt>
          <dd>
            <Meter
              label={t('clusters.memory')}
              share={shareOf(memory.allocated.bytes, memory.allocatable.bytes)}
              text={t('clusters.of', {
                used: bytesText(memory.allocated.bytes),
                total: bytesText(memory.allocatable.bytes),
              })}
            />
          </dd>
        </div>
        {workloads.map(({ kind, total, ready }) => (
          <div key={kind} data-kind={kind}>
            <dt>{kind}</dt>
            <dd>
              <Ready count={{ total, ready }} />
            </dd>
          </div>
        ))}
        {policies.map(({ kind, total }) => (
          <div key={kind} data-kind={kind}>
            <dt>{kind}</dt>
            <dd className="number">{total}</dd>
          </div>
        ))}
        <div>
          <dt title={t('instance.asOfHint')}>{t('instance.asOf')}</dt>
          <dd>
            <Age since={asOf} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Ready({ count: { total, ready } }: { count: { total: number; ready: number } }) {
  const { t } = useTranslation();
  return (
    <span
      className={ready < total ? 'number reason' : 'number'}
      title={t('clusters.readyOf', { ready, total })}
    >
      {ready}/{total}
    </span>
  );
}
