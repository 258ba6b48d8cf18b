import type { PageSize } from '../../../app/search';
import { many, one, pageSizeOf } from '../../../app/search';
import type { WorkloadFilter, WorkloadOrder, WorkloadState } from '../../../graph/generated/graphql';
import { KINDS } from '../../../app/kinds';
import { orderOf, sortOf } from '../../../ui/table/order';

/** The states that the list can be narrowed to, the worst first. */
export const STATES: readonly WorkloadState[] = [
  'FAILED',
  'NOT_PROPAGATED',
  'DEGRADED',
  'UNKNOWN',
  'PROGRESSING',
  'PAUSED',
  'STOPPED',
  'DELETING',
  'RUNNING',
  'COMPLETED',
];

/** The whole state of the list, as its address says it. */
export interface WorkloadsSearch {
  instance?: string;
  kind?: string[];
  state?: string[];
  namespace?: string[];
  name?: string;
  sort?: string;
  after?: string;
  size?: PageSize;
}

export function validateWorkloadsSearch(raw: Record<string, unknown>): WorkloadsSearch {
  const known = new Set(KINDS.map((kind) => kind.path));
  const kinds = many(raw.kind)?.filter((kind) => known.has(kind));
  const wanted = many(raw.state)?.map((state) => state.toUpperCase());
  const states = STATES.filter((state) => wanted?.includes(state)).map((state) => state.toLowerCase());
  return {
    instance: one(raw.instance),
    kind: kinds && kinds.length > 0 ? kinds : undefined,
    state: states.length > 0 ? states : undefined,
    namespace: many(raw.namespace),
    name: one(raw.name),
    sort: sortOf(raw.sort, ['age']),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

/** The filter within one instance; the feeds take it as it is. */
export function instanceFilterOf(search: WorkloadsSearch): WorkloadFilter | undefined {
  const filter: WorkloadFilter = {};
  if (search.kind) {
    filter.kinds = KINDS.filter((kind) => search.kind?.includes(kind.path)).map((kind) => kind.value);
  }
  if (search.state) filter.states = STATES.filter((state) => search.state?.includes(state.toLowerCase()));
  if (search.namespace) filter.namespaces = search.namespace;
  // Kubernetes names are lower case: what is typed in capitals means the same.
  if (search.name) filter.nameContains = search.name.toLowerCase();
  return Object.keys(filter).length > 0 ? filter : undefined;
}

export function filterOf(search: WorkloadsSearch): WorkloadFilter | undefined {
  const filter = instanceFilterOf(search);
  return search.instance ? { ...filter, instances: [search.instance] } : filter;
}

/** The contract's order of an address; by instance, namespace and name when it says none. */
export function orderByOf({ sort }: WorkloadsSearch): WorkloadOrder | undefined {
  const order = orderOf(sort);
  // The youngest were created last.
  return order && { field: 'CREATED_AT', direction: order.descending ? 'ASC' : 'DESC' };
}

/** Whether something narrows the list; the instance is picked for every page alike. */
export function isNarrowed({ kind, state, namespace, name }: WorkloadsSearch): boolean {
  return (kind ?? state ?? namespace ?? name) !== undefined;
}
