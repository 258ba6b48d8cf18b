import { Link } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permission';
import { shortName } from '../../app/viewer';
import type { RecentChangesQuery } from '../../graph/generated/graphql';
import { RecentChangesDocument } from '../../graph/generated/graphql';
import { Age } from '../../ui/Age';
import { Problems } from '../../ui/Notices';
import { Refresh } from '../../ui/page/Refresh';
import { useConnection } from '../../ui/page/useConnection';
import { StateBadge } from '../../ui/tone';
import { toneOfOutcome } from '../../ui/tones';
import type { Change } from './changes';
import { changesOf, subjectOf } from './changes';

const auditEvents = (data: RecentChangesQuery) => data.auditEvents;

/** More are read than are shown: sign-ins and what was only tried are no changes. */
const MOST_READ = 50;

/** What people and programs did lately, to those who may read it. */
export function ChangesPanel({ instance }: { instance?: string }) {
  const { t } = useTranslation();
  const { allowed, reason } = usePermission('readAudit');
  return (
    <section className="panel" aria-labelledby="changes-title">
      <h2 id="changes-title">{t('overview.changes')}</h2>
      {allowed && <Read instance={instance} />}
      {allowed === false && <p className="muted">{reason}</p>}
    </section>
  );
}

function Read({ instance }: { instance?: string }) {
  const { t } = useTranslation();
  const { rows, loading, asOf, problems, retry } = useConnection({
    document: RecentChangesDocument,
    variables: useMemo(
      () => ({ first: MOST_READ, filter: instance ? { instances: [instance] } : null }),
      [instance],
    ),
    of: auditEvents,
  });
  const changes = rows && changesOf(rows);
  return (
    <>
      <Problems problems={problems} retry={retry} />
      {changes?.length === 0 && <p className="muted">{t('overview.noChanges')}</p>}
      {!changes && loading && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {changes && (
        <ul className="log-rows">
          {changes.map((change) => (
            <ChangeItem key={change.id} change={change} />
          ))}
        </ul>
      )}
      <p className="panel-foot">
        <Link to="/audit" search={{ instance }}>
          {t('overview.allChanges')}
        </Link>
        {rows && asOf && <Refresh asOf={asOf} loading={loading} read={retry} />}
      </p>
    </>
  );
}

function ChangeItem({ change }: { change: Change }) {
  const { t } = useTranslation();
  const { id, at, action, outcome, principal, instanceName, clusterName } = change;
  return (
    <li data-change={action}>
      <span className="log-row-head">
        <span className="muted log-row-age">
          <Age since={at} />
        </span>
        <Link to="/audit" search={{ event: id, instance: instanceName ?? undefined }} className="name">
          {action}
        </Link>
        {outcome !== 'SUCCEEDED' && (
          <StateBadge tone={toneOfOutcome(outcome)} title={change.message || undefined}>
            {t(`outcome.${outcome}`)}
          </StateBadge>
        )}
      </span>
      <span className="log-row-what">
        <span title={subjectOf(change)}>{subjectOf(change)}</span>
        <span className="muted">{[instanceName, clusterName].filter(Boolean).join(' / ')}</span>
      </span>
      <span className="log-row-said muted cut" title={principal}>
        {t('overview.by', { who: shortName(principal) })}
      </span>
    </li>
  );
}
