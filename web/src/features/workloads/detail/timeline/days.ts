import type { TimelineRowFragment } from '../../../../graph/generated/graphql';

export interface Day {
  /** In the reader's own time zone. */
  date: string;
  entries: TimelineRowFragment[];
}

/** Entries of one day stand together; the order stays. */
export function daysOf(entries: readonly TimelineRowFragment[], language: string): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const date = new Date(entry.at).toLocaleDateString(language, { dateStyle: 'full' });
    const last = days.at(-1);
    if (last?.date === date) last.entries.push(entry);
    else days.push({ date, entries: [entry] });
  }
  return days;
}
