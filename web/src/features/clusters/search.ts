import { one } from '../../app/search';

/** How far back charts go, in minutes. */
export const RANGES = { '1h': 60, '6h': 6 * 60, '24h': 24 * 60, '7d': 7 * 24 * 60 } as const;
export type Range = keyof typeof RANGES;
export const USUAL_RANGE: Range = '1h';

/** What the address of the page says. */
export interface ClustersSearch {
  instance?: string;
  /** The instance whose console is open. */
  console?: string;
  /** What charts are shown of: an instance, or `instance/cluster`. */
  chart?: string;
  range?: Range;
}

export function validateClustersSearch(raw: Record<string, unknown>): ClustersSearch {
  return {
    instance: one(raw.instance),
    console: one(raw.console),
    chart: one(raw.chart),
    range: rangeOf(raw.range),
  };
}

/** A range as an address says it; undefined for the usual one. */
export function rangeOf(raw: unknown): Range | undefined {
  const range = one(raw);
  return range !== USUAL_RANGE && range && Object.hasOwn(RANGES, range) ? (range as Range) : undefined;
}

/** Whether charts of an instance are open, and of which of its members. */
export function chartIn(instance: string, chart: string | undefined): { cluster?: string } | null {
  const [of, cluster] = chart?.split('/') ?? [];
  return of === instance ? { cluster: cluster || undefined } : null;
}
