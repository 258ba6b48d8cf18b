// The manifest of a workload as the form and the editor share it: a text, of which both show the same.

import { parseDocument, stringify } from 'yaml';
import { KINDS, resourceOf } from '../../../app/kinds';
import type { WorkloadKind } from '../../../graph/generated/graphql';
import type { Json } from '../detail/yaml/patch';
import { patchOf } from '../detail/yaml/patch';
import type { JsonObject, Values } from './codec';
import { isObject, layFields, readFields } from './codec';
import { fieldsOf, isShown, isShownOfContainer, podPath } from './fields';

/** What a manifest says, or what is wrong with it. */
export type Parsed =
  | { ok: true; object: JsonObject; kind: WorkloadKind }
  | { ok: false; reason: 'syntax' | 'kind' | 'number'; detail: string };

export function parse(text: string): Parsed {
  const document = parseDocument(text, { uniqueKeys: true });
  const [wrong] = document.errors;
  if (wrong) return { ok: false, reason: 'syntax', detail: wrong.message };
  let object: unknown;
  try {
    object = document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    return { ok: false, reason: 'syntax', detail: String(thrown) };
  }
  if (!isObject(object)) return { ok: false, reason: 'syntax', detail: 'not an object' };
  const inexact = inexactOf(object);
  if (inexact) return { ok: false, reason: 'number', detail: inexact };
  const kind = KINDS.find(
    (known) => known.kind === object.kind && apiVersionOf(known.value) === object.apiVersion,
  );
  if (kind) return { ok: true, object, kind: kind.value };
  return { ok: false, reason: 'kind', detail: `${word(object.apiVersion)} ${word(object.kind)}`.trim() };
}

function word(json: unknown): string {
  return typeof json === 'string' ? json : '';
}

/** Whole numbers beyond these are not what was typed: nothing is rounded on its way. */
function inexactOf(json: Json, path = ''): string | null {
  if (typeof json === 'number') {
    return !Number.isFinite(json) || (Number.isInteger(json) && !Number.isSafeInteger(json)) ? path : null;
  }
  if (typeof json !== 'object' || json === null) return null;
  for (const [key, value] of Object.entries(json)) {
    const found = inexactOf(value, path ? `${path}.${key}` : key);
    if (found !== null) return found;
  }
  return null;
}

export function apiVersionOf(kind: WorkloadKind): string {
  return `${resourceOf(kind).group}/v1`;
}

export function nameOfKind(kind: WorkloadKind): string {
  return KINDS.find(({ value }) => value === kind)?.kind ?? '';
}

export interface Named {
  name: string;
  namespace: string;
}

/** A manifest to begin with: what has to be filled in is empty. */
export function skeletonOf(kind: WorkloadKind, { name, namespace }: Named): JsonObject {
  const pod: JsonObject = { spec: { containers: [{ name: 'app', image: '' }] } };
  const head: JsonObject = {
    apiVersion: apiVersionOf(kind),
    kind: nameOfKind(kind),
    metadata: { name, namespace },
  };
  const never: JsonObject = { spec: { ...(pod.spec as JsonObject), restartPolicy: 'Never' } };
  switch (kind) {
    case 'DEPLOYMENT':
    case 'STATEFUL_SET':
      return { ...head, spec: { replicas: 1, template: pod } };
    case 'DAEMON_SET':
      return { ...head, spec: { template: pod } };
    case 'JOB':
      return { ...head, spec: { template: never } };
    case 'CRON_JOB':
      return { ...head, spec: { schedule: '', jobTemplate: { spec: { template: never } } } };
  }
}

export function textOf(object: JsonObject): string {
  return stringify(object, { lineWidth: 0 });
}

export function valuesOf(kind: WorkloadKind, object: JsonObject): Values {
  return readFields(fieldsOf(kind), object);
}

export function namedIn(object: JsonObject): Named {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  return { name: word(metadata.name), namespace: word(metadata.namespace) };
}

/** A manifest that says what a form says; what no field is for stays as it is. */
export function laid(kind: WorkloadKind, object: JsonObject, values: Values, named: Named): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const said = { ...object, metadata: { ...metadata, ...named } };
  return layFields(fieldsOf(kind), said, values);
}

