// Which fields of an object the server means by what it says.

import type { Refusal } from '../../../ui/action/refusals';
import type { Path } from './document';
import { jsonOf, pathText, valueAt } from './document';
import type { Group, Shape } from './shape';

const PATH = /\b(?:spec|metadata)(?:\.[A-Za-z]+|\[[^[\]\s]+\])+/g;

/** What is said against fields, by their path as Kubernetes writes it; and what names none that the form has. */
export interface Blamed {
  at: ReadonlyMap<string, { path: Path; said: readonly string[] }>;
  rest: readonly Refusal[];
}

export function blamedOf(refusals: readonly Refusal[], shape: Group): Blamed {
  const at = new Map<string, { path: Path; said: string[] }>();
  const rest: Refusal[] = [];
  for (const refusal of refusals) {
    const parts = partsOf(refusal.message)
      .map(({ path, words }) => ({ place: placeOf(shape, path), words }))
      .filter(({ place }) => place.length > 1);
    if (parts.length === 0) rest.push(refusal);
    for (const { place, words } of parts) {
      const said = at.get(pathText(place))?.said ?? [];
      if (!said.includes(words)) at.set(pathText(place), { path: place, said: [...said, words] });
    }
  }
  return { at, rest };
}

/** A message names one field after the other, each with what is wrong with it; some name a field within what they say of it. */
function partsOf(message: string): { path: Path; words: string }[] {
  const found = [...message.matchAll(PATH)];
  const begun = found.filter(({ 0: path, index }) => message[index + path.length] === ':');
  const [first] = found;
  if (begun.length === 0) return first ? [{ path: pathOf(first[0]), words: message }] : [];
  return begun.map(({ 0: path, index }, at) => ({
    path: pathOf(path),
    words: message.slice(index, begun[at + 1]?.index).replace(/[\s,;\]]+$/, ''),
  }));
}

function pathOf(text: string): Path {
  return [...text.matchAll(/[A-Za-z]+|\[([^\]]+)\]/g)].map(([part, index]) =>
    index === undefined ? part : /^\d+$/.test(index) ? Number(index) : index.replace(/^"|"$/g, ''),
  );
}

/** The innermost place on the way that the form has: the whole of a list of words shows what is said of one. */
function placeOf(shape: Group, path: Path): Path {
  let at: Shape = shape;
  const place: (string | number)[] = [];
  for (const part of path) {
    const inner = innerOf(at, part);
    if (!inner) break;
    at = inner;
    place.push(part);
  }
  return place;
}

function innerOf(shape: Shape, part: string | number): Shape | undefined {
  if (shape.is === 'group') return shape.fields[part];
  return shape.is === 'list' && typeof part === 'number' ? shape.of : undefined;
}

/** What is still said of an object once some of it is another: nothing of what was changed. */
export function stillSaid(
  { at }: Blamed,
  then: unknown,
  now: unknown,
): ReadonlyMap<string, readonly string[]> {
  const same = [...at].filter(([, { path }]) => jsonOf(valueAt(then, path)) === jsonOf(valueAt(now, path)));
  return new Map(same.map(([key, { said }]) => [key, said]));
}
