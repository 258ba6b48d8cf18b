import type { ReactNode } from 'react';
import type { Tone } from './tones';

/** Shapes differ as much as colours do, for those who cannot tell the colours apart. */
const SHAPES: Record<Tone, ReactNode> = {
  ok: <path d="M3.2 8.400l3.2 3.2 6.4-7" />,
  busy: <path d="M8 2.200a5.8 5.8 0 1 1-5.8 5.800M8 5v3.200l2.2 1.4" />,
  warn: <path d="M8 2.5 14.2 13.300H1.800L8 2.500ZM8 6.500v3M8 11.200v.3" />,
  bad: <path d="M4 4l8 8M12 4l-8 8" />,
  idle: <path d="M3 8h10" />,
  unknown: <path d="M5.6 6a2.4 2.4 0 1 1 3.5 2.100C8.3 8.6 8 9 8 9.800M8 12.200v.3" />,
};

export function ToneIcon({ tone }: { tone: Tone }) {
  return (
    <svg className={`tone-icon tone-${tone}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[tone]}
    </svg>
  );
}

/** A state in one word, with its shape and colour. */
export function StateBadge({ tone, children, title }: { tone: Tone; children: ReactNode; title?: string }) {
  return (
    <span className={`state tone-${tone}`} title={title}>
      <ToneIcon tone={tone} />
      <span>{children}</span>
    </span>
  );
}
