import type { PageSize } from '../../app/search';
import { one, pageSizeOf } from '../../app/search';

/** The whole state of the list, as its address says it. */
export interface NamespacesSearch {
  instance?: string;
  name?: string;
  after?: string;
  size?: PageSize;
}

export function validateNamespacesSearch(raw: Record<string, unknown>): NamespacesSearch {
  return {
    instance: one(raw.instance),
    name: one(raw.name),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

/** What the list and its feed are asked for; null for all. */
export function filterOf({ name }: NamespacesSearch): { nameContains: string } | null {
  return name ? { nameContains: name.toLowerCase() } : null;
}
