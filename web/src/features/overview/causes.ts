// What is wrong now, by its cause. A cause has a stable code: that of a finding, a state or a condition.

import type { Place } from '../../app/places';
import type {
  AttentionRowFragment,
  DiagnosesQuery,
  FindingCode,
  FreshnessFieldsFragment,
  OverviewInstanceFragment,
  Severity,
  WorkloadState,
} from '../../graph/generated/graphql';

type Diagnosed = Extract<NonNullable<DiagnosesQuery['nodes'][number]>, { propagation?: unknown }>;
export type Finding = NonNullable<NonNullable<Diagnosed['propagation']>['diagnosis']>[number];

/** What was found out about a workload; null where nothing could be. */
export type Findings = readonly Finding[] | null;

export type Subject = Extract<Place, { type: 'instance' | 'cluster' | 'workload' }>;

export interface Affected {
  /** Unique within its cause. */
  key: string;
  subject: Subject;
  /** The clusters in which it is so; empty when it is about the whole. */
  clusters: string[];
  message: string;
  remedy: string;
}

/** Causes that are no findings of a diagnosis. */
export type OwnCode =
  | 'INSTANCE_UNAVAILABLE'
  | 'INSTANCE_UNKNOWN'
  | 'INSTALLATION_FAILED'
  | 'COMPONENT_NOT_READY'
  | 'NOT_EXPLAINED'
  | 'NOT_KNOWN';

export interface Cause {
  /** A code of the contract, one of ours, or `condition.` and the type of an instance's condition. */
  code: FindingCode | OwnCode | `condition.${string}`;
  severity: Exclude<Severity, 'INFO'>;
  affected: Affected[];
}

/** The states in which a workload is looked at more closely, the worst first. */
export const TROUBLED: readonly WorkloadState[] = [
  'FAILED',
  'NOT_PROPAGATED',
  'DEGRADED',
  'UNKNOWN',
  'PROGRESSING',
];

/** What a diagnosis is asked for at once, which is what the graph gives. */
export const MOST_DIAGNOSED = 200;

/** The worst first, as many as are looked into. */
export function mostUrgent(rows: readonly AttentionRowFragment[]): AttentionRowFragment[] {
  return rows
    .filter(({ state }) => TROUBLED.includes(state))
    .sort((a, b) => TROUBLED.indexOf(a.state) - TROUBLED.indexOf(b.state) || compare(a.id, b.id))
    .slice(0, MOST_DIAGNOSED);
}

interface Known {
  instances: readonly OverviewInstanceFragment[];
  workloads: readonly AttentionRowFragment[];
  /** By id of the workload; absent where they were not asked for. */
  findings: ReadonlyMap<string, Findings>;
  /** Workloads whose findings are being read: nothing is said of them before. */
  awaited: ReadonlySet<string>;
}

/** Everything that is wrong, the worst first: what explains the rest goes before it. */
export function causesOf({ instances, workloads, findings, awaited }: Known): Cause[] {
  const causes = new Causes();
  for (const instance of instances) {
    addInstance(causes, instance);
    for (const cluster of instance.clusters?.nodes ?? []) addCluster(causes, instance, cluster);
  }
  for (const workload of workloads) {
    if (!awaited.has(workload.id)) addWorkload(causes, workload, findings.get(workload.id));
  }
  return causes.sorted();
}

/** How many different things are affected by anything. */
export function affectedBy(causes: readonly Cause[]): number {
  return new Set(causes.flatMap(({ affected }) => affected.map(({ key }) => key))).size;
}

class Causes {
  private readonly byCode = new Map<Cause['code'], Cause>();

  add(code: Cause['code'], severity: Cause['severity'], one: Omit<Affected, 'key'>): void {
    const cause = this.byCode.get(code) ?? { code, severity, affected: [] };
    this.byCode.set(code, cause);
    if (severity === 'ERROR') cause.severity = severity;
    const key = keyOf(one.subject);
    const before = cause.affected.find((known) => known.key === key);
    if (!before) {
      cause.affected.push({ ...one, key });
      return;
    }
    before.clusters = [...new Set([...before.clusters, ...one.clusters])];
  }

  sorted(): Cause[] {
    const causes = [...this.byCode.values()];
    for (const { affected } of causes) {
      affected.sort((a, b) => rankOfSubject(a) - rankOfSubject(b) || compare(a.key, b.key));
    }
    return causes.sort(
      (a, b) =>
        rankOfSeverity(a) - rankOfSeverity(b) ||
        rankOf(a) - rankOf(b) ||
        b.affected.length - a.affected.length ||
        compare(a.code, b.code),
    );
  }
}

/** Conditions that repeat what the state, the components or the members say, or that are no trouble. */
const REPEATED = new Set([
  'APIServerReachable',
  'AggregatedAPIAvailable',
  'ControllersReady',
  'Deletable',
  'Installed',
  'MembersReachable',
  'ReadPathSynced',
  'Ready',
  'SchedulerReady',
  'WebhookReady',
]);