/** The text after a change of the object: only what changed is written anew, so that comments stay. */
export function rewritten(text: string, from: JsonObject, to: JsonObject): string {
  const operations = patchOf(from, to);
  if (operations.length === 0) return text;
  const document = parseDocument(text);
  try {
    for (const operation of operations) {
      const path = operation.path.slice(1).split('/').map(unescaped);
      const at = stepsOf(from, path);
      if (operation.op === 'remove') document.deleteIn(at);
      else if (path.at(-1) === '-') document.addIn(at.slice(0, -1), document.createNode(operation.value));
      else document.setIn(at, document.createNode(operation.value));
    }
    const written = document.toString({ lineWidth: 0 });
    // Aliases say the same thing in two places: what is written there is changed in both.
    if (patchOf(parseDocument(written).toJS() as Json, to).length === 0) return written;
  } catch {
    // What cannot be changed in its place is written as a whole.
  }
  return textOf(to);
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Places in lists are numbers. */
function stepsOf(from: Json, path: readonly string[]): (string | number)[] {
  let at: Json | undefined = from;
  return path.map((step) => {
    const isPlace = Array.isArray(at) && step !== '-';
    at = Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined;
    return isPlace ? Number(step) : step;
  });
}

/** The same workload as one of another kind, as far as that has the fields. */
export function turnedInto(kind: WorkloadKind, values: Values, named: Named): JsonObject {
  return laid(
    kind,
    skeletonOf(kind, named),
    { ...readFields(fieldsOf(kind), skeletonOf(kind, named)), ...defined(values) },
    named,
  );
}

function defined(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && name !== 'restartPolicy'),
  );
}

/** What API servers note down, and what names the object. */
const SERVERS =
  /^\/(apiVersion|kind|status|metadata\/(name|namespace|uid|resourceVersion|generation|creationTimestamp|managedFields|selfLink))(\/|$)/;

/** Paths of a manifest that no field of the graph's form is for. */
export function beyondOf(kind: WorkloadKind, object: JsonObject): string[] {
  const fields = fieldsOf(kind);
  const covered = layFields(fields, { metadata: { ...namedIn(object) } }, readFields(fields, object));
  return unlike(covered, object).filter((path) => !SERVERS.test(path) && !OWN_NOTES.test(path));
}

/** Labels and annotations of Karmada and kubectl themselves. */
const OWN_NOTES = /^\/metadata\/(labels|annotations)(\/|$)/;

/** Where the second says something else than the first; an empty object says nothing. */
function unlike(covered: Json, object: Json): string[] {
  return patchOf(covered, object)
    .filter((operation) => operation.op === 'remove' || !isNothing(operation.value))
    .map(({ path }) => path);
}

function isNothing(json: Json): boolean {
  if (json === null || json === '') return true;
  return typeof json === 'object' && Object.values(json).every(isNothing);
}

/** What a manifest says that the form has no input for, by name: it stays as it is. */
export function unshownOf(kind: WorkloadKind, object: JsonObject): string[] {
  const values = valuesOf(kind, object);
  const fields = Object.keys(values)
    .filter((name) => !isShown(name))
    .flatMap((name) => (name === 'affinity' ? ofPods(values.affinity) : [name]));
  const inContainers = ['containers', 'initContainers'].flatMap((list) => {
    const rows = values[list];
    return Array.isArray(rows)
      ? rows.flatMap((row, index) =>
          Object.keys(row as Values)
            .filter((name) => !isShownOfContainer(name))
            .map((name) => `${list}[${index}].${name}`),
        )
      : [];
  });
  const beyond = beyondOf(kind, object).map((path) => path.slice(1).split('/').map(unescaped).join('.'));
  return [...fields, ...inContainers, ...beyond];
}

/** Affinity to nodes has inputs; that to pods has none. */
function ofPods(affinity: Values[string]): string[] {
  return Object.keys(affinity as Values)
    .filter((name) => name !== 'nodeAffinity')
    .map((name) => `affinity.${name}`);
}

/** As it is applied: its pods are selected by their labels, and get one with its name where they have none. */
export function selecting(kind: WorkloadKind, object: JsonObject): JsonObject {
  if (kind === 'JOB' || kind === 'CRON_JOB') return object;
  const { name } = namedIn(object);
  const values = valuesOf(kind, object);
  const selector = values.selector as Values | undefined;
  const labels =
    rows(values.podLabels) ??
    (selector ? rows(selector.matchLabels) : [{ key: 'app.kubernetes.io/name', value: name }]);
  if (!labels) return object;
  return layFields(
    fieldsOf(kind).filter(({ name }) => name === 'podLabels' || name === 'selector'),
    object,
    { podLabels: labels, selector: selector ?? { matchLabels: labels } },
  );
}

function rows(value: Values[string]): Values[] | undefined {
  return Array.isArray(value) && value.length > 0 ? (value as Values[]) : undefined;
}

/** The containers of the pods, init containers last. */
export function containersOf(
  kind: WorkloadKind,
  object: JsonObject,
): { list: string; index: number; json: JsonObject }[] {
  const spec = [...podPath(kind), 'spec'].reduce<Json | undefined>(
    (json, key) => (isObject(json) ? json[key] : undefined),
    object,
  );
  if (!isObject(spec)) return [];
  return ['containers', 'initContainers'].flatMap((list) => {
    const items = spec[list];
    return Array.isArray(items)
      ? items.flatMap((json, index) => (isObject(json) ? [{ list, index, json }] : []))
      : [];
  });
}
