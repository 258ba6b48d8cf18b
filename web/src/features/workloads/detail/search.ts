import type { PageSize } from '../../../app/search';
import { one, pageSizeOf } from '../../../app/search';
import type { PodsSearch } from '../pods/search';
import { validatePodsSearch } from '../pods/search';

/** The tabs of a workload, beside its overview. */
export const TABS = ['pods', 'topology', 'events', 'revisions', 'timeline', 'edit', 'yaml'] as const;
export type Tab = (typeof TABS)[number];

/** How far back a timeline goes, in hours. */
export const PERIODS = { hour: 1, day: 24, week: 7 * 24 } as const;
export type Period = keyof typeof PERIODS;

/** What the address of a workload says. */
export interface WorkloadSearch extends PodsSearch {
  tab?: Tab;
  /** The cluster whose row is unfolded; of the pods, the only one that is shown. */
  cluster?: string;
  /** The topology as a list, or as a graph where there is little room. */
  view?: 'list' | 'graph';
  /** The node of the topology that is looked at. */
  node?: string;
  /** The revision that is looked at, by number. */
  revision?: string;
  /** Only warnings, of the events. */
  warnings?: true;
  period?: Period;
  /** Page of the timeline. */
  after?: string;
  size?: PageSize;
}

export function validateWorkloadSearch(raw: Record<string, unknown>): WorkloadSearch {
  const tab = one(raw.tab);
  const view = one(raw.view);
  const revision = one(raw.revision);
  const period = one(raw.period);
  return {
    tab: TABS.find((known) => known === tab),
    cluster: one(raw.cluster),
    view: view === 'list' || view === 'graph' ? view : undefined,
    node: one(raw.node),
    revision: revision && /^[0-9]+$/.test(revision) ? revision : undefined,
    warnings: one(raw.warnings) === 'true' || raw.warnings === true ? true : undefined,
    period: period && Object.hasOwn(PERIODS, period) ? (period as Period) : undefined,
    after: one(raw.after),
    size: pageSizeOf(raw.size),
    ...validatePodsSearch(raw),
  };
}

/** The address of another tab: what belongs to this one stays behind, but for the cluster. */
export function tabSearch(tab: Tab | undefined, cluster: string | undefined): WorkloadSearch {
  return { tab, cluster };
}
