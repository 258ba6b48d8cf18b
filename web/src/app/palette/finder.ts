// Asks for what is typed: one request at a time, for the last of what was typed meanwhile.

import type { SearchQuery } from '../../graph/generated/graphql';
import type { Problem } from '../../graph/problems';
import { isPartOfName } from '../../ui/typed';

export interface Answer {
  data: SearchQuery | null;
  problems: Problem[];
}

export interface FinderView {
  /** What the answer is to; empty before the first. */
  text: string;
  answer: Answer | null;
  /** Something newer was asked for. */
  busy: boolean;
}

const NOTHING: FinderView = { text: '', answer: null, busy: false };

export class Finder {
  private wanted = '';
  private asking = false;
  private current = NOTHING;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly ask: (text: string) => Promise<Answer>) {}

  get view(): FinderView {
    return this.current;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** An empty text finds nothing, and nobody is asked. */
  find(text: string): void {
    this.wanted = text;
    if (text === '') this.publish(NOTHING);
    else if (text !== this.current.text) void this.next();
  }

  private async next(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.publish({ ...this.current, busy: true });
    while (this.wanted !== '' && this.wanted !== this.current.text) {
      const text = this.wanted;
      const answer = await this.ask(text);
      // What was cleared meanwhile has no answer.
      if (this.wanted !== '') this.publish({ text, answer, busy: this.wanted !== text });
    }
    this.asking = false;
  }

  private publish(view: FinderView): void {
    this.current = view;
    for (const listener of [...this.listeners]) listener();
  }
}

/**
 * What is searched for of what is typed: names in Kubernetes are lower case, and `shop/cart` is looked for by its
 * name. Null for what no name contains.
 */
export function searchedOf(typed: string): string | null {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/^[^/]*\//, '');
  return isPartOfName(text) && /^[-a-z0-9.]*$/.test(text) ? text : null;
}
