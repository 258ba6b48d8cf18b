import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadKind } from '../../../graph/generated/graphql';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { StateBadge } from '../../../ui/tone';
import { canScale, kindOfPath } from '../../../app/kinds';
import { toneOfState } from '../../../ui/tones';
import { Actions } from './actions/Actions';
import { Facts } from './Facts';
import { Properties } from './Properties';
import { FROM } from './route';
import type { Tab } from './search';
import { Scale } from './Scale';
import { Tabs } from './Tabs';
import { Targets } from './Targets';
import './texts';
import type { DiagnosedWorkload, WorkloadView } from './useWorkload';
import { useWorkload } from './useWorkload';
import { Why } from './why/Why';

const Manifest = lazy(() => import('./Manifest'));
const EditTab = lazy(() => import('../create/EditTab'));
const TopologyTab = lazy(() => import('./topology/TopologyTab'));
const EventsTab = lazy(() => import('./events/EventsTab'));
const RevisionsTab = lazy(() => import('./revisions/RevisionsTab'));
const TimelineTab = lazy(() => import('./timeline/TimelineTab'));
const PodsTab = lazy(() => import('../pods/PodsTab'));

export function WorkloadPage() {
  const { t } = useTranslation();
  const { instance, namespace, kind, name } = useParams({ from: FROM });
  const known = kindOfPath(kind);

  return (
    <div className="page">
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/workloads" search={{}}>
          {t('workloads.title')}
        </Link>
        <Link to="/workloads" search={{ instance }}>
          {instance}
        </Link>
        <Link to="/workloads" search={{ instance, namespace: [namespace] }}>
          {namespace}
        </Link>
      </nav>
      {known ? (
        <Loaded
          key={`${instance}/${namespace}/${known}/${name}`}
          name={{ instance, namespace, kind: known, name }}
        />
      ) : (
        <NotThere />
      )}
    </div>
  );
}

interface LoadedProps {
  name: { instance: string; namespace: string; kind: WorkloadKind; name: string };
}

function Loaded({ name }: LoadedProps) {
  const { t } = useTranslation();
  const view = useWorkload(name);
  const { workload } = view;
  if (!workload) {
    if (view.loading) return <Skeleton active paragraph={{ rows: 10 }} />;
    if (!view.instanceKnown) {
      return (
        <NoInstance instance={name.instance}>
          <Link to="/clusters">{t('app.clusters')}</Link>
        </NoInstance>
      );
    }
    if (view.missing) return <NotThere />;
    return <Failed problems={view.problems} retry={view.retry} />;
  }
  return <Shown name={name} workload={workload} view={view} />;
}

interface ShownProps extends LoadedProps {
  workload: DiagnosedWorkload;
  view: WorkloadView;
}

function Shown({ name, workload, view }: ShownProps) {
  const { t } = useTranslation();
  const { tab, cluster } = useSearch({ from: FROM });
  return (
    <>
      <div className="page-head detail-head">
        <h1>
          {workload.name} <span className="kind">{workload.kind}</span>
        </h1>
        <span className="detail-state" data-state={workload.state}>
          <StateBadge tone={toneOfState(workload.state)}>{t(`state.${workload.state}`)}</StateBadge>
          <span className="reason">{workload.stateReason}</span>
        </span>
        <span className="page-gap" />
        {canScale(workload.kind) && !view.deleted && (
          <Scale workload={workload} kind={name.kind} instance={name.instance} />
        )}
        {!view.deleted && <Actions workload={workload} kind={name.kind} instance={name.instance} />}
      </div>
      {view.deleted && <Alert type="warning" showIcon title={t('workload.deleted')} />}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale unwatched={[{ instance: name.instance, problems: view.liveProblems }]} />
      <Tabs name={workload.name} kind={workload.kind} cluster={cluster} />
      <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
        <Content tab={tab} name={name} workload={workload} cluster={cluster} />
      </Suspense>
    </>
  );
}

interface ContentProps extends LoadedProps {
  tab: Tab | undefined;
  workload: DiagnosedWorkload;
  cluster?: string;
}

function Content({ tab, name, workload, cluster }: ContentProps) {
  switch (tab) {
    case 'yaml':
      return <Manifest workload={workload} kind={name.kind} />;
    case 'edit':
      return <EditTab key={workload.id} workload={workload} kind={name.kind} />;
    case 'topology':
      return <TopologyTab workload={workload} instance={name.instance} />;
    case 'events':
      return <EventsTab workload={workload} instance={name.instance} />;
    case 'revisions':
      return <RevisionsTab workload={workload} kind={name.kind} instance={name.instance} />;
    case 'timeline':
      return <TimelineTab workload={workload} />;
    case 'pods':
      return <PodsTab workload={workload} instance={name.instance} />;
    default:
      return <Overview name={name} workload={workload} cluster={cluster} />;
  }
}

function Overview({ name, workload, cluster }: Omit<ContentProps, 'tab'>) {
  const { t } = useTranslation();
  return (
    <div className="detail">
      <div className="detail-main">
        <Why
          diagnosis={workload.propagation?.diagnosis}
          workload={workload}
          kind={name.kind}
          instance={name.instance}
        />
        <section>
          <h2>{t('workload.facts')}</h2>
          {workload.propagation ? (
            <Facts propagation={workload.propagation} />
          ) : (
            <p className="muted">{t('workload.noPropagation')}</p>
          )}
        </section>
        <section>
          <h2>{t('workload.clusters')}</h2>
          <Targets workload={workload} picked={cluster} />
        </section>
      </div>
      <Properties workload={workload} />
    </div>
  );
}

function NotThere() {
  const { t } = useTranslation();
  return (
    <Blank title={t('workload.notThere')} hint={t('workload.notThereHint')}>
      <Link to="/workloads">{t('workload.back')}</Link>
    </Blank>
  );
}
