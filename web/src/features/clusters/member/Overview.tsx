import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { ClusterDetailFragment } from '../../../graph/generated/graphql';
import { ClusterPlacedDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { Age } from '../../../ui/Age';
import { FreshnessMark } from '../../../ui/Freshness';
import { Meter } from '../../../ui/Meter';
import { Problems } from '../../../ui/Notices';
import { StateBadge } from '../../../ui/tone';
import { bytesText, coresText, shareOf } from '../../../ui/amounts';
import { EditLabels } from './EditLabels';
import { EditTaints } from './EditTaints';
import { holdsWell, taintText, toneOfCondition } from './health';
import { KarmadaEvents } from './KarmadaEvents';
import { PlacedTable } from './PlacedTable';
import { placedRows } from './placed';

interface OverviewProps {
  instance: string;
  cluster: ClusterDetailFragment;
}

/** What is wrong with a cluster, what it has, and how it is known. */
export function Overview({ instance, cluster }: OverviewProps) {
  return (
    <div className="detail">
      <div className="detail-main">
        <Capacity cluster={cluster} />
        <Placed instance={instance} cluster={cluster.name} />
        <Conditions cluster={cluster} />
        <KarmadaEvents instance={instance} cluster={cluster.name} />
      </div>
      <Side instance={instance} cluster={cluster} />
    </div>
  );
}

function Capacity({ cluster: { nodes, resources } }: { cluster: ClusterDetailFragment }) {
  const { t } = useTranslation();
  if (!resources) return <p className="muted">{t('member.noCapacity')}</p>;
  const { allocatable, allocated, allocating } = resources;
  const rows = [
    {
      id: 'cpu',
      label: t('clusters.cpu'),
      used: allocated.cpu.cores,
      total: allocatable.cpu.cores,
      waiting: allocating.cpu.cores,
      text: coresText,
    },
    {
      id: 'memory',
      label: t('clusters.memory'),
      used: allocated.memory.bytes,
      total: allocatable.memory.bytes,
      waiting: allocating.memory.bytes,
      text: bytesText,
    },
    {
      id: 'pods',
      label: t('clusters.pods'),
      used: allocated.pods,
      total: allocatable.pods,
      waiting: allocating.pods,
      text: String,
    },
  ];
  return (
    <section aria-label={t('member.capacity')}>
      <h2>{t('member.capacity')}</h2>
      <dl className="capacity">
        <div>
          <dt>{t('clusters.nodes')}</dt>
          <dd className={nodes && nodes.ready < nodes.total ? 'reason' : undefined}>
            {nodes ? (
              <Link from="/clusters/$instance/$cluster" to="." search={{ tab: 'nodes' }}>
                {t('clusters.readyOf', nodes)}
              </Link>
            ) : (
              t('clusters.notReported')
            )}
          </dd>
        </div>
        {rows.map(({ id, label, used, total, waiting, text }) => (
          <div key={id} data-capacity={id}>
            <dt>{label}</dt>
            <dd>
              <Meter
                label={label}
                share={shareOf(used, total)}
                text={t('member.allocatedOf', { used: text(used), total: text(total) })}
              />
              {waiting > 0 && (
                <span className="small reason">{t('member.waiting', { amount: text(waiting) })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Placed({ instance, cluster }: { instance: string; cluster: string }) {
  const { t } = useTranslation();
  const [{ data, error }, read] = useQuery({
    query: ClusterPlacedDocument,
    variables: { instance, cluster },
  });
  const problems = useMemo(() => problemsOf(error), [error]);
  const found = data?.instance?.cluster;
  const total = found?.bindings?.totalCount;
  const leaving = useMemo(
    () => placedRows(cluster, found?.evictions?.nodes ?? []),
    [cluster, found?.evictions?.nodes],
  );
  return (
    <section>
      <h2>{t('member.tab.placed')}</h2>
      <Problems problems={problems} retry={() => read({ requestPolicy: 'network-only' })} />
      {total != null && (
        <p>
          <Link from="/clusters/$instance/$cluster" to="." search={{ tab: 'placed' }}>
            {t('member.placedCount', { count: total })}
          </Link>
        </p>
      )}
      {leaving.length > 0 && (
        <>
          <p className="reason">
            {t('member.leaving', { count: found?.evictions?.totalCount ?? leaving.length })}
          </p>
          <PlacedTable instance={instance} rows={leaving} label={t('member.leavingTable')} />
        </>
      )}
    </section>
  );
}

/** What does not hold comes first. */
function Conditions({ cluster: { conditions } }: { cluster: ClusterDetailFragment }) {
  const { t } = useTranslation();
  const sorted = [...conditions].sort((a, b) => Number(holdsWell(a)) - Number(holdsWell(b)));
  return (
    <section>
      <h2>{t('member.conditions')}</h2>
      {sorted.length === 0 && <p className="muted">{t('member.noConditions')}</p>}
      <ul className="condition-list" aria-label={t('member.conditions')}>
        {sorted.map((condition) => (
          <li key={condition.type} data-condition={condition.type} data-status={condition.status}>
            <StateBadge tone={toneOfCondition(condition)} title={t(`member.status.${condition.status}`)}>
              {condition.type}
            </StateBadge>
            <span className="reason">{condition.reason}</span>
            <span className="muted wrap">{condition.message}</span>
            <span className="muted small">
              <Age since={condition.since} empty="" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Side({ instance, cluster }: OverviewProps) {
  const { t } = useTranslation();
  const { labels, taints } = cluster;
  return (
    <aside className="detail-side">
      <section>
        <h2>{t('member.about')}</h2>
        <dl className="pairs">
          <dt>{t('clusters.mode')}</dt>
          <dd>
            {t(`clusters.${cluster.syncMode}`)}
            <div className="muted small">
              {t(cluster.syncMode === 'PUSH' ? 'clusters.pushHint' : 'clusters.pullHint')}
            </div>
          </dd>
          <dt>{t('member.endpoint')}</dt>
          <dd className="mono wrap">{cluster.apiEndpoint ?? '–'}</dd>
          <dt>{t('clusters.version')}</dt>
          <dd>{cluster.kubernetesVersion ?? t('clusters.notReported')}</dd>
          <dt>{t('member.provider')}</dt>
          <dd className="wrap">{cluster.provider ?? '–'}</dd>
          <dt>{t('member.region')}</dt>
          <dd className="wrap">{cluster.region ?? '–'}</dd>
          <dt>{t('member.zones')}</dt>
          <dd className="wrap">{cluster.zones.join(', ') || '–'}</dd>
          <dt>{t('member.joined')}</dt>
          <dd>
            <Age since={cluster.createdAt} />
          </dd>
          <dt>{t('clusters.data')}</dt>
          <dd>
            <FreshnessMark freshness={cluster.freshness} />
          </dd>
        </dl>
      </section>
      <section>
        <div className="section-head">
          <h2>
            {t('member.labels')} <span className="muted">{labels.length}</span>
          </h2>
          <EditLabels instance={instance} cluster={cluster} />
        </div>
        <ul className="key-values" aria-label={t('member.labels')}>
          {labels.map(({ key, value }) => (
            <li key={key} className="mono wrap" data-label={key}>
              <span className="muted">{key}</span>
              {value && <>: {value}</>}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <div className="section-head">
          <h2>
            {t('clusters.taints')} <span className="muted">{taints.length}</span>
          </h2>
          <EditTaints instance={instance} cluster={cluster} />
        </div>
        {taints.length === 0 && <p className="muted small">{t('member.noTaints')}</p>}
        <ul className="key-values" aria-label={t('clusters.taints')}>
          {taints.map((taint) => (
            <li key={taintText(taint)} className="mono wrap" data-taint={taint.key}>
              {taintText(taint)}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}
