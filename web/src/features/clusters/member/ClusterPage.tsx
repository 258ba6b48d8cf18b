import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ObjectLink } from '../../../app/ObjectLink';
import type { ClusterDetailFragment } from '../../../graph/generated/graphql';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { Operation } from '../operation/Operation';
import { useOperation } from '../operation/useOperation';
import '../texts/late';
import { Actions } from './Actions';
import { HealthMark } from './HealthMark';
import { Overview } from './Overview';
import type { ClusterSearch } from './search';
import { TABS } from './search';
import { Tabs } from './Tabs';
import type { ClusterView } from './useCluster';
import { useCluster } from './useCluster';

const Nodes = lazy(() => import('./Nodes'));
const PlacedTab = lazy(() => import('./PlacedTab'));
const Workloads = lazy(() => import('./Workloads'));
const Pods = lazy(() => import('./Pods'));
const Events = lazy(() => import('./Events'));
const APIs = lazy(() => import('./APIs'));
const ChartsTab = lazy(() => import('./ChartsTab'));

const FROM = '/signed-in/clusters/$instance/$cluster';

export function ClusterPage() {
  const { t } = useTranslation();
  const { instance, cluster } = useParams({ from: FROM });
  return (
    <div className="page">
      <nav className="crumbs" aria-label={t('app.crumbs')}>
        <Link to="/clusters" search={{}}>
          {t('clusters.title')}
        </Link>
        <Link to="/clusters/$instance" params={{ instance }}>
          {instance}
        </Link>
      </nav>
      <Loaded key={`${instance}/${cluster}`} instance={instance} name={cluster} />
    </div>
  );
}

interface NameProps {
  instance: string;
  name: string;
}

function Loaded({ instance, name }: NameProps) {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  // It goes on to be followed when what it is about is gone.
  const operation = useOperation(search.operation);
  const followed = search.operation && (
    <Operation view={operation}>
      {({ kind, state, object }) =>
        kind === 'PROMOTE_RESOURCE' &&
        state === 'SUCCEEDED' &&
        object && (
          <ObjectLink instance={instance} object={object}>
            {t('promote.toObject', { name: object.name })}
          </ObjectLink>
        )
      }
    </Operation>
  );
  const view = useCluster(instance, name);
  const { cluster } = view;
  if (cluster && !view.gone)
    return <Shown instance={instance} cluster={cluster} view={view} search={search} followed={followed} />;
  if (!cluster && view.loading) return <Skeleton active title={false} paragraph={{ rows: 10 }} />;
  if (!view.instanceKnown) {
    return (
      <NoInstance instance={instance}>
        <Link to="/clusters">{t('clusters.title')}</Link>
      </NoInstance>
    );
  }
  if (view.gone || view.missing) {
    return (
      <>
        {followed}
        <Blank
          title={t(view.gone ? 'member.gone' : 'member.missing', { name })}
          hint={t(view.gone ? 'member.goneHint' : 'member.missingHint', { instance })}
        >
          <Link to="/clusters/$instance" params={{ instance }}>
            {t('member.toInstance', { instance })}
          </Link>
        </Blank>
      </>
    );
  }
  return <Failed problems={view.problems} retry={view.retry} />;
}

interface ShownProps {
  instance: string;
  cluster: ClusterDetailFragment;
  view: ClusterView;
  search: ClusterSearch;
  followed: ReactNode;
}

function Shown({ instance, cluster, view, search, followed }: ShownProps) {
  const { t } = useTranslation();
  const { name } = cluster;
  const tab = search.tab ?? 'overview';
  return (
    <>
      <div className="page-head detail-head">
        <h1 className="wrap">{name}</h1>
        <span className="detail-state" data-state={cluster.state} role="status">
          <HealthMark cluster={cluster} />
        </span>
        <span className="page-gap" />
        <Actions instance={instance} cluster={cluster} />
      </div>
      {followed}
      {cluster.state !== 'READY' && cluster.stateMessage && (
        <Alert
          type={cluster.state === 'JOINING' || cluster.state === 'REMOVING' ? 'info' : 'error'}
          showIcon
          className="page-alert"
          title={<span className="wrap">{cluster.stateMessage}</span>}
        />
      )}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale
        instances={[{ name, freshness: cluster.freshness }]}
        unwatched={[{ instance, problems: view.liveProblems }]}
      />
      <Tabs
        label={name}
        route="/clusters/$instance/$cluster"
        tab={search.tab}
        tabs={TABS.map((id) => ({ id, label: t(`member.tab.${id}`) }))}
      />
      <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8 }} />}>
        {tab === 'overview' && <Overview instance={instance} cluster={cluster} />}
        {tab === 'nodes' && <Nodes instance={instance} cluster={name} search={search} />}
        {tab === 'placed' && <PlacedTab instance={instance} cluster={name} search={search} />}
        {tab === 'workloads' && <Workloads instance={instance} cluster={name} search={search} />}
        {tab === 'pods' && <Pods id={cluster.id} instance={instance} cluster={name} />}
        {tab === 'events' && <Events instance={instance} cluster={name} search={search} />}
        {tab === 'apis' && <APIs instance={instance} cluster={name} search={search} />}
        {tab === 'charts' && <ChartsTab instance={instance} cluster={name} range={search.range} />}
      </Suspense>
    </>
  );
}
