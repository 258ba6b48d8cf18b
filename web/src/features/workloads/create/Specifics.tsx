import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field';
import { useEditing } from './context';
import { nameOfKind } from './manifest';
import { Whole } from './Whole';

const words = (...pairs: [string, string][]) => pairs.map(([value, label]) => ({ value, label }));
const RESTART = words(['ALWAYS', 'Always'], ['ON_FAILURE', 'OnFailure'], ['NEVER', 'Never']);

/** What only workloads of its kind have. */
export function Specifics() {
  const { t } = useTranslation();
  const { kind } = useEditing();
  return (
    <fieldset className="setting">
      <legend>{t('compose.specifics', { kind: nameOfKind(kind) })}</legend>
      {kind === 'CRON_JOB' && <Cron />}
      {(kind === 'JOB' || kind === 'CRON_JOB') && <Runs />}
      {kind === 'STATEFUL_SET' && <Stateful />}
      {(kind === 'DEPLOYMENT' || kind === 'DAEMON_SET' || kind === 'STATEFUL_SET') && <Strategy />}
    </fieldset>
  );
}

function Cron() {
  const { t } = useTranslation();
  return (
    <>
      <div className="field-row">
        <TextField
          name={['form', 'schedule']}
          label={t('compose.schedule')}
          hint={t('compose.scheduleHint')}
          check={(typed) => (typed === '' ? t('compose.needed') : null)}
        />
        <TextField
          name={['form', 'timeZone']}
          label={t('compose.timeZone')}
          hint={t('compose.timeZoneHint')}
        />
      </div>
      <div className="field-row">
        <SelectField<string>
          name={['form', 'concurrencyPolicy']}
          label={t('compose.concurrencyPolicy')}
          options={[
            { value: '', label: t('compose.asUsual') },
            ...words(['ALLOW', 'Allow'], ['FORBID', 'Forbid'], ['REPLACE', 'Replace']),
          ]}
        />
        <Whole
          name={['form', 'successfulJobsHistoryLimit']}
          label={t('compose.successfulJobsHistoryLimit')}
        />
        <Whole name={['form', 'failedJobsHistoryLimit']} label={t('compose.failedJobsHistoryLimit')} />
      </div>
    </>
  );
}

const OF_RUNS = [
  'completions',
  'parallelism',
  'backoffLimit',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
] as const;

function Runs() {
  const { t } = useTranslation();
  return (
    <>
      <div className="field-row">
        {OF_RUNS.map((name) => (
          <Whole key={name} name={['form', name]} label={t(`compose.${name}`)} />
        ))}
        <SelectField<string>
          name={['form', 'restartPolicy']}
          label={t('compose.restartPolicy')}
          options={RESTART.filter(({ value }) => value !== 'ALWAYS')}
        />
      </div>
      <CheckField name={['form', 'suspend']} label={t('compose.suspend')} />
    </>
  );
}

function Stateful() {
  const { t } = useTranslation();
  return (
    <div className="field-row">
      <TextField
        name={['form', 'serviceName']}
        label={t('compose.serviceName')}
        hint={t('compose.serviceNameHint')}
      />
      <SelectField<string>
        name={['form', 'podManagementPolicy']}
        label={t('compose.podManagementPolicy')}
        options={[
          { value: '', label: t('compose.asUsual') },
          ...words(['ORDERED_READY', 'OrderedReady'], ['PARALLEL', 'Parallel']),
        ]}
      />
    </div>
  );
}

function Strategy() {
  const { t } = useTranslation();
  const { kind } = useEditing();
  const form = Form.useFormInstance();
  const type: unknown = Form.useWatch(['form', 'strategy', 'type'], { form, preserve: true });
  const at = (name: string) => ['form', 'strategy', 'rollingUpdate', name];
  return (
    <div className="field-row">
      <SelectField<string>
        name={['form', 'strategy', 'type']}
        label={t('compose.strategy')}
        options={[
          { value: '', label: t('compose.asUsual') },
          { value: 'ROLLING_UPDATE', label: 'RollingUpdate' },
          kind === 'DEPLOYMENT'
            ? { value: 'RECREATE', label: 'Recreate' }
            : { value: 'ON_DELETE', label: 'OnDelete' },
        ]}
      />
      {type === 'ROLLING_UPDATE' && (
        <>
          {kind !== 'STATEFUL_SET' && <TextField name={at('maxSurge')} label={t('compose.maxSurge')} />}
          <TextField name={at('maxUnavailable')} label={t('compose.maxUnavailable')} />
          {kind === 'STATEFUL_SET' && <Whole name={at('partition')} label={t('compose.partition')} />}
        </>
      )}
    </div>
  );
}
