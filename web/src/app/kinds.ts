import type { WorkloadKind } from '../graph/generated/graphql';

/** The kinds of workload: as the graph says them, as Kubernetes does, and as an address does. */
export const KINDS: readonly { value: WorkloadKind; kind: string; path: string; short: string }[] = [
  { value: 'DEPLOYMENT', kind: 'Deployment', path: 'deployment', short: 'deploy' },
  { value: 'STATEFUL_SET', kind: 'StatefulSet', path: 'statefulset', short: 'sts' },
  { value: 'DAEMON_SET', kind: 'DaemonSet', path: 'daemonset', short: 'ds' },
  { value: 'JOB', kind: 'Job', path: 'job', short: 'job' },
  { value: 'CRON_JOB', kind: 'CronJob', path: 'cronjob', short: 'cj' },
];

export function kindOfPath(path: string): WorkloadKind | undefined {
  return KINDS.find((kind) => kind.path === path.toLowerCase())?.value;
}

export function pathOfKind(kind: string): string {
  return KINDS.find((known) => known.kind === kind)?.path ?? kind.toLowerCase();
}

export function shortKind(kind: string): string {
  return KINDS.find((known) => known.kind === kind)?.short ?? kind;
}

/** What a kind is called where rights are asked for. */
export function resourceOf(kind: WorkloadKind): { group: string; resource: string } {
  const path = KINDS.find((known) => known.value === kind)?.path ?? '';
  return { group: path.endsWith('job') ? 'batch' : 'apps', resource: `${path}s` };
}

export function canScale(kind: string): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet';
}
