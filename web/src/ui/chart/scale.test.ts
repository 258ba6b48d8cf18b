import { describe, expect, it } from 'vitest';
import { ceiling, linesOf, nearest } from './scale';

it.each([
  [[], 10, 1],
  [[null, 0], 10, 1],
  [[3, 7], 10, 10],
  [[21], 10, 25],
  [[120, null], 10, 200],
  [[0.3], 10, 0.5],
  [[3 * 1024 ** 3], 1024, 4 * 1024 ** 3],
  [[1000], 1024, 1024],
])('an axis for %j by powers of %i ends at %d', (values, base, want) => {
  expect(ceiling(values, base)).toBeCloseTo(want);
});

describe('linesOf', () => {
  const span = { from: 0, to: 100 };
  const points = (...values: (number | null)[]) =>
    values.map((value, index) => ({ at: (index * 100) / (values.length - 1), value }));

  it('goes from left to right, and up', () => {
    expect(linesOf(points(0, 5, 10), span, 10)).toBe('M0,100L50,50L100,0');
  });

  it('has a gap where nothing is known, and draws a value between two', () => {
    expect(linesOf(points(10, 10, null, 5, null), span, 10)).toBe('M0,0L25,0M75,50h0');
    expect(linesOf([], span, 10)).toBe('');
  });
});

it('finds the point next to a moment', () => {
  const points = [0, 10, 20].map((at) => ({ at, value: 1 }));
  expect([-5, 4, 16, 99].map((at) => nearest(points, at))).toEqual([0, 0, 2, 2]);
  expect(nearest([], 5)).toBe(-1);
});
