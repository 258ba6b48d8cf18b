import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { InstanceDetailFragment } from '../../../graph/generated/graphql';
import { UpdateInstanceSettingsDocument } from '../../../graph/generated/graphql';
import { ActionForm } from '../../../ui/action/ActionDialog';
import { StateBadge } from '../../../ui/tone';
import type { Choice } from './values';
import { SETTING_PATHS, settingsChanges, valuesOf } from './values';
import { SettingsFields } from './SettingsFields';

/** The settings of an instance: in force or not, and a form for who may change them. */
export default function Settings({ instance }: { instance: InstanceDetailFragment }) {
  const { allowed, reason } = usePermission({ adminOf: instance.name });
  return (
    <div className="form-page">
      <Applied instance={instance} />
      {allowed === false ? (
        <>
          <p className="muted">{reason}</p>
          <Read instance={instance} />
        </>
      ) : (
        // Begun anew once the settings are others: a form that is half filled in keeps what it was read from.
        <Edited instance={instance} />
      )}
    </div>
  );
}

/** What was asked for, and is not in force. */
function Applied({ instance: { conditions } }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const applied = conditions.find(({ type }) => type === 'SettingsApplied');
  if (!applied) return null;
  const { status, message, reason } = applied;
  if (status === 'TRUE') {
    return (
      <p className="page-alert" data-settings-applied={status}>
        <StateBadge tone="ok">{t('settings.applied')}</StateBadge>
      </p>
    );
  }
  return (
    <Alert
      type={status === 'FALSE' ? 'warning' : 'info'}
      showIcon
      className="page-alert"
      title={t('settings.notApplied')}
      description={message || reason}
      data-settings-applied={status}
    />
  );
}

function Edited({ instance }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const [before, setBefore] = useState(instance);
  const { id, uid, name, source } = before;
  const outdated = JSON.stringify(valuesOf(before.settings)) !== JSON.stringify(valuesOf(instance.settings));
  return (
    <>
      {outdated && (
        <Alert
          type="info"
          showIcon
          className="page-alert"
          title={t('settings.outdated')}
          action={
            <button type="button" className="button-link" onClick={() => setBefore(instance)}>
              {t('settings.reread')}
            </button>
          }
        />
      )}
      <ActionForm
        key={before.resourceVersion}
        name="settings"
        action={{
          document: UpdateInstanceSettingsDocument,
          payload: (data) => data.updateInstanceSettings,
          done: () => t('settings.done', { name }),
          failed: t('settings.failed'),
        }}
        initial={valuesOf(before.settings)}
        input={(values) => {
          const changes = settingsChanges(before.settings, { ...valuesOf(before.settings), ...values });
          return changes && { id, uid, resourceVersion: before.resourceVersion, ...changes };
        }}
        paths={SETTING_PATHS}
        submit={t('member.save')}
        close={() => setBefore({ ...instance })}
        done={({ instance: after }) => after && setBefore(after)}
      >
        <SettingsFields managed={source === 'MANAGED'} />
      </ActionForm>
    </>
  );
}

function Read({ instance: { settings } }: { instance: InstanceDetailFragment }) {
  const { t } = useTranslation();
  const values = valuesOf(settings);
  const choice = (value: Choice) => t(`settings.choice.${value}`);
  return (
    <dl className="pairs">
      <dt>{t('settings.failover')}</dt>
      <dd>{choice(values.failover)}</dd>
      <dt>{t('settings.descheduler')}</dt>
      <dd>{choice(values.descheduler)}</dd>
      <dt>{t('settings.metricsAdapter')}</dt>
      <dd>{choice(values.metricsAdapter)}</dd>
      <dt>{t('settings.revisionHistoryLimit')}</dt>
      <dd>{values.revisionHistoryLimit || choice('unset')}</dd>
    </dl>
  );
}
