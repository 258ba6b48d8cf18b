// Where the points of a chart are drawn.

export interface Point {
  /** Milliseconds since 1970. */
  at: number;
  /** Null where there is none: the line has a gap there. */
  value: number | null;
}

export interface Span {
  from: number;
  to: number;
}

/** The top of an axis: the least of 1, 2, 2.5 and 5 times a power of the base that holds every value. */
export function ceiling(values: readonly (number | null)[], base = 10): number {
  const most = Math.max(0, ...values.filter((value) => value !== null));
  if (most === 0) return 1;
  const unit = base ** Math.floor(Math.log(most) / Math.log(base));
  const steps = base === 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  return unit * (steps.find((step) => step * unit >= most) ?? base);
}

/** Lines in a square of 100 by 100, one for each run of values: `M0,50L10,40`. A value alone is a line of no length. */
export function linesOf(points: readonly Point[], span: Span, top: number): string {
  const x = (at: number) => round((100 * (at - span.from)) / (span.to - span.from));
  const y = (value: number) => round(100 - (100 * value) / top);
  let path = '';
  let open = false;
  points.forEach(({ at, value }, index) => {
    if (value === null) {
      open = false;
      return;
    }
    path += `${open ? 'L' : 'M'}${x(at)},${y(value)}`;
    if (!open && points[index + 1]?.value == null) path += 'h0';
    open = true;
  });
  return path;
}

/** The point that is closest to a moment. */
export function nearest(points: readonly Point[], at: number): number {
  let best = -1;
  points.forEach((point, index) => {
    const before = points[best];
    if (!before || Math.abs(point.at - at) < Math.abs(before.at - at)) best = index;
  });
  return best;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
