// What somebody chose lately, in this browser. It is forgotten with their session: names are not for the next.

import type { Place } from '../places';

export interface Recent {
  key: string;
  label: string;
  kind: string;
  detail: string;
  place: Place;
}

const KEY = 'kairship.recent';
const MOST_KEPT = 8;

export function recentOf(viewer: string): Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as {
      viewer?: string;
      recent?: unknown;
    } | null;
    return stored?.viewer === viewer && Array.isArray(stored.recent) ? stored.recent.filter(isRecent) : [];
  } catch {
    return [];
  }
}

export function remember(viewer: string, chosen: Recent): void {
  const others = recentOf(viewer).filter(({ key }) => key !== chosen.key);
  const recent = [chosen, ...others].slice(0, MOST_KEPT);
  localStorage.setItem(KEY, JSON.stringify({ viewer, recent }));
}

export function forgetRecent(): void {
  localStorage.removeItem(KEY);
}

/** Another version may have written something else. */
function isRecent(value: unknown): value is Recent {
  const { key, label, kind, detail, place } = (value ?? {}) as Partial<Record<keyof Recent, unknown>>;
  return (
    [key, label, kind, detail].every((text) => typeof text === 'string') &&
    typeof (place as { type?: unknown } | undefined)?.type === 'string'
  );
}
