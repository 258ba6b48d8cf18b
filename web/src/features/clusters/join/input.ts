// What is sent for what was filled in to join a cluster.

import type { JoinClusterInput } from '../../../graph/generated/graphql';
import { isDNSLabel, wholeNumberOf } from '../../../ui/typed';
import type { LabelRow, TaintRow } from '../member/changes';

/** Names of members have at most this many characters. */
export const LONGEST_MEMBER = 48;

/** Minutes for which the command of a joining can be used. */
export const MINUTES = { least: 5, most: 1440, usual: 60 };

export interface JoinValues {
  instance: string;
  name: string;
  kubeconfig?: string;
  tokenMinutes?: string;
  provider?: string;
  region?: string;
  zones?: string[];
  labels?: LabelRow[];
  taints?: TaintRow[];
}

export function isMemberName(typed: string): boolean {
  return isDNSLabel(typed, LONGEST_MEMBER);
}

export function minutesOf(typed: string): number | null {
  return wholeNumberOf(typed, MINUTES.least, MINUTES.most);
}

/** Null when it cannot be sent. */
export function joinInput(values: JoinValues, pull: boolean): JoinClusterInput | null {
  const { instance, name, kubeconfig, tokenMinutes, provider, region, zones, labels, taints } = values;
  const common = {
    instance,
    name,
    provider: provider || undefined,
    region: region || undefined,
    zones: zones && zones.length > 0 ? zones : undefined,
  };
  if (pull) {
    const minutes = minutesOf(tokenMinutes ?? '');
    return minutes === null ? null : { ...common, mode: 'PULL', tokenMinutes: minutes };
  }
  return {
    ...common,
    mode: 'PUSH',
    kubeconfig,
    labels: labels?.map(({ key, value }) => ({ key, value })),
    taints: taints?.map(({ key, value, effect }) => ({ key, value, effect })),
  };
}
