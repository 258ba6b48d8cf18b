// How fields of a manifest read in a form, and how what a form says is laid over the manifest: what no field is for
// stays as it is. Numbers are texts in a form, so that what was typed stands there until it is one.

import type { Json } from '../detail/yaml/patch';

export type Value = string | boolean | undefined | Value[] | Values;
export interface Values {
  [field: string]: Value;
}

export type Codec =
  | { is: 'text' | 'whole' | 'flag' | 'numberOrText' | 'texts' | 'wholes' | 'references' }
  | { is: 'word'; words: readonly string[] }
  | { is: 'pairs'; unseen?: (key: string) => boolean }
  /** One that says something even when it is empty is bare. */
  | { is: 'object'; fields: readonly Field[]; bare?: boolean }
  | { is: 'list'; fields: readonly Field[]; by: readonly string[] };

export interface Field {
  name: string;
  /** Where it stands, from the object that has it. */
  at: readonly string[];
  is: Codec;
}

export type JsonObject = Record<string, Json>;

export function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** As the graph spells a word of Kubernetes: `OnFailure` is ON_FAILURE. */
export function wordOf(word: string): string {
  return word.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

export function readFields(fields: readonly Field[], from: JsonObject): Values {
  const values: Values = {};
  for (const { name, at, is } of fields) {
    const value = read(is, find(from, at));
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function find(from: Json | undefined, at: readonly string[]): Json | undefined {
  return at.reduce<Json | undefined>((json, key) => (isObject(json) ? json[key] : undefined), from);
}

function plain(json: Json | undefined): string | undefined {
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean'
    ? String(json)
    : undefined;
}

function read(codec: Codec, json: Json | undefined): Value {
  switch (codec.is) {
    case 'text':
    case 'whole':
    case 'numberOrText':
      return plain(json);
    case 'flag':
      return typeof json === 'boolean' ? json : undefined;
    case 'word': {
      const word = plain(json);
      return word !== undefined && codec.words.includes(word) ? wordOf(word) : word;
    }
    case 'texts':
    case 'wholes':
      return Array.isArray(json) ? json.map((item) => plain(item) ?? '') : undefined;
    case 'references':
      return Array.isArray(json)
        ? json.map((item) => (isObject(item) ? (plain(item.name) ?? '') : ''))
        : undefined;
    case 'pairs':
      if (!isObject(json)) return undefined;
      return Object.entries(json)
        .filter(([key]) => !codec.unseen?.(key))
        .map(([key, value]) => ({ key, value: plain(value) ?? '' }));
    case 'object':
      return isObject(json) ? readFields(codec.fields, json) : undefined;
    case 'list':
      return Array.isArray(json)
        ? json.map((item) => readFields(codec.fields, isObject(item) ? item : {}))
        : undefined;
  }
}

/** Lays values over an object; fields that say what it says already leave it as it is. */
export function layFields(fields: readonly Field[], over: JsonObject, values: Values): JsonObject {
  return fields.reduce(
    (object, { name, at, is }) => put(object, at, lay(is, find(object, at), values[name])),
    over,
  );
}

function put(object: JsonObject, at: readonly string[], json: Json | undefined): JsonObject {
  const [key, ...rest] = at;
  if (key === undefined) return object;
  const { [key]: before, ...others } = object;
  if (rest.length === 0) {
    if (json === undefined) return before === undefined ? object : others;
    return { ...object, [key]: json };
  }
  if (!isObject(before)) return json === undefined ? object : { ...object, [key]: put({}, rest, json) };
  const inner = put(before, rest, json);
  return Object.keys(inner).length === 0 && Object.keys(before).length > 0
    ? others
    : { ...object, [key]: inner };
}

/** Whether two values say the same: a field that is left out, and one that is empty, do. */
export function same(a: Value, b: Value): boolean {
  return JSON.stringify(tidy(a)) === JSON.stringify(tidy(b));
}

function tidy(value: Value): Value {
  if (value === '' || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => tidy(item) ?? '');
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, tidy(inner)] as const)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

const WHOLE = /^-?(0|[1-9][0-9]{0,14})$/;

function number(text: string): Json {
  return WHOLE.test(text) ? Number(text) : text;
}

function lay(codec: Codec, before: Json | undefined, value: Value): Json | undefined {
  if (before !== undefined && same(read(codec, before), value)) return before;
  if (value === undefined || value === '') return codec.is === 'pairs' ? unseenOf(codec, before) : undefined;
  switch (codec.is) {
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'whole':
    case 'numberOrText':
      return typeof value === 'string' ? number(value) : undefined;
    case 'word':
      return codec.words.find((word) => wordOf(word) === value) ?? plainText(value);
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'object': {
      if (!isValues(value)) return undefined;
      const object = layFields(codec.fields, isObject(before) ? before : {}, value);
      return Object.keys(object).length > 0 || codec.bare ? object : undefined;
    }
    case 'pairs': {
      const pairs = rowsOf(value).filter(({ key }) => key !== undefined && key !== '');
      const kept = unseenOf(codec, before) ?? {};
      const object = {
        ...(kept as JsonObject),
        ...Object.fromEntries(pairs.map((pair) => [plainText(pair.key), plainText(pair.value)])),
      };
      return Object.keys(object).length > 0 ? object : undefined;
    }
    default:
      return layList(codec, before, value);
  }
}

function layList(codec: Codec, before: Json | undefined, value: Value): Json | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = Array.isArray(before) ? before : [];
  if (codec.is === 'texts') return value.map(plainText);
  if (codec.is === 'wholes') return value.map((item) => number(plainText(item)));
  if (codec.is === 'references') {
    return value.map((item) => ({ ...matching(items, ['name'], { name: item }), name: plainText(item) }));
  }
  if (codec.is !== 'list') return undefined;
  return rowsOf(value).map((row, index) => {
    const found =
      codec.by.length > 0 ? matchingItem(codec, items, row) : isObject(items[index]) ? items[index] : {};
    return layFields(codec.fields, found, row);
  });
}

/** The item that a row was made of, known again by what names it. */
function matchingItem(
  codec: Extract<Codec, { is: 'list' }>,
  items: readonly Json[],
  row: Values,
): JsonObject {
  return (
    items
      .filter(isObject)
      .find((item) => codec.by.every((name) => same(readFields(codec.fields, item)[name], row[name]))) ?? {}
  );
}

function matching(items: readonly Json[], by: readonly string[], row: Values): JsonObject {
  return items.filter(isObject).find((item) => by.every((name) => plain(item[name]) === row[name])) ?? {};
}

function unseenOf(codec: Extract<Codec, { is: 'pairs' }>, before: Json | undefined): Json | undefined {
  if (!isObject(before) || !codec.unseen) return undefined;
  const kept = Object.entries(before).filter(([key]) => codec.unseen?.(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

export function isValues(value: Value): value is Values {
  return typeof value === 'object' && !Array.isArray(value);
}

export function rowsOf(value: Value): Values[] {
  return Array.isArray(value) ? value.map((item) => (isValues(item) ? item : {})) : [];
}

function plainText(value: Value): string {
  return typeof value === 'string' ? value : '';
}

/** What is sent: null takes a field away, and is there only where it was before. */
export type Sent = string | number | boolean | null | Sent[] | { [field: string]: Sent };

/**
 * Values as an input of the graph. What cannot be sent as it stands is told by its path, and nothing is sent in its
 * stead.
 */
export function inputOf(fields: readonly Field[], values: Values) {
  const wrong: string[][] = [];
  const object = (fields: readonly Field[], values: Values, path: readonly string[]) => {
    const out: Record<string, Sent> = {};
    for (const { name, is } of fields) {
      const sent = send(is, values[name], [...path, name]);
      if (sent !== undefined) out[name] = sent;
    }
    return out;
  };
  const whole = (value: Value, path: readonly string[]): Sent | undefined => {
    if (typeof value === 'string' && WHOLE.test(value)) return Number(value);
    wrong.push([...path]);
    return undefined;
  };
  const send = (codec: Codec, value: Value, path: readonly string[]): Sent | undefined => {
    if (value === undefined || value === '') return undefined;
    if (Array.isArray(value) && value.length === 0) return undefined;
    switch (codec.is) {
      case 'whole':
        return whole(value, path);
      case 'word':
        if (codec.words.some((word) => wordOf(word) === value)) return value as string;
        wrong.push([...path]);
        return undefined;
      case 'object': {
        if (!isValues(value)) return undefined;
        const sent = object(codec.fields, value, path);
        return Object.keys(sent).length > 0 || codec.bare ? sent : undefined;
      }
      case 'list':
        return rowsOf(value).map((row, index) => object(codec.fields, row, [...path, String(index)]));
      case 'pairs':
        return rowsOf(value).map(({ key, value }) => ({ key: plainText(key), value: plainText(value) }));
      case 'wholes':
        return Array.isArray(value)
          ? value.map((item, index) => whole(item, [...path, String(index)]) ?? 0)
          : undefined;
      case 'texts':
      case 'references':
        return Array.isArray(value) ? value.map(plainText) : undefined;
      default:
        return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
    }
  };
  return { input: object(fields, values, []), wrong };
}

/** The input that leads from one form to another: what is not there any more is null. */
export function changeOf(
  fields: readonly Field[],
  before: Record<string, Sent>,
  after: Record<string, Sent>,
): Record<string, Sent> {
  const out: Record<string, Sent> = { ...after };
  for (const { name, is } of fields) {
    const was = before[name];
    const becomes = after[name];
    if (was === undefined || was === null) continue;
    if (becomes === undefined) out[name] = null;
    else if (is.is === 'object') out[name] = changeOf(is.fields, record(was), record(becomes));
    else if (is.is === 'list' && Array.isArray(was) && Array.isArray(becomes)) {
      out[name] = becomes.map((item, index) => {
        const row = record(item);
        const found =
          is.by.length > 0
            ? was.map(record).find((other) => is.by.every((key) => other[key] === row[key]))
            : record(was[index]);
        return found ? changeOf(is.fields, found, row) : row;
      });
    }
  }
  return out;
}

function record(sent: Sent | undefined): Record<string, Sent> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
}
