// How an instance does, as a person would say it: one mark, and what stands behind it.

import type { ClusterRowFragment, InstanceStatusFragment } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';
import { toneOfState } from '../../../ui/tones';
import { troublesOf } from '../status';

export type InstanceNote =
  | 'membersUnreachable'
  | 'membersNotReady'
  | 'componentsNotReady'
  | 'heldTwice'
  | 'settingsPending'
  | 'troubles';

export interface InstanceHealth {
  tone: Tone;
  notes: { note: InstanceNote; count: number }[];
}

type Status = Pick<InstanceStatusFragment, 'state' | 'stateMessage' | 'conditions' | 'components'>;

/** Conditions that the notes about members and components say already, or that follow from them. */
const TOLD = new Set([
  'MembersReachable',
  'ReadPathSynced',
  'SchedulerReady',
  'ControllersReady',
  'WebhookReady',
  'AggregatedAPIAvailable',
  'MembersUnique',
  'SettingsApplied',
  'Ready',
]);

/** Of an instance that does not run, its state says it all. */
export function healthOfInstance(
  instance: Status,
  clusters: readonly Pick<ClusterRowFragment, 'state'>[] | null,
): InstanceHealth {
  const tone = toneOfState(instance.state);
  if (instance.state !== 'RUNNING') return { tone, notes: [] };
  const troubles = troublesOf(instance);
  const has = (type: string) => troubles.some((trouble) => trouble.type === type);
  const members = (...states: ClusterRowFragment['state'][]) =>
    (clusters ?? []).filter(({ state }) => states.includes(state)).length;
  const unreachable = members('OFFLINE', 'UNKNOWN');
  // That the read store does not follow a member that is away, is told by the member.
  const components = componentsOf(instance).filter(
    ({ name, state }) => state !== 'READY' && !(name === 'ReadSync' && unreachable > 0),
  ).length;
  const counts: [InstanceNote, number][] = [
    ['membersUnreachable', unreachable],
    ['membersNotReady', members('NOT_READY')],
    ['componentsNotReady', components],
    ['heldTwice', Number(has('MembersUnique'))],
    ['settingsPending', Number(has('SettingsApplied'))],
    ['troubles', troubles.filter(({ type }) => !TOLD.has(type)).length],
  ];
  const notes = counts.filter(([, count]) => count > 0).map(([note, count]) => ({ note, count }));
  return { tone: notes.length > 0 || troubles.length > 0 ? 'warn' : tone, notes };
}

/** The condition that speaks of the same thing as a component. */
const CONDITIONS: Readonly<Record<string, string>> = {
  ReadSync: 'ReadPathSynced',
  Scheduler: 'SchedulerReady',
  Webhook: 'WebhookReady',
  AggregatedAPI: 'AggregatedAPIAvailable',
};

/**
 * The components, those that do not work first. A component that runs while the condition about its work does
 * not hold is not ready: two marks never say otherwise of one thing. It may be well itself where a member is
 * away, and then the condition's message says which.
 */
export function componentsOf({
  components,
  conditions,
}: Pick<InstanceStatusFragment, 'components' | 'conditions'>): InstanceStatusFragment['components'] {
  const rank = { NOT_READY: 0, UNKNOWN: 1, READY: 2 };
  return components
    .map((component) => {
      const condition = conditions.find(({ type }) => type === CONDITIONS[component.name]);
      if (component.state !== 'READY' || condition?.status !== 'FALSE') return component;
      return { ...component, state: 'NOT_READY' as const, message: component.message || condition.message };
    })
    .sort((a, b) => rank[a.state] - rank[b.state]);
}

/** Members in the order in which somebody should look at them: what is wrong first, then by name. */
export function membersFirst<Row extends Pick<ClusterRowFragment, 'state' | 'name'>>(
  clusters: readonly Row[],
): Row[] {
  const order: Tone[] = ['bad', 'warn', 'unknown', 'busy', 'idle', 'ok'];
  return [...clusters].sort(
    (a, b) =>
      order.indexOf(toneOfState(a.state)) - order.indexOf(toneOfState(b.state)) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}
