// What is typed and is nothing yet that the object could hold, such as half of a JSON text: it is kept beside the object.

import type { Path } from './document';
import { pathText } from './document';

/** What stands in a field, by its path. */
export interface Draft {
  typed: unknown;
  /** Whether the object does not say it. */
  open: boolean;
}

export type Drafts = ReadonlyMap<string, Draft>;

export const NO_DRAFTS: Drafts = new Map();

export function withDraft(drafts: Drafts, path: Path, draft: Draft): Drafts {
  return new Map(drafts).set(pathText(path), draft);
}

/** Whether the object is not all that was typed. */
export function isOpen(drafts: Drafts): boolean {
  return [...drafts.values()].some(({ open }) => open);
}

/** Those that are left once something is taken away; those of later items of its list go with their item. */
export function withoutPath(drafts: Drafts, path: Path): Drafts {
  const gone = pathText(path);
  const last = path.at(-1);
  const list = pathText(path.slice(0, -1));
  const left = new Map<string, Draft>();
  for (const [key, draft] of drafts) {
    if (isWithin(key, gone)) continue;
    const item = typeof last === 'number' && key.startsWith(`${list}[`) ? itemOf(key, list) : null;
    if (item === null || typeof last !== 'number' || item.index < last) left.set(key, draft);
    else left.set(`${list}[${item.index - 1}]${item.rest}`, draft);
  }
  return left;
}

/** Whether a path, as text, is another one or leads on from it. */
export function isWithin(key: string, path: string): boolean {
  return key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`);
}

function itemOf(key: string, list: string): { index: number; rest: string } | null {
  const match = /^(\d+)\](.*)$/.exec(key.slice(list.length + 1));
  return match ? { index: Number(match[1]), rest: match[2] ?? '' } : null;
}
