import { useTranslation } from 'react-i18next';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { KeyValues } from '../../../ui/KeyValues';
import { Pair } from './Saying';

/** What else a policy sets, and what it is. */
export function Settings({ policy }: { policy: PolicyDetailFragment }) {
  const { t } = useTranslation();
  return (
    <aside className="detail-side">
      <section>
        <h2>{t('policies.settings')}</h2>
        <dl className="pairs">
          {'priority' in policy && <Propagation policy={policy} />}
          <Pair name={t('policies.created')}>
            <Age since={policy.createdAt} />
          </Pair>
        </dl>
      </section>
      <KeyValues title={t('policies.labels')} pairs={policy.labels ?? []} />
      <KeyValues title={t('policies.annotations')} pairs={policy.annotations ?? []} />
    </aside>
  );
}

type Propagating = Extract<PolicyDetailFragment, { priority: number | null }>;

function Propagation({ policy }: { policy: Propagating }) {
  const { t } = useTranslation();
  const { failover, suspension, dependentOverrides } = policy;
  const yes = (value: boolean | null) => t(value ? 'policies.yes' : 'policies.no');
  return (
    <>
      <Pair name={t('policies.priority')}>{policy.priority ?? '–'}</Pair>
      <Pair name={t('policies.preemption')}>
        {policy.preemption ? t(`policies.preempts.${policy.preemption}`) : '–'}
      </Pair>
      <Pair name={t('policies.propagateDeps')}>{yes(policy.propagateDeps)}</Pair>
      <Pair name={t('policies.conflict')}>
        {policy.conflictResolution ? t(`policies.conflicts.${policy.conflictResolution}`) : '–'}
      </Pair>
      <Pair name={t('policies.activation')}>
        {policy.activationPreference ? t(`policies.activations.${policy.activationPreference}`) : '–'}
      </Pair>
      <Pair name={t('policies.preserve')}>{yes(policy.preserveResourcesOnDeletion)}</Pair>
      <Pair name={t('policies.scheduler')}>
        <span className="wrap">{policy.schedulerName ?? '–'}</span>
      </Pair>
      {suspension && (
        <Pair name={t('policies.suspension')}>
          {suspension.dispatching
            ? t('policies.heldEverywhere')
            : suspension.dispatchingOnClusters.join(', ')}
        </Pair>
      )}
      {dependentOverrides && dependentOverrides.length > 0 && (
        <Pair name={t('policies.waitsFor')}>
          <span className="wrap">{dependentOverrides.join(', ')}</span>
        </Pair>
      )}
      {failover?.application && (
        <Pair name={t('policies.failoverApplication')}>
          {t('policies.afterSeconds', {
            n: failover.application.decisionConditions.tolerationSeconds ?? 300,
          })}
        </Pair>
      )}
      {failover?.cluster && (
        <Pair name={t('policies.failoverCluster')}>{failover.cluster.purgeMode ?? '–'}</Pair>
      )}
    </>
  );
}
