import { Form } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../../ui/form/Field';
import type { Choice } from './values';
import { MOST_REVISIONS, MOST_SECONDS, revisionsOf, secondsOf } from './values';

/** Features of Karmada for an instance as a whole; some are for managed ones alone. */
export function SettingsFields({ managed }: { managed: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Group of="failover">
        {/* They are arguments of the control plane, which somebody else runs. */}
        {managed ? (
          <>
            <Seconds name="failureThresholdSeconds" usual={30} />
            <Seconds name="gracefulEvictionTimeoutSeconds" usual={600} />
          </>
        ) : (
          <p className="muted small">{t('settings.notOurs')}</p>
        )}
      </Group>
      {managed ? (
        <>
          <Group of="descheduler">
            <Seconds name="intervalSeconds" usual={120} />
            <Seconds name="unschedulableThresholdSeconds" usual={300} />
          </Group>
          <Group of="metricsAdapter" />
        </>
      ) : (
        <p className="muted">{t('settings.managedOnly')}</p>
      )}
      <fieldset className="setting">
        <legend>{t('settings.revisions')}</legend>
        <TextField
          name="revisionHistoryLimit"
          label={t('settings.revisionHistoryLimit')}
          hint={t('settings.revisionHint')}
          numeric
          check={(typed) =>
            revisionsOf(typed) === null ? t('settings.notRevisions', { typed, most: MOST_REVISIONS }) : null
          }
        />
      </fieldset>
    </>
  );
}

function Group({
  of,
  children,
}: {
  of: 'failover' | 'descheduler' | 'metricsAdapter';
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const choice = Form.useWatch<Choice | undefined>(of);
  return (
    <fieldset className="setting">
      <legend>{t(`settings.${of}`)}</legend>
      <p className="muted small">{t(`settings.${of}Hint`)}</p>
      <SelectField<Choice>
        name={of}
        label={t(`settings.${of}Enabled`)}
        options={(['unset', 'on', 'off'] as const).map((value) => ({
          value,
          label: t(`settings.choice.${value}`),
        }))}
      />
      {/* They stay in the form: what was typed is not lost by a look at another choice. */}
      <div className="setting-more" hidden={choice !== 'on'}>
        {children}
      </div>
    </fieldset>
  );
}

type SecondsName =
  | 'failureThresholdSeconds'
  | 'gracefulEvictionTimeoutSeconds'
  | 'intervalSeconds'
  | 'unschedulableThresholdSeconds';

function Seconds({ name, usual }: { name: SecondsName; usual: number }) {
  const { t } = useTranslation();
  return (
    <TextField
      name={name}
      label={t(`settings.${name}`)}
      hint={t('settings.usual', { usual })}
      numeric
      check={(typed) =>
        secondsOf(typed) === null ? t('settings.notSeconds', { typed, most: MOST_SECONDS }) : null
      }
    />
  );
}
