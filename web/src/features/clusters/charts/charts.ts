// Which charts there are, and what stands in each.

import type { MetricName, MetricsFieldsFragment, MetricUnit } from '../../../graph/generated/graphql';
import type { Point } from '../../../ui/chart/scale';

type Series = MetricsFieldsFragment['series'];

/** What there is of something, and how much of it is used or well. */
const CHARTS = [
  { of: 'cpu', used: 'CPU_ALLOCATED', all: 'CPU_ALLOCATABLE' },
  { of: 'memory', used: 'MEMORY_ALLOCATED', all: 'MEMORY_ALLOCATABLE' },
  { of: 'pods', used: 'PODS_ALLOCATED', all: 'PODS_ALLOCATABLE' },
  { of: 'nodes', used: 'NODES_READY', all: 'NODES' },
] as const satisfies readonly { of: string; used: MetricName; all: MetricName }[];

export interface ChartLine {
  metric: MetricName;
  points: Point[];
}

export interface Chart {
  of: (typeof CHARTS)[number]['of'];
  unit: MetricUnit;
  lines: ChartLine[];
}

/** The charts of which something is known. */
export function chartsOf(series: Series): Chart[] {
  return CHARTS.flatMap(({ of, used, all }) => {
    const found = [used, all].flatMap((metric) => series.filter((one) => one.metric === metric));
    const [first] = found;
    if (!first) return [];
    const lines = found.map(({ metric, points }) => ({
      metric,
      points: points.map(({ at, value }) => ({ at: Date.parse(at), value })),
    }));
    return [{ of, unit: first.unit, lines }];
  });
}
