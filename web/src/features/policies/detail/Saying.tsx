import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { changesOf } from '../overrides';
import type { OverrideRule } from '../overrides';
import type { Statement } from '../placement';
import { affinityText, statementsOf } from '../placement';
import { selectorText } from '../selectors';

/** What a policy selects, and what it says of that: its placement in words, or what it changes where. */
export function Saying({ policy }: { policy: PolicyDetailFragment }) {
  const { t } = useTranslation();
  const selectors = policy.resourceSelectors ?? [];
  return (
    <section>
      <h2>{t('policies.inWords')}</h2>
      <dl className="pairs saying card">
        <dt>{t('policies.selects')}</dt>
        <dd>
          {selectors.length === 0 ? (
            t('policies.everything')
          ) : (
            <ul>
              {selectors.map((selector, index) => (
                <li key={index} className="wrap">
                  {selectorText(selector)} <span className="muted small">{selector.apiVersion}</span>
                </li>
              ))}
            </ul>
          )}
        </dd>
        {'overrideRules' in policy
          ? (policy.overrideRules ?? []).map((rule, index) => <Rule key={index} rule={rule} />)
          : 'placement' in policy && <Placement statements={statementsOf(policy.placement, t)} />}
      </dl>
      {'overrideRules' in policy && (policy.overrideRules ?? []).length === 0 && (
        <p className="muted">{t('policies.oldForm')}</p>
      )}
    </section>
  );
}

const ABOUT = ['clusters', 'spread', 'replicas', 'tolerations', 'affinity'] as const;

function Placement({ statements }: { statements: readonly Statement[] }) {
  const { t } = useTranslation();
  return ABOUT.map((about) => {
    const said = statements.filter((statement) => statement.about === about);
    return (
      said.length > 0 && (
        <Pair key={about} name={t(`policies.about.${about}`)}>
          <ul>
            {said.map(({ text }) => (
              <li key={text} className="wrap" data-says={about}>
                {text}
              </li>
            ))}
          </ul>
        </Pair>
      )
    );
  });
}

function Rule({ rule }: { rule: OverrideRule }) {
  const { t } = useTranslation();
  return (
    <Pair name={affinityText(rule.targetCluster, t)}>
      <ul>
        {changesOf(rule).map(({ what, operator, value }, index) => (
          <li key={index} className="wrap" data-change>
            {t(`policies.operator.${operator}`)} <span className="mono">{what}</span>
            {value && (
              <>
                {' '}
                → <code className="wrap">{value}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </Pair>
  );
}

export function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
