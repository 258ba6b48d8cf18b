import type { PageSize } from '../../../app/search';
import { many, one, pageSizeOf } from '../../../app/search';
import type { WorkloadFilter } from '../../../graph/generated/graphql';
import { KINDS } from '../../../app/kinds';

/** The whole state of the list, as its address says it. */
export interface WorkloadsSearch {
  instance?: string;
  kind?: string[];
  namespace?: string[];
  name?: string;
  after?: string;
  size?: PageSize;
}

export function validateWorkloadsSearch(raw: Record<string, unknown>): WorkloadsSearch {
  const known = new Set(KINDS.map((kind) => kind.path));
  const kinds = many(raw.kind)?.filter((kind) => known.has(kind));
  return {
    instance: one(raw.instance),
    kind: kinds && kinds.length > 0 ? kinds : undefined,
    namespace: many(raw.namespace),
    name: one(raw.name),
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
  if (search.namespace) filter.namespaces = search.namespace;
  // Kubernetes names are lower case: what is typed in capitals means the same.
  if (search.name) filter.nameContains = search.name.toLowerCase();
  return Object.keys(filter).length > 0 ? filter : undefined;
}

export function filterOf(search: WorkloadsSearch): WorkloadFilter | undefined {
  const filter = instanceFilterOf(search);
  return search.instance ? { ...filter, instances: [search.instance] } : filter;
}

/** Whether something narrows the list; the instance is picked for every page alike. */
export function isNarrowed({ kind, namespace, name }: WorkloadsSearch): boolean {
  return (kind ?? namespace ?? name) !== undefined;
}
