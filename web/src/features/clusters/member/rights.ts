import type { ObjectPermission } from '../../../app/permission';

/** What changing labels, taints and scheduling of a member takes: Karmada decides it by its own object. */
export function changesClusters(instance: string): ObjectPermission {
  return { instance, verb: 'PATCH', group: 'cluster.karmada.io', resource: 'clusters' };
}
