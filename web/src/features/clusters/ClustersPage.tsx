import { Link, useSearch } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { Kubeconfig } from '../kubeconfig/Kubeconfig';
import { useFleet } from '../../app/fleet';
import { InstanceLink } from '../../app/ClusterLink';
import { isAdminOf } from '../../app/permission';
import { useViewer } from '../../app/viewer';
import { Age } from '../../ui/Age';
import { FreshnessMark } from '../../ui/Freshness';
import { Blank, Failed, NoInstance, Problems } from '../../ui/Notices';
import { PageHead } from '../../ui/page/PageHead';
import { Stale } from '../../ui/Stale';
import { DataTable } from '../../ui/table/DataTable';
import { useClusterColumns } from './columns';
import { ConsoleLink, InstanceConsole } from './Console';
import { InstanceHealthMark } from './control/InstanceHealthMark';
import { membersFirst } from './control/health';
import { InstanceStatus } from './InstanceStatus';
import type { ClustersSearch } from './search';
import { chartIn } from './search';
import { Statistics } from './Statistics';
import { saidByStep } from './status';
import type { InstanceView } from './useClusters';
import { useClusters } from './useClusters';

const Charts = lazy(() => import('./charts/InstanceCharts'));

const FROM = '/signed-in/clusters';

const idOf = ({ id }: ClusterRowFragment) => id;
const attributesOf = ({ name, state }: ClusterRowFragment) => ({ 'data-cluster': name, 'data-state': state });

export function ClustersPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  const { instance } = search;
  const view = useClusters(instance);

  return (
    <div className="page">
      <PageHead>
        <Ways instance={instance} />
      </PageHead>
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
            <InstanceSection key={row.instance.id} view={row} search={search} />
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

/** What makes the fleet larger, for who may. */
function Ways({ instance }: { instance?: string }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { instances } = useFleet();
  const joins = viewer && instances?.some(({ name }) => isAdminOf(viewer, name));
  return (
    <span className="detail-actions">
      {viewer?.owner && (
        <>
          <Link to="/new-instance" search={{}} className="button-link">
            {t('clusters.create')}
          </Link>
          <Link to="/new-instance" search={{ how: 'attach' }} className="button-link">
            {t('clusters.attach')}
          </Link>
        </>
      )}
      {joins && (
        <Link to="/join-cluster" search={{ instance }} className="button-link">
          {t('clusters.join')}
        </Link>
      )}
    </span>
  );
}

interface SectionProps {
  view: InstanceView;
  search: ClustersSearch;
}

function InstanceSection({ view, search }: SectionProps) {
  const { t } = useTranslation();
  const { instance, clusters } = view;
  const columns = useClusterColumns(instance.name);
  const chart = chartIn(instance.name, search.chart);
  const rows = useMemo(() => clusters && membersFirst(clusters), [clusters]);
  const ready = clusters?.filter(({ state }) => state === 'READY').length ?? 0;
  return (
    <section className="instance" data-instance={instance.name} data-state={instance.state}>
      <div className="instance-head">
        <h2>
          <InstanceLink instance={instance.name} />
        </h2>
        {instance.displayName && instance.displayName !== instance.name && (
          <span className="muted">{instance.displayName}</span>
        )}
        <InstanceHealthMark instance={instance} clusters={clusters} />
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
        <span className="instance-actions">
          <Link to="/workloads" search={{ instance: instance.name }}>
            {t('app.workloads')}
          </Link>
          <Link
            from="/clusters"
            to="."
            search={(before) => ({ ...before, chart: instance.name })}
            aria-label={t('charts.of', { name: instance.name })}
          >
            {t('charts.button')}
          </Link>
          <ConsoleLink instance={instance} />
          <Kubeconfig instance={instance.name} clusters={clusters?.map(({ name }) => name) ?? []} />
        </span>
      </div>
      {instance.stateMessage && instance.state !== 'RUNNING' && !saidByStep(instance) && (
        <p className="reason wrap">{instance.stateMessage}</p>
      )}
      {instance.description && <p className="muted">{instance.description}</p>}
      {search.console === instance.name && <InstanceConsole instance={instance} />}
      <InstanceStatus instance={instance} />
      <Stale unwatched={[{ instance: instance.name, problems: view.liveProblems }]} />
      {instance.statistics && <Statistics instance={instance.name} statistics={instance.statistics} />}
      {chart && (
        <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} />}>
          <Charts
            instance={instance.name}
            clusters={clusters?.map(({ name }) => name) ?? []}
            cluster={chart.cluster}
            range={search.range}
          />
        </Suspense>
      )}
      <DataTable
        name="clusters"
        label={t('clusters.table', { instance: instance.name })}
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowAttributes={attributesOf}
        failed={<p className="muted">{t('clusters.unreadable')}</p>}
        empty={instance.state !== 'INSTALLING' && <p className="muted">{t('clusters.noClusters')}</p>}
      />
    </section>
  );
}
