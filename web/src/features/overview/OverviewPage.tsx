import { Link, useSearch } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../app/commands';
import { useLinkState } from '../../graph/session';
import { Blank, Failed, NoInstance } from '../../ui/Notices';
import { PageHead } from '../../ui/page/PageHead';
import { affectedBy } from './causes';
import { ChangesPanel } from './ChangesPanel';
import { NoInstances } from './NoInstances';
import { TotalsPanel } from './TotalsPanel';
import type { OverviewView } from './useOverview';
import { useOverview } from './useOverview';
import { useWarnings } from './useWarnings';
import { WarningsPanel } from './WarningsPanel';
import { Wrong } from './Wrong';

/** What is wrong now, and what there is. */
export function OverviewPage() {
  const { t } = useTranslation();
  const { instance, cause } = useSearch({ from: '/signed-in/' });
  const view = useOverview(instance);
  const count = affectedBy(view.causes);
  const link = useLinkState();
  const { again } = view;
  useCommands(useMemo(() => [{ id: 'overview-again', label: t('overview.again'), run: again }], [t, again]));
  return (
    <div className="page">
      {link === 'broken' && (
        <p className="unwatched" role="status">
          {t('link.brokenHint')}
        </p>
      )}
      <PageHead lead={view.instances && count > 0 ? t('overview.lead', { count }) : undefined} />
      {view.instances ? <Known view={view} instance={instance} cause={cause} /> : <NotKnown view={view} />}
    </div>
  );
}

interface KnownProps {
  view: OverviewView;
  instance?: string;
  cause?: string;
}

function Known({ view, instance, cause }: KnownProps) {
  const { t } = useTranslation();
  const { instances, totals, workloads } = view;
  const names = useMemo(
    () => (instances ?? []).filter(({ state }) => state === 'RUNNING').map(({ name }) => name),
    [instances],
  );
  const warnings = useWarnings(names);
  if (!instances) return null;
  if (instances.length === 0) {
    return instance ? (
      <NoInstance instance={instance}>
        <Link to="/" search={{}}>
          {t('app.allInstances')}
        </Link>
      </NoInstance>
    ) : (
      <NoInstances />
    );
  }
  return (
    <div className="overview">
      <Wrong view={view} cause={cause} />
      <div className="overview-side">
        {totals ? (
          <TotalsPanel instance={instance} totals={totals} workloads={workloads} instances={instances} />
        ) : (
          <Skeleton active paragraph={{ rows: 8 }} />
        )}
      </div>
      <div className="overview-log">
        <ChangesPanel instance={instance} />
        <WarningsPanel {...warnings} />
      </div>
    </div>
  );
}

function NotKnown({ view }: { view: OverviewView }) {
  const { t } = useTranslation();
  const link = useLinkState();
  if (view.problems.length > 0) return <Failed problems={view.problems} retry={() => location.reload()} />;
  if (link === 'broken') return <Blank title={t('overview.notLive')} hint={t('overview.notLiveHint')} />;
  return <Skeleton active paragraph={{ rows: 12 }} />;
}