function addInstance(causes: Causes, instance: OverviewInstanceFragment): void {
  const subject: Subject = { type: 'instance', instance: instance.name };
  const say = (code: Cause['code'], severity: Cause['severity'], message: string) =>
    causes.add(code, severity, { subject, clusters: [], message, remedy: '' });

  const failed = instance.steps.find(({ state }) => state === 'FAILED');
  if (instance.state === 'UNAVAILABLE') say('INSTANCE_UNAVAILABLE', 'ERROR', instance.stateMessage);
  else if (instance.state === 'UNKNOWN') say('INSTANCE_UNKNOWN', 'WARNING', instance.stateMessage);
  else if (failed) say('INSTALLATION_FAILED', 'ERROR', said(failed.name, failed.message));
  // What does not answer, or is not there yet, has no parts that could be judged.
  if (instance.state !== 'RUNNING') return;

  const broken = instance.components.filter(({ state }) => state === 'NOT_READY');
  if (broken.length > 0) {
    say('COMPONENT_NOT_READY', 'ERROR', broken.map(({ name, message }) => said(name, message)).join('; '));
  }
  for (const { type, status, reason, message } of instance.conditions) {
    if (status === 'FALSE' && !REPEATED.has(type)) say(`condition.${type}`, 'WARNING', message || reason);
  }
  addFreshness(causes, subject, instance.freshness ?? null);
}

type Member = NonNullable<OverviewInstanceFragment['clusters']>['nodes'][number];

function addCluster(causes: Causes, instance: OverviewInstanceFragment, cluster: Member): void {
  if (instance.state !== 'RUNNING') return;
  const subject: Subject = { type: 'cluster', instance: instance.name, cluster: cluster.name };
  const say = (code: Cause['code'], severity: Cause['severity']) =>
    causes.add(code, severity, { subject, clusters: [], message: cluster.stateMessage, remedy: '' });
  switch (cluster.state) {
    case 'OFFLINE':
      say('CLUSTER_OFFLINE', 'ERROR');
      return;
    // One cause with what the findings of its workloads call so.
    case 'NOT_READY':
    case 'UNKNOWN':
      say('CLUSTER_NOT_READY', 'ERROR');
      return;
    case 'READY':
      // Of a member that is away nobody expects fresh rows.
      addFreshness(causes, subject, cluster.freshness ?? null);
  }
}

function addFreshness(causes: Causes, subject: Subject, freshness: FreshnessFieldsFragment | null): void {
  if (!freshness || freshness.state === 'LIVE' || freshness.state === 'NEVER') return;
  causes.add('STORE_STALE', 'WARNING', { subject, clusters: [], message: freshness.message, remedy: '' });
}

function addWorkload(causes: Causes, row: AttentionRowFragment, findings: Findings | undefined): void {
  if (!TROUBLED.includes(row.state)) return;
  const subject: Subject = {
    type: 'workload',
    instance: row.instance?.name ?? '',
    namespace: row.namespace,
    kind: row.kind,
    name: row.name,
  };
  const wrong = (findings ?? []).filter(isWrong);
  for (const { code, severity, clusterName, message, remedy } of wrong) {
    const clusters = clusterName ? [clusterName] : [];
    causes.add(code, severity, { subject, clusters, message, remedy });
  }
  // What is on its way may be well soon; what is not well is said even where nothing tells why.
  if (wrong.length > 0 || row.state === 'PROGRESSING') return;
  const unknown = row.state === 'UNKNOWN';
  const message = saidByFacts(row);
  causes.add(unknown ? 'NOT_KNOWN' : 'NOT_EXPLAINED', unknown ? 'WARNING' : 'ERROR', {
    subject,
    clusters: [],
    message,
    remedy: '',
  });
}

function isWrong(finding: Finding): finding is Finding & { severity: Cause['severity'] } {
  return finding.severity !== 'INFO';
}

/** The first fact that does not hold, in its own words. */
function saidByFacts({ propagation, stateReason }: AttentionRowFragment): string {
  const facts = propagation ? [propagation.scheduled, propagation.applied, propagation.healthy] : [];
  const broken = facts.find(({ value }) => value !== 'TRUE');
  return broken?.message || broken?.reason || stateReason;
}

function said(name: string, message: string): string {
  return message ? `${name}: ${message}` : name;
}

function keyOf(subject: Subject): string {
  switch (subject.type) {
    case 'instance':
      return subject.instance;
    case 'cluster':
      return `${subject.instance}/${subject.cluster}`;
    case 'workload':
      return [subject.instance, subject.namespace, subject.name, subject.kind].join('/');
  }
}

const SEVERITIES: readonly Cause['severity'][] = ['ERROR', 'WARNING'];

function rankOfSeverity({ severity }: Cause): number {
  return SEVERITIES.indexOf(severity);
}

/** What an instance lacks explains what its members do, and that what its workloads do. */
function rankOf({ affected }: Cause): number {
  return Math.min(...affected.map(rankOfSubject));
}

const SUBJECTS: readonly Subject['type'][] = ['instance', 'cluster', 'workload'];

function rankOfSubject({ subject }: Affected): number {
  return SUBJECTS.indexOf(subject.type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
