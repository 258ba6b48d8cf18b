// What a stream of changes says of the world, told to the page at a pace it can draw.

import type { ChangeType } from '../generated/graphql';

export interface Change<T> {
  type: ChangeType;
  id?: string | null;
  node?: T | null;
}

/** What the stream knows: it outranks what was read from the store, which trails behind. */
export interface FeedView<T, C extends Change<T> = Change<T>> {
  /** Whether every object that exists has been told. */
  synced: boolean;
  /** The SYNCED that came last: what it says of the stream. Absent before the first. */
  end?: C;
  /** The last state of each object that exists. */
  live: ReadonlyMap<string, T>;
  /** Objects that existed and do not any more, or left the filter. */
  gone: ReadonlySet<string>;
}

export const EMPTY_VIEW: FeedView<never, never> = {
  synced: false,
  live: new Map<string, never>(),
  gone: new Set(),
};

/** Changes are gathered for this long before the page is told: four paints a second are enough. */
export const QUIET_MS = 250;

export class ChangeFeed<T, C extends Change<T> = Change<T>> {
  private live = new Map<string, T>();
  private gone = new Set<string>();
  private unconfirmed = new Set<string>();
  private synced = false;
  private end: C | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly publish: (view: FeedView<T, C>) => void,
    private readonly quietMs = QUIET_MS,
  ) {}

  receive(change: C): void {
    switch (change.type) {
      case 'RESYNC':
        this.restart();
        return;
      case 'SYNCED':
        if (this.synced) this.restart();
        for (const id of this.unconfirmed) this.remove(id);
        this.unconfirmed.clear();
        this.synced = true;
        this.end = change;
        break;
      case 'SNAPSHOT':
        // A SNAPSHOT after SYNCED: the stream began again without saying so.
        if (this.synced) this.restart();
        this.keep(change);
        break;
      case 'ADDED':
      case 'MODIFIED':
        this.keep(change);
        break;
      case 'DELETED':
        if (change.id) this.remove(change.id);
        break;
    }
    this.schedule();
  }

  /** SNAPSHOTs follow; what they do not name is gone once SYNCED comes. Until then nothing vanishes. */
  restart(): void {
    this.synced = false;
    this.unconfirmed = new Set(this.live.keys());
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private keep({ id, node }: C): void {
    if (!id || !node) return;
    this.unconfirmed.delete(id);
    this.gone.delete(id);
    this.live.set(id, node);
  }

  private remove(id: string): void {
    this.unconfirmed.delete(id);
    this.live.delete(id);
    this.gone.add(id);
  }

  private schedule(): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.publish({
        synced: this.synced,
        end: this.end,
        live: new Map(this.live),
        gone: new Set(this.gone),
      });
    }, this.quietMs);
  }
}
