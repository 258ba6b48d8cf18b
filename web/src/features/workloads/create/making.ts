// Where somebody may make which workloads.

import { KINDS } from '../../../app/kinds';
import type { WorkloadKind, WorkloadMakingQuery } from '../../../graph/generated/graphql';

export type MakingInstance = NonNullable<WorkloadMakingQuery['instances']>['nodes'][number];

/** The namespaces in which a kind may be made: null for all, empty for none. */
export function namespacesFor({ access }: MakingInstance, kind: WorkloadKind): readonly string[] | null {
  switch (kind) {
    case 'DEPLOYMENT':
      return access.deployments;
    case 'STATEFUL_SET':
      return access.statefulSets;
    case 'DAEMON_SET':
      return access.daemonSets;
    case 'JOB':
      return access.jobs;
    case 'CRON_JOB':
      return access.cronJobs;
  }
}

/** The kinds that may be made somewhere in an instance. */
export function kindsFor(instance: MakingInstance): WorkloadKind[] {
  return KINDS.map(({ value }) => value).filter((kind) => namespacesFor(instance, kind)?.length !== 0);
}

/** The instances in which somebody may make any, of all or of the one that is looked at. */
export function mayMakeIn(instances: readonly MakingInstance[], name?: string): MakingInstance[] {
  return instances.filter(
    (instance) => (name === undefined || instance.name === name) && kindsFor(instance).length > 0,
  );
}
