// What is kept of logs that are followed: the newest lines, and what was left out between them.

import type { PodLogsSubscription } from '../../../../graph/generated/graphql';
import { keyOf } from '../pod';

type Chunk = PodLogsSubscription['podLogs'];
export type LogLine = Chunk['lines'][number];

/** A line, or what is to be said between lines. */
export type LogEntry = { key: number } & (
  | { kind: 'line'; line: LogLine }
  /** Lines that came faster than they were taken. */
  | { kind: 'dropped'; count: number }
  /** Nothing more comes of a pod, and why when it has not simply ended. */
  | { kind: 'ended'; pod: string; message: string }
  /** The connection was lost here: lines may be missing. */
  | { kind: 'resumed' }
);

type NewEntry = LogEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, 'key'> : never) : never;

/** A browser keeps at most this many lines. */
export const MOST_LINES = 5_000;
/** And at most this many characters of them. */
const MOST_CHARACTERS = 8 << 20;

export class LogBuffer {
  private entries: LogEntry[] = [];
  private next = 0;
  private characters = 0;
  /** Lines that were let go to make room. */
  trimmed = 0;
  /** When the last line of each pod was written. */
  private readonly last = new Map<string, string>();
  /** Up to when the lines of each pod were here before the connection was lost. */
  private had = new Map<string, string>();

  constructor(
    private readonly mostLines = MOST_LINES,
    private readonly mostCharacters = MOST_CHARACTERS,
  ) {}

  add({ lines, dropped, ended }: Chunk): void {
    if (dropped > 0) this.put({ kind: 'dropped', count: dropped });
    for (const line of lines) this.addLine(line);
    for (const end of ended) this.put({ kind: 'ended', pod: keyOf(end), message: end.error?.message ?? '' });
    this.trim();
  }

  /** The stream begins again: what it tells a second time is left out. */
  resume(): void {
    this.had = new Map(this.last);
    if (this.entries.length > 0) this.put({ kind: 'resumed' });
  }

  /** What is kept, the oldest first; another array each time. */
  view(): LogEntry[] {
    return [...this.entries];
  }

  private addLine(line: LogLine): void {
    const pod = keyOf(line);
    const at = instantOf(line.at);
    const had = this.had.get(pod);
    if (had !== undefined && at <= had) return;
    this.last.set(pod, at);
    this.put({ kind: 'line', line });
  }

  private put(entry: NewEntry): void {
    this.entries.push({ ...entry, key: this.next++ });
    this.characters += sizeOf(entry);
  }

  private trim(): void {
    let from = 0;
    while (this.entries.length - from > this.mostLines || this.characters > this.mostCharacters) {
      const entry = this.entries[from];
      if (!entry) break;
      this.characters -= sizeOf(entry);
      if (entry.kind === 'line') this.trimmed += 1;
      from += 1;
    }
    if (from > 0) this.entries = this.entries.slice(from);
  }
}

function sizeOf(entry: NewEntry): number {
  return entry.kind === 'line' ? entry.line.text.length : 0;
}

/** A moment so that later ones are greater texts: the server leaves zeros out at the end of a second's fraction. */
export function instantOf(at: string): string {
  const [, seconds = at, fraction = ''] = /^(.*?:\d\d)(?:\.(\d+))?Z$/.exec(at) ?? [];
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

/** The lines that contain a text, in whatever case, with what is said between lines; all of them without one. */
export function containing(entries: readonly LogEntry[], text: string): readonly LogEntry[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return entries;
  return entries.filter((entry) => entry.kind !== 'line' || entry.line.text.toLowerCase().includes(wanted));
}

/** A log as a file has it. */
export function textOf(entries: readonly LogEntry[]): string {
  return entries
    .flatMap((entry) =>
      entry.kind === 'line' ? [`${entry.line.at} ${keyOf(entry.line)} ${entry.line.text}\n`] : [],
    )
    .join('');
}
