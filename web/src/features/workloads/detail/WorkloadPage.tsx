import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment, WorkloadKind } from '../../../graph/generated/graphql';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { StateBadge } from '../../../ui/tone';
import { canScale, kindOfPath } from '../../../app/kinds';
import { toneOfState } from '../../../ui/tones';
import { Facts } from './Facts';
import { Properties } from './Properties';
import { Scale } from './Scale';
import { TAB_OPTIONS } from './tabs';
import { Targets } from './Targets';
import type { WorkloadView } from './useWorkload';
import { useWorkload } from './useWorkload';

const Manifest = lazy(() => import('./Manifest'));
const PodsTab = lazy(() => import('../pods/PodsTab'));

const ROUTE = '/workloads/$instance/$namespace/$kind/$name';
const FROM = '/signed-in/workloads/$instance/$namespace/$kind/$name';

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
  workload: WorkloadDetailFragment;
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
      </div>
      {view.deleted && <Alert type="warning" showIcon title={t('workload.deleted')} />}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale unwatched={[{ instance: name.instance, problems: view.liveProblems }]} />
      <nav className="tabs" aria-label={workload.name}>
        <Link from={ROUTE} to="." search={{ tab: undefined, cluster }} activeOptions={TAB_OPTIONS}>
          {t('workload.overview')}
        </Link>
        <Link
          from={ROUTE}
          to="."
          search={{ tab: 'pods', cluster }}
          activeOptions={{ ...TAB_OPTIONS, exact: false }}
        >
          {t('workload.pods')}
        </Link>
        <Link from={ROUTE} to="." search={{ tab: 'yaml', cluster }} activeOptions={TAB_OPTIONS}>
          {t('workload.yaml')}
        </Link>
      </nav>
      <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
        {tab === 'yaml' ? (
          <Manifest workload={workload} />
        ) : tab === 'pods' ? (
          <PodsTab workload={workload} instance={name.instance} />
        ) : (
          <Overview workload={workload} cluster={cluster} />
        )}
      </Suspense>
    </>
  );
}

function Overview({ workload, cluster }: { workload: WorkloadDetailFragment; cluster?: string }) {
  const { t } = useTranslation();
  return (
    <div className="detail">
      <div className="detail-main">
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
