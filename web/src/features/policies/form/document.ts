// A manifest as a form reads and edits it: its text stays the one truth, so that nothing of it is lost, comments included.

import type { Document, Node, ParsedNode } from 'yaml';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseAllDocuments,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import type { Field, Group, Shape } from './shape';
import { shapeOf } from './shape';

export type Path = readonly (string | number)[];
type Doc = Document<ParsedNode>;
type Values = Readonly<Record<string, unknown>>;

/** What a text says, or why no form can show it. */
export type Opened =
  | { ok: true; kind: string; shape: Group; value: Values; hidden: string[] }
  | { ok: false; reason: 'syntax' | 'several' | 'object' | 'kind' | 'anchors' | 'shape'; detail: string };

const OPTIONS = { intAsBigInt: true, uniqueKeys: true } as const;

export function opened(text: string): Opened {
  const documents = parseAllDocuments(text, OPTIONS);
  const [document] = documents;
  if (!Array.isArray(documents) || !document) return failed('object');
  const wrong = documents.flatMap(({ errors }) => errors)[0];
  if (wrong) return failed('syntax', wrong.message);
  if (documents.length > 1) return failed('several');
  if (!isMap(document.contents)) return failed('object');
  if (hasAnchors(document)) return failed('anchors');
  const value = document.toJS() as Values;
  const kind = typeof value.kind === 'string' ? value.kind : '';
  const shape = shapeOf(kind);
  if (!shape || value.apiVersion !== 'policy.karmada.io/v1alpha1') return failed('kind', kind);
  const odd = oddOf(shape, value, []);
  if (odd !== null) return failed('shape', pathText(odd));
  return { ok: true, kind, shape, value, hidden: hiddenOf(shape, value) };
}

function failed(reason: Extract<Opened, { ok: false }>['reason'], detail = ''): Opened {
  return { ok: false, reason, detail };
}

