import { one } from '../../../app/search';
import type { Range } from '../search';
import { rangeOf } from '../search';

export const TABS = ['settings', 'charts', 'operations'] as const;
export type Tab = (typeof TABS)[number];

/** What the address of an instance's page says. */
export interface InstanceSearch {
  /** The overview when left out. */
  tab?: Tab;
  range?: Range;
  /** The instance whose console is open. */
  console?: string;
  /** The operation that is followed, by its id. */
  operation?: string;
}

export function validateInstanceSearch(raw: Record<string, unknown>): InstanceSearch {
  return {
    tab: TABS.find((tab) => tab === raw.tab),
    range: rangeOf(raw.range),
    console: one(raw.console),
    operation: one(raw.operation),
  };
}
