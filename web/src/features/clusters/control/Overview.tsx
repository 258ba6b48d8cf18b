import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClusterRowFragment, InstanceDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { FreshnessMark } from '../../../ui/Freshness';
import { DataTable } from '../../../ui/table/DataTable';
import { StateBadge } from '../../../ui/tone';
import { useClusterColumns } from '../columns';
import { InstanceStatus } from '../InstanceStatus';
import { toneOfCondition } from '../member/health';
import { Statistics } from '../Statistics';
import { membersFirst } from './health';

interface OverviewProps {
  instance: InstanceDetailFragment;
  clusters: ClusterRowFragment[] | null;
}

const idOf = ({ id }: ClusterRowFragment) => id;
const attributesOf = ({ name, state }: ClusterRowFragment) => ({ 'data-cluster': name, 'data-state': state });

/** What is wrong with an instance, what it has, and how it is known. */
export function Overview({ instance, clusters }: OverviewProps) {
  const { t } = useTranslation();
  const { name } = instance;
  const rows = useMemo(() => clusters && membersFirst(clusters), [clusters]);
  return (
    <div className="detail">
      <div className="detail-main">
        <InstanceStatus instance={instance} />
        {instance.statistics && <Statistics instance={name} statistics={instance.statistics} />}
        <section>
          <h2>{t('app.clusters')}</h2>
          <DataTable
            name="clusters"
            label={t('clusters.table', { instance: name })}
            columns={useClusterColumns(name)}
            rows={rows}
            rowId={idOf}
            rowAttributes={attributesOf}
            failed={<p className="muted">{t('clusters.unreadable')}</p>}
            empty={<p className="muted">{t('clusters.noClusters')}</p>}
          />
        </section>
        <Conditions instance={instance} />
      </div>
      <Side instance={instance} />
    </div>
  );
}

/** All of them, in the controllers' words: what of them is wrong stands at the top of the page. */
function Conditions({ instance: { conditions } }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  if (conditions.length === 0) return null;
  return (
    <section>
      <details className="fold">
        <summary>
          <h2>
            {t('member.conditions')} <span className="muted">{conditions.length}</span>
          </h2>
        </summary>
        <ul className="condition-list" aria-label={t('member.conditions')}>
          {conditions.map((condition) => (
            <li key={condition.type} data-condition-of-all={condition.type} data-status={condition.status}>
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
      </details>
    </section>
  );
}

function Side({ instance }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const { labels, source, deletionPolicy } = instance;
  return (
    <aside className="detail-side">
      <section>
        <h2>{t('member.about')}</h2>
        <dl className="pairs">
          <dt>{t('control.source')}</dt>
          <dd>
            {t(`clusters.${source}`)}
            <div className="muted small">{t(`control.sourceHint.${source}`)}</div>
          </dd>
          <dt>{t('control.onDelete')}</dt>
          <dd>{t(`control.deletion.${deletionPolicy}`)}</dd>
          <dt>{t('instance.karmada')}</dt>
          <dd>{instance.karmadaVersion ?? <span className="muted">{t('control.versionUnknown')}</span>}</dd>
          <dt>{t('clusters.version')}</dt>
          <dd>{instance.kubernetesVersion ?? '–'}</dd>
          <dt>{t('control.registered')}</dt>
          <dd>
            <Age since={instance.createdAt} />
          </dd>
          <dt>{t('clusters.ownData')}</dt>
          <dd>
            <FreshnessMark freshness={instance.freshness} />
          </dd>
        </dl>
      </section>
      <section>
        <h2>
          {t('member.labels')} <span className="muted">{labels.length}</span>
        </h2>
        <ul className="key-values" aria-label={t('member.labels')}>
          {labels.map(({ key, value }) => (
            <li key={key} className="mono wrap" data-label={key}>
              <span className="muted">{key}</span>
              {value && <>: {value}</>}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}
