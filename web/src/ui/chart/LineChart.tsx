import type { KeyboardEvent, PointerEvent } from 'react';
import { useMemo, useState } from 'react';
import type { Point, Span } from './scale';
import { ceiling, linesOf, nearest } from './scale';

export interface Line {
  id: string;
  label: string;
  points: readonly Point[];
}

interface LineChartProps {
  label: string;
  span: Span;
  /** All have their points at the same times. At most two: they differ by more than their colours. */
  lines: readonly Line[];
  /** A value as people read it. */
  text: (value: number) => string;
  /** Values are rounded up by powers of this. */
  base?: 10 | 1024;
}

/** What changed over time. The pointer and the arrow keys tell the values of a moment; otherwise the last ones are. */
export function LineChart({ label, span, lines, text, base = 10 }: LineChartProps) {
  const [picked, setPicked] = useState<number | null>(null);
  const times = lines[0]?.points ?? [];
  const last = times.length - 1;
  const index = Math.min(picked ?? lastValue(lines, last), last);
  const at = times[index]?.at ?? span.to;
  const top = useMemo(
    () =>
      ceiling(
        lines.flatMap(({ points }) => points.map(({ value }) => value)),
        base,
      ),
    [lines, base],
  );
  const paths = useMemo(
    () => lines.map(({ id, points }) => ({ id, path: linesOf(points, span, top) })),
    [lines, span, top],
  );
  const values = lines.map(({ id, label, points }) => {
    const value = points[index]?.value ?? null;
    return { id, label, text: value === null ? '–' : text(value) };
  });

  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPicked(nearest(times, span.from + ((clientX - left) / width) * (span.to - span.from)));
  };
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPicked(Math.max(0, Math.min(last, to)));
  };

  const moment = momentText(at, span);
  return (
    <figure className="chart" data-chart={label}>
      <figcaption>
        <strong>{label}</strong>
        {values.map(({ id, label, text }, line) => (
          <span key={id} className={`chart-key line-${line}`} data-line={id}>
            <svg viewBox="0 0 16 4" aria-hidden="true" focusable="false">
              <path d="M0,2H16" />
            </svg>
            {label} <b>{text}</b>
          </span>
        ))}
        <time className="muted" dateTime={new Date(at).toISOString()}>
          {moment}
        </time>
      </figcaption>
      <div className="chart-body">
        <span className="chart-y muted small" aria-hidden="true">
          <span>{text(top)}</span>
          <span>0</span>
        </span>
        <div
          className="chart-area"
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, index)}
          aria-valuetext={[moment, ...values.map(({ label, text }) => `${label} ${text}`)].join(', ')}
          onPointerMove={point}
          onPointerLeave={() => setPicked(null)}
          onKeyDown={move}
          onBlur={() => setPicked(null)}
        >
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <path className="chart-grid" d="M0,0H100M0,50H100M0,100H100" />
            {paths.map(({ id, path }, line) => (
              <path key={id} className={`chart-line line-${line}`} d={path} />
            ))}
            {picked !== null && <path className="chart-now" d={`M${position(at, span)},0V100`} />}
          </svg>
        </div>
        <span className="chart-x muted small" aria-hidden="true">
          {[span.from, (span.from + span.to) / 2, span.to].map((at) => (
            <span key={at}>{momentText(at, span)}</span>
          ))}
        </span>
      </div>
    </figure>
  );
}

/** The last moment of which something is known. */
function lastValue(lines: readonly Line[], last: number): number {
  for (let index = last; index >= 0; index--) {
    if (lines.some(({ points }) => points[index]?.value != null)) return index;
  }
  return last;
}

function position(at: number, { from, to }: Span): number {
  return (100 * (at - from)) / (to - from);
}

const DAY = 24 * 3_600_000;

/** A time of day, with its day where the span has several. */
function momentText(at: number, { from, to }: Span): string {
  return new Date(at).toLocaleString(undefined, {
    ...(to - from >= DAY && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}
