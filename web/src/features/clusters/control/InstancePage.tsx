import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { InstanceDetailFragment } from '../../../graph/generated/graphql';
import { useSearchChange } from '../../../ui/page/ConnectionPage';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { InstanceConsole } from '../Console';
import { Tabs } from '../member/Tabs';
import { Operation } from '../operation/Operation';
import { useOperation } from '../operation/useOperation';
import { saidByStep } from '../status';
import '../texts/late';
import { Actions } from './Actions';
import { InstanceHealthMark } from './InstanceHealthMark';
import { Overview } from './Overview';
import type { InstanceSearch } from './search';
import { TABS } from './search';
import type { InstanceDetailView } from './useInstance';
import { useInstance } from './useInstance';

const Settings = lazy(() => import('./Settings'));
const Operations = lazy(() => import('./Operations'));
const Charts = lazy(() => import('../charts/Charts'));

const FROM = '/signed-in/clusters/$instance';

export function InstancePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: FROM });
  return (
    <div className="page">
      <nav className="crumbs" aria-label={t('app.crumbs')}>
        <Link to="/clusters" search={{}}>
          {t('clusters.title')}
        </Link>
      </nav>
      <Loaded key={instance} name={instance} />
    </div>
  );
}

function Loaded({ name }: { name: string }) {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  // It goes on to be followed when what it is about is gone.
  const operation = useOperation(search.operation);
  const followed = search.operation && <Operation view={operation} />;
  const view = useInstance(name);
  const { instance } = view;
  const back = <Link to="/clusters">{t('clusters.title')}</Link>;
  if (instance && !view.gone)
    return <Shown instance={instance} view={view} search={search} followed={followed} />;
  if (!instance && view.loading) return <Skeleton active title={false} paragraph={{ rows: 10 }} />;
  if (view.gone) {
    return (
      <>
        {followed}
        <Blank title={t('control.gone', { name })} hint={t('control.goneHint')}>
          {back}
        </Blank>
      </>
    );
  }
  if (!view.missing) return <Failed problems={view.problems} retry={view.retry} />;
  return (
    <>
      {followed}
      <NoInstance instance={name}>{back}</NoInstance>
    </>
  );
}

interface ShownProps {
  instance: InstanceDetailFragment;
  view: InstanceDetailView;
  search: InstanceSearch;
  followed: ReactNode;
}

function Shown({ instance, view, search, followed }: ShownProps) {
  const { t } = useTranslation();
  const change = useSearchChange();
  const { name, displayName, state, stateMessage } = instance;
  return (
    <>
      <div className="page-head detail-head">
        <h1 className="wrap">{name}</h1>
        {displayName && displayName !== name && <span className="muted wrap">{displayName}</span>}
        <span className="detail-state" data-state={state} role="status">
          <InstanceHealthMark instance={instance} clusters={view.clusters} />
        </span>
        <span className="page-gap" />
        <Actions instance={instance} clusters={view.clusters} />
      </div>
      {instance.description && <p className="muted wrap page-alert">{instance.description}</p>}
      {followed}
      {stateMessage && state !== 'RUNNING' && !saidByStep(instance) && (
        <Alert
          type={state === 'UNAVAILABLE' ? 'error' : 'info'}
          showIcon
          className="page-alert"
          title={<span className="wrap">{stateMessage}</span>}
        />
      )}
      {search.console === name && <InstanceConsole instance={instance} />}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale
        instances={[{ name, freshness: instance.freshness }]}
        unwatched={[{ instance: name, problems: view.liveProblems }]}
      />
      <Tabs
        label={name}
        route="/clusters/$instance"
        tab={search.tab}
        tabs={TABS.map((id) => ({ id, label: t(`control.tab.${id}`) }))}
      />
      <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8 }} />}>
        {search.tab === undefined && <Overview instance={instance} clusters={view.clusters} />}
        {search.tab === 'settings' && <Settings instance={instance} />}
        {search.tab === 'charts' && (
          <Charts instance={name} range={search.range} setRange={(range) => change({ range })} />
        )}
        {search.tab === 'operations' && <Operations instance={name} />}
      </Suspense>
    </>
  );
}
