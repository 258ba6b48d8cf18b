// The settings of an instance as a form has them, and what is sent for what was changed.

import type {
  InstanceSettingsInput,
  SettingsFieldsFragment,
  UpdateInstanceSettingsInput,
} from '../../../graph/generated/graphql';
import { wholeNumberOf } from '../../../ui/typed';

/** `unset` leaves it to Karmada, or to the platform's operators. */
export type Choice = 'unset' | 'on' | 'off';

export interface SettingsValues {
  failover: Choice;
  failureThresholdSeconds: string;
  gracefulEvictionTimeoutSeconds: string;
  descheduler: Choice;
  intervalSeconds: string;
  unschedulableThresholdSeconds: string;
  metricsAdapter: Choice;
  revisionHistoryLimit: string;
}

export const MOST_SECONDS = 86_400;
export const MOST_REVISIONS = 100;

/** Null for what is no number of seconds; undefined for nothing, which is Karmada's default. */
export function secondsOf(typed: string): number | null | undefined {
  return typed === '' ? undefined : wholeNumberOf(typed, 1, MOST_SECONDS);
}

export function revisionsOf(typed: string): number | null | undefined {
  return typed === '' ? undefined : wholeNumberOf(typed, 0, MOST_REVISIONS);
}

function choiceOf(setting: { enabled: boolean } | null | undefined): Choice {
  return setting ? (setting.enabled ? 'on' : 'off') : 'unset';
}

function textOf(number: number | null | undefined): string {
  return number == null ? '' : String(number);
}

export function valuesOf(settings: SettingsFieldsFragment): SettingsValues {
  const { failover, descheduler, metricsAdapter, revisionHistoryLimit } = settings;
  return {
    failover: choiceOf(failover),
    failureThresholdSeconds: textOf(failover?.failureThresholdSeconds),
    gracefulEvictionTimeoutSeconds: textOf(failover?.gracefulEvictionTimeoutSeconds),
    descheduler: choiceOf(descheduler),
    intervalSeconds: textOf(descheduler?.intervalSeconds),
    unschedulableThresholdSeconds: textOf(descheduler?.unschedulableThresholdSeconds),
    metricsAdapter: choiceOf(metricsAdapter),
    revisionHistoryLimit: textOf(revisionHistoryLimit),
  };
}

/** What was filled in; null when some of it is no number that is allowed. */
export function settingsOf(values: SettingsValues): InstanceSettingsInput | null {
  const seconds = {
    failureThresholdSeconds: secondsOf(values.failureThresholdSeconds),
    gracefulEvictionTimeoutSeconds: secondsOf(values.gracefulEvictionTimeoutSeconds),
    intervalSeconds: secondsOf(values.intervalSeconds),
    unschedulableThresholdSeconds: secondsOf(values.unschedulableThresholdSeconds),
  };
  const revisionHistoryLimit = revisionsOf(values.revisionHistoryLimit);
  if (revisionHistoryLimit === null || Object.values(seconds).includes(null)) return null;
  const { failureThresholdSeconds, gracefulEvictionTimeoutSeconds, ...descheduler } = seconds;
  return {
    ...(values.failover === 'unset'
      ? {}
      : {
          failover: {
            enabled: values.failover === 'on',
            failureThresholdSeconds,
            gracefulEvictionTimeoutSeconds,
          },
        }),
    ...(values.descheduler === 'unset'
      ? {}
      : { descheduler: { enabled: values.descheduler === 'on', ...descheduler } }),
    ...(values.metricsAdapter === 'unset'
      ? {}
      : { metricsAdapter: { enabled: values.metricsAdapter === 'on' } }),
    ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
  };
}

const NAMES = ['failover', 'descheduler', 'metricsAdapter', 'revisionHistoryLimit'] as const;

type Changes = Pick<UpdateInstanceSettingsInput, 'settings' | 'remove'>;

/** The settings that differ, and the names of those that are taken away; null when nothing is. */
export function settingsChanges(before: SettingsFieldsFragment, values: SettingsValues): Changes | null {
  const wanted = settingsOf(values);
  const had = settingsOf(valuesOf(before));
  if (!wanted || !had) return null;
  const differs = NAMES.filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(had[name]));
  if (differs.length === 0) return null;
  return {
    settings: Object.fromEntries(
      differs.filter((name) => wanted[name] !== undefined).map((name) => [name, wanted[name]]),
    ),
    remove: differs.filter((name) => wanted[name] === undefined),
  };
}

/** Where the server blames a setting, the field that holds it. */
export const SETTING_PATHS = {
  'settings.failover': 'failover',
  'settings.failover.failureThresholdSeconds': 'failureThresholdSeconds',
  'settings.failover.gracefulEvictionTimeoutSeconds': 'gracefulEvictionTimeoutSeconds',
  'settings.descheduler': 'descheduler',
  'settings.descheduler.intervalSeconds': 'intervalSeconds',
  'settings.descheduler.unschedulableThresholdSeconds': 'unschedulableThresholdSeconds',
  'settings.metricsAdapter': 'metricsAdapter',
  'settings.revisionHistoryLimit': 'revisionHistoryLimit',
};
