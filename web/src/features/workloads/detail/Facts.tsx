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

/** The three facts, in the order in which they come true. */
export function Facts({ propagation }: { propagation: Propagation }) {
  const { t } = useTranslation();
  return (
    <ol className="facts">
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
