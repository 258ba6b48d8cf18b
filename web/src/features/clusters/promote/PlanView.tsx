import { useTranslation } from 'react-i18next';
import { FieldChanges } from '../../../ui/diff/FieldChanges';
import type { Left, Plan, Promoted } from './plan';
import { nameOf, objectFirst } from './plan';

/** What becomes part of the federation, and what it needs that does not. */
export function PlanView({ plan: { promoted, left } }: { plan: Pick<Plan, 'promoted' | 'left'> }) {
  const { t } = useTranslation();
  return (
    <div className="promotion" data-promotion={promoted.length}>
      {promoted.length > 0 && (
        <section>
          <h3 className="dialog-part">{t('promote.promoted', { count: promoted.length })}</h3>
          <ul>
            {objectFirst(promoted).map((object) => (
              <PromotedLine key={`${object.kind} ${nameOf(object)}`} object={object} />
            ))}
          </ul>
        </section>
      )}
      {left.length > 0 && (
        <section>
          <h3 className="dialog-part">{t('promote.left')}</h3>
          <ul>
            {left.map((object) => (
              <LeftLine key={`${object.kind} ${nameOf(object)}`} object={object} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function PromotedLine({ object }: { object: Promoted }) {
  const { t } = useTranslation();
  const { kind, policyName, changes } = object;
  const label = t('promote.changes', { count: changes.length });
  return (
    <li className="wrap" data-promoted={object.name}>
      <span className="kind">{kind}</span> {nameOf(object)}{' '}
      <span className="muted small">{t('promote.by', { policy: policyName })}</span>
      {changes.length > 0 && (
        <details>
          <summary>{label}</summary>
          <FieldChanges changes={changes} label={label} />
        </details>
      )}
    </li>
  );
}

function LeftLine({ object }: { object: Left }) {
  const { t } = useTranslation();
  return (
    <li className="wrap" data-left={object.name || object.kind}>
      <span className="kind">{object.kind}</span> {object.name && nameOf(object)}{' '}
      <span className="muted small">
        {object.reason}
        {object.federated && ` ${t('promote.federated')}`}
      </span>
    </li>
  );
}
