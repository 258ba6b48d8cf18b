import type { PageSize } from '../../../app/search';
import { one, pageSizeOf } from '../../../app/search';
import type { Range } from '../search';
import { rangeOf } from '../search';

export const TABS = ['nodes', 'placed', 'workloads', 'pods', 'events', 'apis', 'charts'] as const;
export type Tab = (typeof TABS)[number];

/** What the address of a cluster's page says. */
export interface ClusterSearch {
  /** The overview when left out. */
  tab?: Tab;
  after?: string;
  size?: PageSize;
  /** Only warnings, of events. */
  warnings?: 'only';
  /** What an API's group or kind contains. */
  name?: string;
  range?: Range;
  /** The operation that is followed, by its id. */
  operation?: string;
}

export function validateClusterSearch(raw: Record<string, unknown>): ClusterSearch {
  return {
    tab: TABS.find((tab) => tab === raw.tab),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
    warnings: raw.warnings === 'only' ? 'only' : undefined,
    name: one(raw.name),
    range: rangeOf(raw.range),
    operation: one(raw.operation),
  };
}
