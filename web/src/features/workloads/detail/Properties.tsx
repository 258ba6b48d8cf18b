import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { ObjectLink } from '../../../app/ObjectLink';
import { Age } from '../../../ui/Age';
import { KeyValues } from '../../../ui/KeyValues';
import { StateBadge } from '../../../ui/tone';

/** What the template says, who claims it and what carries it. */
export function Properties({ workload }: { workload: WorkloadDetailFragment }) {
  const { t } = useTranslation();
  const { propagation } = workload;
  return (
    <aside className="detail-side">
      <section>
        <h2>{t('workload.policy')}</h2>
        {propagation?.policy ? (
          <p className="policy">
            <ObjectLink instance={workload.instance?.name} object={propagation.policy} />
            <span className="kind">{propagation.policy.kind}</span>
          </p>
        ) : (
          <p className="muted">{propagation ? t('workload.noPolicy') : '–'}</p>
        )}
      </section>
      <section>
        <h2>{t('workload.template')}</h2>
        <dl className="pairs">
          <Pair name={t('workload.images')}>
            {workload.images.map((image) => (
              <div key={image} className="mono wrap">
                {image}
              </div>
            ))}
          </Pair>
          {workload.replicas != null && <Pair name={t('workload.replicas')}>{workload.replicas}</Pair>}
          <KindPairs workload={workload} />
          <Pair name={t('workload.generation')}>{workload.generation}</Pair>
          <Pair name={t('workload.created')}>
            <Age since={workload.createdAt} />
          </Pair>
        </dl>
      </section>
      <Binding workload={workload} />
      <KeyValues title={t('workload.labels')} pairs={workload.labels} />
      <KeyValues title={t('workload.annotations')} pairs={workload.annotations} />
    </aside>
  );
}

function KindPairs({ workload }: { workload: WorkloadDetailFragment }) {
  const { t } = useTranslation();
  return (
    <>
      {'paused' in workload && workload.paused && <Pair name={t('workload.paused')}>{t('fact.TRUE')}</Pair>}
      {'suspended' in workload && workload.suspended && (
        <Pair name={t('workload.jobSuspended')}>{t('fact.TRUE')}</Pair>
      )}
      {'serviceName' in workload && workload.serviceName && (
        <Pair name={t('workload.serviceName')}>{workload.serviceName}</Pair>
      )}
      {'schedule' in workload && workload.schedule && (
        <Pair name={t('workload.schedule')}>
          <span className="mono">{workload.schedule}</span> {workload.timeZone}
        </Pair>
      )}
      {'completions' in workload && workload.completions != null && (
        <Pair name={t('workload.completions')}>{workload.completions}</Pair>
      )}
      {'parallelism' in workload && workload.parallelism != null && (
        <Pair name={t('workload.parallelism')}>{workload.parallelism}</Pair>
      )}
    </>
  );
}

function Binding({ workload }: { workload: WorkloadDetailFragment }) {
  const { t } = useTranslation();
  const binding = workload.propagation?.binding;
  if (!workload.propagation) return null;
  return (
    <section>
      <h2>{t('workload.binding')}</h2>
      {binding ? (
        <>
          <p className="wrap">
            {binding.name} <span className="kind">{binding.kind}</span>
          </p>
          {binding.suspended && <p className="reason">{t('workload.suspended')}</p>}
          <ul className="conditions">
            {binding.conditions.map((condition) => (
              <li key={condition.type} title={condition.message}>
                <StateBadge
                  tone={condition.status === 'TRUE' ? 'ok' : condition.status === 'FALSE' ? 'bad' : 'unknown'}
                >
                  {condition.type}
                </StateBadge>
                <span className="reason">{condition.reason}</span>
                <span className="muted">
                  <Age since={condition.since} empty="" />
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="muted">{t('workload.noBinding')}</p>
      )}
    </section>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