/** What stands at two places at once cannot be changed at one of them. */
function hasAnchors(document: Document): boolean {
  let found = false;
  visit(document, {
    Node(_, node) {
      if (isAlias(node) || ('anchor' in node && node.anchor)) found = true;
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

/** The first place where something else stands than the form could show; null for none. */
function oddOf(shape: Shape, value: unknown, path: Path): Path | null {
  if (value === undefined || value === null) return null;
  switch (shape.is) {
    case 'json':
      return null;
    case 'words':
    case 'lines':
      return Array.isArray(value) && value.every(isPlain) ? null : path;
    case 'pairs':
      return isRecord(value) && Object.values(value).every(isPlain) ? null : path;
    case 'flag':
      return typeof value === 'boolean' ? null : path;
    case 'list':
      if (!Array.isArray(value)) return path;
      return first(
        value.map((item, at) => (isRecord(item) ? oddOf(shape.of, item, [...path, at]) : [...path, at])),
      );
    case 'group':
      if (!isRecord(value)) return path;
      return first(
        Object.entries(shape.fields).map(([name, field]) => oddOf(field, value[name], [...path, name])),
      );
    default:
      return isPlain(value) ? null : path;
  }
}

function first(paths: readonly (Path | null)[]): Path | null {
  return paths.find((path) => path !== null) ?? null;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is set and has no field; of the metadata only what people write is the form's. */
function hiddenOf(shape: Group, value: Values): string[] {
  const hidden: string[] = [];
  const walk = (shape: Shape, value: unknown, path: Path) => {
    if (shape.is === 'list' && Array.isArray(value))
      value.forEach((item, at) => walk(shape.of, item, [...path, at]));
    if (shape.is !== 'group' || !isRecord(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const field = shape.fields[name];
      if (field) walk(field, inner, [...path, name]);
      else hidden.push(pathText([...path, name]));
    }
  };
  const { spec } = shape.fields;
  if (spec) walk(spec, value.spec, ['spec']);
  return hidden;
}

/** `spec.resourceSelectors[0].kind`: as Kubernetes writes it. */
export function pathText(path: Path): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join('');
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[part] : undefined,
    value,
  );
}

/** Whether anything is set there. */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.values(value).some(isSet);
  return value !== undefined && value !== null && value !== '';
}

/** Whether a field is to be seen among those of its group. */
export function isShown(field: Field, name: string, group: Values): boolean {
  if (isSet(group[name])) return true;
  return !field.old && (field.when?.(group) ?? true);
}

/** The text once something was changed in it. What is not touched stays as it was written. */
export function edited(text: string, change: (document: Doc) => void): string {
  const document = parseDocument(text, OPTIONS);
  change(document);
  return document.toString({
    lineWidth: 0,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ ]*\n\1- /m.test(text),
    flowCollectionPadding: /[{[] /.test(text) || !/[{[][^\s}\]]/.test(text),
  });
}

/** Sets one value; undefined takes it away, and what holds nothing more with it. */
export function set(document: Doc, path: Path, value: unknown): void {
  if (value === undefined) return remove(document, path);
  open(document, path);
  document.setIn(path, nodeOf(document, value));
  complete(document, path);
}

/** Karmada asks for it, empty as it may be. */
function complete(document: Doc, path: Path): void {
  const [spec, failover, application] = path;
  if (spec !== 'spec' || failover !== 'failover' || application !== 'application') return;
  const conditions = ['spec', 'failover', 'application', 'decisionConditions'];
  if (!isCollection(document.getIn(conditions, true))) document.setIn(conditions, document.createNode({}));
}

/** A null on the way, such as `placement:`, is taken for nothing. */
function open(document: Doc, path: Path): void {
  for (let length = 1; length < path.length; length++) {
    const node = document.getIn(path.slice(0, length), true);
    if (node === undefined) return;
    if (isNode(node) && isScalar(node) && node.value === null) document.deleteIn(path.slice(0, length));
  }
}

export function remove(document: Doc, path: Path): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const parent = path.slice(0, -1);
  const node = document.getIn(parent, true);
  if (parent.length > 1 && isCollection(node) && node.items.length === 0 && !staysEmpty(parent))
    remove(document, parent);
}

/** What has to be there although it holds nothing: an item of a list, and what Karmada asks for. */
function staysEmpty(path: Path): boolean {
  const last = path.at(-1);
  if (typeof last === 'number') return true;
  if (last === 'overriders') return true;
  // Without it a failover by application would be refused; with it alone it says nothing.
  return last === 'targetCluster' && path.at(-3) === 'staticWeightList';
}

/** Adds an item to a list, which is made if there is none. */
export function append(document: Doc, path: Path, item: unknown): void {
  open(document, [...path, 0]);
  const list = document.getIn(path, true);
  if (isSeq(list)) list.add(nodeOf(document, item));
  else document.setIn(path, nodeOf(document, [item]));
}

/** Makes a list of plain values another one; items that stay keep what is written beside them. */
export function setWords(document: Doc, path: Path, words: readonly string[]): void {
  if (words.length === 0) return remove(document, path);
  const list = document.getIn(path, true);
  if (!isSeq(list)) return set(document, path, words);
  const now = list.items.map((item) => String(isScalar(item) ? item.value : item));
  const kept = now.filter((word) => words.includes(word));
  if (kept.some((word, at) => words[at] !== word) || new Set(now).size < now.length) {
    list.items = words.map((word) => nodeOf(document, word));
    return;
  }
  for (let at = now.length - 1; at >= 0; at--) if (!words.includes(now[at] ?? '')) list.delete(at);
  for (const word of words.slice(kept.length)) list.add(nodeOf(document, word));
}

export interface Pair {
  key: string;
  value: string;
}

/** Makes labels and the like what the rows say; those that stay keep their place. */
export function setPairs(document: Doc, path: Path, pairs: readonly Pair[]): void {
  if (pairs.length === 0) return remove(document, path);
  open(document, [...path, '']);
  let map = document.getIn(path, true);
  if (!isMap(map)) {
    document.setIn(path, document.createNode({}));
    map = document.getIn(path, true);
  }
  if (!isMap(map)) return;
  const wanted = new Map(pairs.map(({ key, value }) => [key, value]));
  for (const { key } of [...map.items]) {
    const name = String(isScalar(key) ? key.value : key);
    if (!wanted.has(name)) map.items = map.items.filter((item) => item.key !== key);
    else if (String(map.get(key)) === wanted.get(name)) wanted.delete(name);
  }
  for (const [key, value] of wanted) {
    const there = map.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === key);
    if (there) there.value = nodeOf(document, value);
    else map.add(document.createPair(nodeOf(document, key), nodeOf(document, value)));
  }
}

/** Sets a value that is typed as JSON. */
export function setJson(document: Doc, path: Path, json: string): void {
  const node = parseDocument(json, OPTIONS).contents;
  open(document, path);
  document.setIn(path, node);
}

/** Words that YAML 1.1, by which Kubernetes reads, takes for something else than a text. */
const NO_TEXT = /^(y|n|yes|no|on|off|true|false|null|~|nan|inf)$/i;

function nodeOf(document: Doc, value: unknown): Node {
  if (typeof value === 'string') {
    const scalar = new Scalar(value);
    scalar.type =
      /^[A-Za-z][A-Za-z0-9._/-]*$/.test(value) && !NO_TEXT.test(value) ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
    return scalar;
  }
  const node = document.createNode(value);
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string') return;
      scalar.type = (nodeOf(document, scalar.value) as Scalar).type;
    },
  });
  return node;
}

/** A number as it is typed: nothing but a whole number is sent as one, so that the server says what is wrong with the rest. */
export function numberOf(typed: string): bigint | string | undefined {
  if (typed === '') return undefined;
  return /^(0|-?[1-9]\d*)$/.test(typed) ? BigInt(typed) : typed;
}

/** A value as JSON text, whole numbers of any length included. */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(', ')}]`;
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${jsonOf(inner)}`)
      .join(', ')}}`;
  return JSON.stringify(value ?? null);
}

/** Whether a text is JSON that says a value; both as they would be sent. */
export function saysJson(json: string, value: unknown): boolean {
  if (!isJson(json)) return false;
  return jsonOf(parseDocument(json, OPTIONS).toJS()) === jsonOf(value);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    // A key that is there twice is none to YAML.
    return parseDocument(text, OPTIONS).errors.length === 0;
  } catch {
    return false;
  }
}
