import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';

/** An age as people say it: one unit, whole numbers, never negative (clocks differ). */
export function ageParts(since: string, now: number): { unit: AgeUnit; n: number } | null {
  const from = Date.parse(since);
  if (Number.isNaN(from)) return null;
  const seconds = Math.max(0, Math.floor((now - from) / 1000));
  if (seconds < 60) return { unit: 'seconds', n: seconds };
  if (seconds < 3600) return { unit: 'minutes', n: Math.floor(seconds / 60) };
  if (seconds < 86_400) return { unit: 'hours', n: Math.floor(seconds / 3600) };
  if (seconds < 730 * 86_400) return { unit: 'days', n: Math.floor(seconds / 86_400) };
  return { unit: 'years', n: Math.floor(seconds / (365 * 86_400)) };
}

export type AgeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'years';

export function ageText(since: string | null | undefined, now: number, t: TFunction): string {
  const parts = since ? ageParts(since, now) : null;
  return parts ? t(`age.${parts.unit}`, { n: parts.n }) : '';
}

/** The time, told anew every ten seconds, by one clock for the whole page. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    clocks.add(setNow);
    ticking ??= setInterval(() => {
      const at = Date.now();
      for (const set of clocks) set(at);
    }, 10_000);
    return () => {
      clocks.delete(setNow);
      if (clocks.size > 0 || ticking === undefined) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, []);
  return now;
}

const clocks = new Set<(now: number) => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
