import { useTranslation } from 'react-i18next';
import type { InstanceStatusFragment } from '../../graph/generated/graphql';
import { en } from './texts/en';
import { Age } from '../../ui/Age';
import { ToneIcon } from '../../ui/tone';
import { toneOfState } from '../../ui/tones';
import { componentsOf } from './control/health';
import { showsSteps, toneOfStep, troublesOf } from './status';

interface StatusProps {
  instance: InstanceStatusFragment;
}

/** What the controllers say of an instance: how far it is, what is wrong with it, how its parts do. */
export function InstanceStatus({ instance }: StatusProps) {
  return (
    <>
      {showsSteps(instance) && <Steps instance={instance} />}
      <Troubles instance={instance} />
      {instance.components.length > 0 && <Components instance={instance} />}
    </>
  );
}

function Steps({ instance }: StatusProps) {
  const { t } = useTranslation();
  return (
    <ol className="steps card" aria-label={t('instance.steps', { instance: instance.name })}>
      {instance.steps.map(({ name, state, message, startedAt, finishedAt }) => (
        <li key={name} className={`tone-${toneOfStep(state)}`} data-step={name} data-state={state}>
          <ToneIcon tone={toneOfStep(state)} />
          <span className="step-name">{name}</span>
          <span className="step-state">{t(`step.${state}`)}</span>
          {message && <span className="muted wrap">{message}</span>}
          {(finishedAt ?? startedAt) && (
            <span className="muted small">
              <Age since={finishedAt ?? startedAt} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Troubles({ instance }: StatusProps) {
  const { t } = useTranslation();
  const troubles = troublesOf(instance);
  if (troubles.length === 0) return null;
  return (
    <ul className="troubles" aria-label={t('instance.troubles', { instance: instance.name })}>
      {troubles.map(({ tone, type, reason, message, since }) => (
        <li key={type} className={`tone-${tone}`} data-condition={type} title={`${type}: ${reason}`}>
          <ToneIcon tone={tone} />
          <strong>{isKnown(en.condition, type) ? t(`condition.${type}`) : type}</strong>
          <span className="wrap">{message || reason}</span>
          {since && (
            <span className="muted small">
              <Age since={since} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a newer server names has a name too, only not in every language. */
function isKnown<Words extends object>(words: Words, name: string): name is keyof Words & string {
  return Object.hasOwn(words, name);
}

function Components({ instance }: StatusProps) {
  const { t } = useTranslation();
  return (
    <ul className="components" aria-label={t('instance.components', { instance: instance.name })}>
      {componentsOf(instance).map(({ name, state, message }) => (
        <li
          key={name}
          className={`tone-${toneOfState(state)}`}
          data-component={name}
          data-state={state}
          title={message || undefined}
        >
          <ToneIcon tone={toneOfState(state)} />
          <span>{isKnown(en.component, name) ? t(`component.${name}`) : name}</span>
          {state !== 'READY' && <span className="component-state">{t(`state.${state}`)}</span>}
        </li>
      ))}
    </ul>
  );
}
