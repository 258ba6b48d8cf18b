import { expect, it } from 'vitest';
import { chartIn, validateClustersSearch } from '../search';
import { chartsOf } from './charts';

it('puts what is used and what there is into one chart, and leaves out what nothing is known of', () => {
  const points = [{ at: '2026-03-01T12:00:00Z', value: 1 }];
  const series = [
    { metric: 'CPU_ALLOCATABLE' as const, unit: 'CORES' as const, points },
    { metric: 'CPU_ALLOCATED' as const, unit: 'CORES' as const, points },
    { metric: 'NODES' as const, unit: 'COUNT' as const, points },
  ];
  expect(
    chartsOf(series).map(({ of, unit, lines }) => [of, unit, lines.map(({ metric }) => metric)]),
  ).toEqual([
    ['cpu', 'CORES', ['CPU_ALLOCATED', 'CPU_ALLOCATABLE']],
    ['nodes', 'COUNT', ['NODES']],
  ]);
  expect(chartsOf([])).toEqual([]);
});

it('knows from the address what charts are of, and how far back they go', () => {
  expect(validateClustersSearch({ chart: 'asia/tokyo', range: '6h' })).toEqual({
    chart: 'asia/tokyo',
    range: '6h',
  });
  expect(validateClustersSearch({ range: '1h' }).range).toBeUndefined();
  expect(validateClustersSearch({ range: 'constructor' }).range).toBeUndefined();
  expect(chartIn('asia', 'asia/tokyo')).toEqual({ cluster: 'tokyo' });
  expect(chartIn('asia', 'asia')).toEqual({ cluster: undefined });
  expect(chartIn('europe', 'asia')).toBeNull();
  expect(chartIn('europe', undefined)).toBeNull();
});
