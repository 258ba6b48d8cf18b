import { Link, useSearch } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { Kubeconfig } from '../kubeconfig/Kubeconfig';
import { Age } from '../../ui/Age';
import { FreshnessMark } from '../../ui/Freshness';
import { Blank, Failed, NoInstance, Problems } from '../../ui/Notices';
import { PageHead } from '../../ui/page/PageHead';
import { Stale } from '../../ui/Stale';
import { DataTable } from '../../ui/table/DataTable';
import { StateBadge } from '../../ui/tone';
import { toneOfState } from '../../ui/tones';
import { useClusterColumns } from './columns';
import { ConsoleLink, InstanceConsole } from './Console';
import { InstanceStatus } from './InstanceStatus';
import { Statistics } from './Statistics';
import { saidByStep } from './status';
import type { InstanceView } from './useClusters';
import { useClusters } from './useClusters';

const FROM = '/signed-in/clusters';

const idOf = ({ id }: ClusterRowFragment) => id;
const attributesOf = ({ name, state }: ClusterRowFragment) => ({ 'data-cluster': name, 'data-state': state });

export function ClustersPage() {
  const { t } = useTranslation();
  const { instance, console } = useSearch({ from: FROM });
  const view = useClusters(instance);

  return (
    <div className="page">
      <PageHead />
      {view.instances ? (
        <>
          <Problems problems={view.problems} retry={view.retry} />
          {view.instances.length === 0 &&
            (instance ? (
              <NoInstance instance={instance}>
                <Link to="/clusters" search={{}}>
                  {t('app.allInstances')}
                </Link>
              </NoInstance>
            ) : (
              <Blank title={t('clusters.none')} hint={t('clusters.noneHint')} />
            ))}
          {view.instances.map((row) => (
            <InstanceSection key={row.instance.id} view={row} console={console === row.instance.name} />
          ))}
        </>
      ) : view.loading ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <Failed problems={view.problems} retry={view.retry} />
      )}
    </div>
  );
}

interface SectionProps {
  view: InstanceView;
  /** Its console is open. */
  console: boolean;
}

function InstanceSection({ view, console }: SectionProps) {
  const { t } = useTranslation();
  const { instance, clusters } = view;
  const columns = useClusterColumns(instance.name);
  const ready = clusters?.filter(({ state }) => state === 'READY').length ?? 0;
  return (
    <section className="instance" data-instance={instance.name} data-state={instance.state}>
      <div className="instance-head">
        <h2>{instance.name}</h2>
        {instance.displayName && instance.displayName !== instance.name && (
          <span className="muted">{instance.displayName}</span>
        )}
        <StateBadge tone={toneOfState(instance.state)} title={instance.stateMessage}>
          {t(`state.${instance.state}`)}
        </StateBadge>
        <span className="page-gap" />
        <dl className="instance-facts">
          <div>
            <dt>{t('app.clusters')}</dt>
            <dd>{clusters ? t('clusters.readyOf', { ready, total: clusters.length }) : '–'}</dd>
          </div>
          <div>
            <dt>{t('clusters.version')}</dt>
            <dd>{instance.kubernetesVersion ?? '–'}</dd>
          </div>
          {instance.karmadaVersion && (
            <div>
              <dt>{t('instance.karmada')}</dt>
              <dd>{instance.karmadaVersion}</dd>
            </div>
          )}
          <div>
            <dt>{t('clusters.ownData')}</dt>
            <dd>
              <FreshnessMark freshness={instance.freshness} />
            </dd>
          </div>
          <div>
            <dt>{t(`clusters.${instance.source}`)}</dt>
            <dd>
              <Age since={instance.createdAt} />
            </dd>
          </div>
        </dl>
        <Link to="/workloads" search={{ instance: instance.name }}>
          {t('app.workloads')}
        </Link>
        <ConsoleLink instance={instance} />
        <Kubeconfig instance={instance.name} clusters={clusters?.map(({ name }) => name) ?? []} />
      </div>
      {instance.stateMessage && instance.state !== 'RUNNING' && !saidByStep(instance) && (
        <p className="reason wrap">{instance.stateMessage}</p>
      )}
      {instance.description && <p className="muted">{instance.description}</p>}
      {console && <InstanceConsole instance={instance} />}
      <InstanceStatus instance={instance} />
      <Stale unwatched={[{ instance: instance.name, problems: view.liveProblems }]} />
      {instance.statistics && <Statistics instance={instance.name} statistics={instance.statistics} />}
      <DataTable
        name="clusters"
        label={t('clusters.table', { instance: instance.name })}
        columns={columns}
        rows={clusters}
        rowId={idOf}
        rowAttributes={attributesOf}
        failed={<p className="muted">{t('clusters.unreadable')}</p>}
        empty={instance.state !== 'INSTALLING' && <p className="muted">{t('clusters.noClusters')}</p>}
      />
    </section>
  );
}
