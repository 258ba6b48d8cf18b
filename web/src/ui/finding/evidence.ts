// What the evidence of a finding says, taken apart so that what was asked for stands beside what is there.

import type { FindingFieldsFragment } from '../../graph/generated/graphql';

type Finding = FindingFieldsFragment;
type Evidence = Finding['evidence'][number];

/** An object as evidence names it: `Pod shop/cart-5c4f in tokyo`. */
export interface Subject {
  kind: string;
  namespace?: string;
  name: string;
  cluster?: string;
}

const SUBJECT = /^(\S+) (?:([^/\s]+)\/)?([^/\s]+)(?: in (\S+))?$/;

export function subjectOf(object: string): Subject | null {
  const [, kind, namespace, name, cluster] = SUBJECT.exec(object) ?? [];
  return kind && name ? { kind, namespace, name, cluster } : null;
}

/** One thing that a placement asks of a cluster. */
export interface Requirement {
  of: 'label' | 'provider' | 'region' | 'zone' | 'name' | 'exclude';
  /** Key of the label; empty for everything else. */
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values: string[];
}

/** A cluster affinity, or one group of several. */
export interface Affinity {
  /** Name of the group; empty where there are none. */
  name: string;
  requirements: Requirement[];
}

/** The affinities in a placement's own JSON; null where it is none, or was cut because it is long. */
export function affinitiesOf(json: string): Affinity[] | null {
  const read = parsed(json);
  if (read === null) return null;
  return (Array.isArray(read) ? read : [read]).map(affinityOf);
}

interface RawSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface RawAffinity {
  affinityName?: string;
  labelSelector?: RawSelector;
  fieldSelector?: RawSelector;
  clusterNames?: string[];
  exclude?: string[];
}

function affinityOf(raw: RawAffinity): Affinity {
  const { labelSelector = {}, fieldSelector = {}, clusterNames = [], exclude = [] } = raw;
  const requirements: Requirement[] = [
    ...Object.entries(labelSelector.matchLabels ?? {}).map(([key, value]): Requirement => ({
      of: 'label',
      key,
      operator: 'In',
      values: [value],
    })),
    ...(labelSelector.matchExpressions ?? []).map(({ key, operator, values = [] }): Requirement => ({
      of: 'label',
      key,
      operator: operator as Requirement['operator'],
      values,
    })),
    ...(fieldSelector.matchExpressions ?? []).map(({ key, operator, values = [] }): Requirement => ({
      of: key as Requirement['of'],
      key: '',
      operator: operator as Requirement['operator'],
      values,
    })),
  ];
  if (clusterNames.length > 0)
    requirements.push({ of: 'name', key: '', operator: 'In', values: clusterNames });
  if (exclude.length > 0) requirements.push({ of: 'exclude', key: '', operator: 'NotIn', values: exclude });
  return { name: raw.affinityName ?? '', requirements };
}

function parsed(json: string): RawAffinity | RawAffinity[] | null {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' ? read : null;
  } catch {
    return null;
  }
}

/** Labels as evidence lists them, `a=b,c=d`; null where they were cut because they are many. */
export function labelsOf(text: string): Map<string, string> | null {
  if (text === '(none)' || text === '<none>' || text === '') return new Map();
  if (text.endsWith('…')) return null;
  return new Map(
    text.split(',').map((pair): [string, string] => {
      const [key = '', ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
}

/** A cluster's side of a requirement on a label. */
export interface Compared {
  requirement: Requirement;
  /** What the cluster has; null when it has no such label. */
  actual: string | null;
  holds: boolean;
}

export function compare(
  requirements: readonly Requirement[],
  labels: ReadonlyMap<string, string>,
): Compared[] {
  return requirements
    .filter(({ of }) => of === 'label')
    .map((requirement) => {
      const actual = labels.get(requirement.key) ?? null;
      return { requirement, actual, holds: holds(requirement, actual) };
    });
}

function holds({ operator, values }: Requirement, actual: string | null): boolean {
  switch (operator) {
    case 'In':
      return actual !== null && values.includes(actual);
    case 'NotIn':
      return actual === null || !values.includes(actual);
    case 'Exists':
      return actual !== null;
    case 'DoesNotExist':
      return actual === null;
  }
}

/** A taint as evidence writes it: `key=value:NoSchedule`. */
export interface SeenTaint {
  cluster: string;
  key: string;
  value: string;
  effect: 'NO_SCHEDULE' | 'PREFER_NO_SCHEDULE' | 'NO_EXECUTE';
}

const EFFECTS: Readonly<Record<string, SeenTaint['effect'] | undefined>> = {
  NoSchedule: 'NO_SCHEDULE',
  PreferNoSchedule: 'PREFER_NO_SCHEDULE',
  NoExecute: 'NO_EXECUTE',
};

export function taintsOf(evidence: readonly Evidence[]): SeenTaint[] {
  return evidence.flatMap(({ object, field, value }) => {
    const subject = subjectOf(object);
    const [, pair = '', effect = ''] = /^(.+):([A-Za-z]+)$/.exec(value) ?? [];
    const known = EFFECTS[effect];
    if (subject?.kind !== 'Cluster' || field !== 'spec.taints' || !known) return [];
    const [key = '', ...rest] = pair.split('=');
    return [{ cluster: subject.name, key, value: rest.join('='), effect: known }];
  });
}

/** Evidence in two halves: what a placement asks for, and everything that was seen. */
export interface Halves {
  asked: Evidence | null;
  seen: Evidence[];
}

export function halvesOf(evidence: readonly Evidence[]): Halves {
  const asked = evidence.find(({ field }) => field.startsWith('spec.placement.')) ?? null;
  return { asked, seen: evidence.filter((one) => one !== asked) };
}

/** Findings of one kind, whatever cluster they are about: fifty clusters that crash alike are one problem. */
export interface FindingGroup {
  code: Finding['code'];
  severity: Finding['severity'];
  findings: Finding[];
  /** The clusters that they name, in their order. */
  clusters: string[];
}

/** In the order of the first of each: the server puts the cause to remove first in front. */
export function groupsOf(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.code}`;
    const group = groups.get(key) ?? {
      code: finding.code,
      severity: finding.severity,
      findings: [],
      clusters: [],
    };
    group.findings.push(finding);
    const { clusterName } = finding;
    if (clusterName != null && !group.clusters.includes(clusterName)) group.clusters.push(clusterName);
    groups.set(key, group);
  }
  return [...groups.values()];
}
