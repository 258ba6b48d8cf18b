import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { ToneIcon } from '../../../ui/tone';
import type { Stage } from '../verdict';
import { toneOfFact } from '../verdict';

type Propagation = NonNullable<WorkloadDetailFragment['propagation']>;

const STAGES = ['scheduled', 'applied', 'healthy'] as const satisfies readonly Stage[];
const HINTS = {
  scheduled: 'fact.scheduledHint',
  applied: 'fact.appliedHint',
  healthy: 'fact.healthyHint',
} as const;

/** The chain from the template into the clusters, in the order in which its links come true: the first that fails holds up the rest. */
export function Facts({ propagation }: { propagation: Propagation }) {
  const { t } = useTranslation();
  return (
    <ol className="facts">
      <Claimed propagation={propagation} />
      {STAGES.map((stage) => {
        const fact = propagation[stage];
        const tone = toneOfFact(stage, fact);
        return (
          <li key={stage} className={`fact tone-${tone}`} data-fact={stage} data-value={fact.value}>
            <div className="fact-head" title={t(HINTS[stage])}>
              <ToneIcon tone={tone} />
              <strong>{t(`fact.${stage}`)}</strong>
              <span className="fact-value">{t(`fact.${fact.value}`)}</span>
              <span className="fact-age muted">
                <Age since={fact.since} empty="" />
              </span>
            </div>
            <div className="reason">{fact.reason}</div>
            <p className="muted wrap">{fact.message || t(HINTS[stage])}</p>
          </li>
        );
      })}
    </ol>
  );
}

function Claimed({ propagation: { policy, binding } }: { propagation: Propagation }) {
  const { t } = useTranslation();
  // What only follows what depends on it has a binding and no policy.
  const tone = policy ? 'ok' : binding ? 'idle' : 'bad';
  return (
    <li className={`fact tone-${tone}`} data-fact="claimed" data-value={policy ? 'TRUE' : 'FALSE'}>
      <div className="fact-head" title={t('claim.hint')}>
        <ToneIcon tone={tone} />
        <strong>{t('claim.claimed')}</strong>
        <span className="fact-value">{t(policy ? 'fact.TRUE' : 'fact.FALSE')}</span>
      </div>
      {policy ? (
        <>
          <div className="fact-policy wrap">{policy.name}</div>
          <p className="muted wrap">{policy.kind}</p>
        </>
      ) : (
        <p className="muted wrap">{t('claim.none')}</p>
      )}
    </li>
  );
}
