import { Link } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingFieldsFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { FieldChanges } from '../../../ui/diff/FieldChanges';
import { ToneIcon } from '../../../ui/tone';
import type { Stage } from '../verdict';
import { toneOfFact } from '../verdict';
import { ROUTE } from './route';
import type { TreeTarget, TreeView } from './useTree';

const MemberYaml = lazy(() => import('./MemberYaml'));

const STAGES = ['scheduled', 'applied', 'healthy'] as const satisfies readonly Stage[];

interface TargetDetailProps {
  cluster: string;
  view: TreeView;
  /** What was found about this cluster. */
  findings: readonly FindingFieldsFragment[];
}

/** All that is known of a workload in one cluster: why, what is sent, what was overridden, and what is there. */
export function TargetDetail({ cluster, view, findings }: TargetDetailProps) {
  const { t } = useTranslation();
  const target = view.tree?.propagation?.targets.find(({ clusterName }) => clusterName === cluster);
  return (
    <div className="target-detail" data-target-detail={cluster}>
      <nav className="target-links" aria-label={cluster}>
        <Link from={ROUTE} to="." search={{ tab: 'pods', cluster }}>
          {t('target.pods', { cluster })}
        </Link>
        <Link from={ROUTE} to="." search={{ tab: 'events', cluster }}>
          {t('target.events', { cluster })}
        </Link>
        <Link from={ROUTE} to="." search={{ tab: 'topology', cluster }}>
          {t('target.topology')}
        </Link>
      </nav>
      {target ? (
        <Known target={target} findings={findings} />
      ) : view.problems.length > 0 ? (
        <p className="muted">{view.problems[0]?.message}</p>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      )}
    </div>
  );
}

function Known({ target, findings }: { target: TreeTarget; findings: readonly FindingFieldsFragment[] }) {
  const { t } = useTranslation();
  return (
    <div className="target-parts">
      <Part title={t('target.why')}>
        <ul className="target-facts">
          {STAGES.map((stage) => {
            const fact = target[stage];
            const tone = toneOfFact(stage, fact);
            return (
              <li key={stage} className={`tone-${tone}`}>
                <ToneIcon tone={tone} />
                <span>
                  {t(`fact.${stage}`)}: {t(`fact.${fact.value}`)}{' '}
                  <span className="reason">{fact.reason}</span>{' '}
                  <span className="muted">
                    <Age since={fact.since} empty="" />
                  </span>
                  {fact.message && <span className="muted small wrap block">{fact.message}</span>}
                </span>
              </li>
            );
          })}
        </ul>
        {findings.map(({ code, message }, index) => (
          <p key={index} className="small wrap">
            <strong>{t(`finding.title.${code}`)}</strong> <span lang="en">{message}</span>
          </p>
        ))}
        <Moving target={target} />
      </Part>
      <Part title={t('target.work')}>
        {target.work ? (
          <p className="wrap">
            {target.work.name} <span className="kind">Work</span>
            {target.work.suspended && <span className="reason"> {t('target.suspended')}</span>}{' '}
            <span className="muted">
              <Age since={target.work.createdAt} />
            </span>
          </p>
        ) : (
          <p className="muted">{t('target.noWork')}</p>
        )}
        <h4>{t('target.overrides')}</h4>
        <Overrides target={target} />
      </Part>
      <Part title={t('target.member')}>
        <Member target={target} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="target-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Moving({ target: { eviction, requiredBy, reason } }: { target: TreeTarget }) {
  const { t } = useTranslation();
  return (
    <>
      {reason === 'REQUIRED_BY' && (
        <p className="small wrap">
          {t('target.requiredBy', { names: requiredBy.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {eviction && (
        <p className="small wrap">
          {t('target.eviction', { reason: eviction.reason, producer: eviction.producer })} {eviction.message}
        </p>
      )}
    </>
  );
}

function Overrides({ target: { overrides } }: { target: TreeTarget }) {
  const { t } = useTranslation();
  if (!overrides) return <p className="muted">{t('target.overridesUnknown')}</p>;
  if (overrides.length === 0) return <p className="muted">{t('target.noOverrides')}</p>;
  return overrides.map(({ policyKind, policyNamespace, policyName, changes, note }) => (
    <div key={`${policyKind} ${policyNamespace ?? ''}/${policyName}`} className="target-override">
      <p className="wrap">
        <span className="name">{policyName}</span>{' '}
        <span className="kind">{policyKind === 'OVERRIDE' ? 'OverridePolicy' : 'ClusterOverridePolicy'}</span>
      </p>
      {changes.length > 0 && <FieldChanges changes={changes} label={policyName} />}
      {note && <p className="muted small">{note}</p>}
    </div>
  ));
}

function Member({ target: { member, clusterName } }: { target: TreeTarget }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  if (!member) return <p className="muted">{t('target.noMember', { cluster: clusterName })}</p>;
  return (
    <>
      <p className="wrap">
        {member.name} <span className="kind">{member.kind}</span>{' '}
        <span className="muted">
          <Age since={member.createdAt} />
        </span>
      </p>
      <button type="button" className="link" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {t(shown ? 'target.hideYaml' : 'target.showYaml', { cluster: clusterName })}
      </button>
      {shown && (
        <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 6 }} />}>
          <MemberYaml
            id={member.id}
            label={t('target.yamlLabel', { name: member.name, cluster: clusterName })}
          />
        </Suspense>
      )}
    </>
  );
}
