import { POLICY_KINDS } from '../../app/objects';
import type { PageSize } from '../../app/search';
import { many, one, pageSizeOf } from '../../app/search';
import type { PolicyFilter, PolicyOrder, PolicyRowFragment } from '../../graph/generated/graphql';
import { compareText } from '../../graph/live/list';
import { orderOf, sortOf } from '../../ui/table/order';

export type Row = PolicyRowFragment;

/** The whole state of the list, as its address says it. */
export interface PoliciesSearch {
  instance?: string;
  kind?: string[];
  namespace?: string[];
  name?: string;
  /** A kind that a policy has to select. */
  selects?: string;
  sort?: string;
  after?: string;
  size?: PageSize;
}

export function validatePoliciesSearch(raw: Record<string, unknown>): PoliciesSearch {
  const kinds = many(raw.kind)?.filter((kind) => POLICY_KINDS.some(({ path }) => path === kind));
  return {
    instance: one(raw.instance),
    kind: kinds && kinds.length > 0 ? kinds : undefined,
    namespace: many(raw.namespace),
    name: one(raw.name),
    selects: one(raw.selects),
    sort: sortOf(raw.sort, ['age']),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

export function filterOf(search: PoliciesSearch): PolicyFilter | null {
  const { kind, namespace, name, selects } = search;
  if (!isNarrowed(search)) return null;
  return {
    kinds: kind && POLICY_KINDS.filter(({ path }) => kind.includes(path)).map(({ value }) => value),
    namespaces: namespace,
    nameContains: name?.toLowerCase(),
    selects: selects ? { kind: selects } : undefined,
  };
}

/** What the filters let pass, of rows that the feed tells: it follows all policies. */
export function passes({ kind, namespace, name, selects }: PoliciesSearch, row: Row): boolean {
  return (
    (!kind || kind.includes(row.kind.toLowerCase())) &&
    (!namespace || (row.namespace !== null && namespace.includes(row.namespace))) &&
    (!name || row.name.includes(name.toLowerCase())) &&
    (!selects || canSelect(row, selects))
  );
}

/** As the server has it: an override policy without selectors applies to everything. */
function canSelect(row: Row, kind: string): boolean {
  const selectors = row.resourceSelectors ?? [];
  if (selectors.length === 0) return 'overrideRules' in row;
  return selectors.some((selector) => selector.kind === kind);
}

/** The youngest were created last. */
export function orderByOf({ sort }: PoliciesSearch): PolicyOrder | null {
  const order = orderOf(sort);
  return order ? { field: 'CREATED_AT', direction: order.descending ? 'ASC' : 'DESC' } : null;
}

/** The order of the server within an instance, over all of them. */
export function comparison({ sort }: PoliciesSearch): (a: Row, b: Row) => number {
  const order = orderOf(sort);
  if (!order) return compareNames;
  const sign = order.descending ? 1 : -1;
  return (a, b) => sign * compareText(a.createdAt ?? '', b.createdAt ?? '') || compareNames(a, b);
}

function compareNames(a: Row, b: Row): number {
  return (
    compareText(a.instance?.name ?? '', b.instance?.name ?? '') ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind)
  );
}

export function isNarrowed({ kind, namespace, name, selects }: PoliciesSearch): boolean {
  return (kind ?? namespace ?? name ?? selects) !== undefined;
}
