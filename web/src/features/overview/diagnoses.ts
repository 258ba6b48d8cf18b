// Why workloads are not as they should be: asked for once for each, and again when something of it changed.

import type { AttentionRowFragment } from '../../graph/generated/graphql';
import type { Findings } from './causes';
import { MOST_DIAGNOSED } from './causes';

/** What reads the findings of workloads, by id; those that could not be read are left out. */
export type Read = (ids: string[]) => Promise<ReadonlyMap<string, Findings>>;

export interface DiagnosesView {
  findings: ReadonlyMap<string, Findings>;
  /** Something is being read. */
  busy: boolean;
  /** When the last of it was read, in milliseconds since 1970; undefined before. */
  at?: number;
}

const NOTHING: DiagnosesView = { findings: new Map(), busy: false };

/**
 * Keeps what was found. One request at a time, for everything that changed since the one before: a storm of
 * changes makes no storm of requests.
 */
export class Diagnoses {
  private wanted = new Map<string, string>();
  private readonly known = new Map<string, { mark: string; findings: Findings }>();
  private readonly listeners = new Set<() => void>();
  private busy = false;
  private current = NOTHING;

  constructor(
    private readonly read: Read,
    private readonly now: () => number = Date.now,
  ) {}

  get view(): DiagnosesView {
    return this.current;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** These are to be explained, and no others. */
  want(rows: readonly AttentionRowFragment[]): void {
    this.wanted = new Map(rows.map((row) => [row.id, markOf(row)]));
    for (const id of [...this.known.keys()]) if (!this.wanted.has(id)) this.known.delete(id);
    void this.readMissing();
  }

  /** Everything is read again: what happens in a member changes a cause without a change of the workload. */
  again(): void {
    for (const known of this.known.values()) known.mark = '';
    void this.readMissing();
  }

  private async readMissing(): Promise<void> {
    if (this.busy) return;
    const missing = [...this.wanted].filter(([id, mark]) => this.known.get(id)?.mark !== mark);
    const asked = missing.slice(0, MOST_DIAGNOSED);
    if (asked.length === 0) {
      this.publish(this.current.at);
      return;
    }
    this.busy = true;
    this.publish(this.current.at);
    const found = await this.read(asked.map(([id]) => id)).catch(() => new Map<string, Findings>());
    this.busy = false;
    for (const [id, mark] of asked) {
      // What could not be read keeps what was known of it, until it changes or is asked for again.
      const findings = found.get(id) ?? this.known.get(id)?.findings ?? null;
      this.known.set(id, { mark, findings });
    }
    this.publish(this.now());
    await this.readMissing();
  }

  private publish(at: number | undefined): void {
    const findings = new Map([...this.known].map(([id, known]) => [id, known.findings]));
    this.current = { findings, busy: this.busy, at };
    for (const listener of [...this.listeners]) listener();
  }
}

/** What a workload's findings depend on, as far as the workload itself tells. */
function markOf({ uid, generation, state, stateReason, propagation }: AttentionRowFragment): string {
  const facts = propagation ? [propagation.scheduled, propagation.applied, propagation.healthy] : [];
  return JSON.stringify([
    uid,
    generation,
    state,
    stateReason,
    facts.map(({ value, reason }) => [value, reason]),
  ]);
}
