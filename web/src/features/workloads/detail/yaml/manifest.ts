import { parseDocument } from 'yaml';
import type { Json, Operation } from './patch';
import { identityOf, patchOf, serversOwn } from './patch';

/** What an edited manifest says, or what is wrong with it. */
export type Edited =
  | { ok: true; operations: Operation[]; resourceVersion: string }
  | { ok: false; reason: 'syntax' | 'identity' | 'server' | 'number'; detail: string };

/** Compares an edited manifest with the one that it was made of. Both are YAML, or JSON. */
export function editedOf(base: string, text: string): Edited {
  const before = read(base);
  const after = read(text);
  if ('error' in before) return { ok: false, reason: 'syntax', detail: before.error };
  if ('error' in after) return { ok: false, reason: 'syntax', detail: after.error };
  const operations = patchOf(before.value, after.value);
  const [other] = identityOf(operations);
  if (other !== undefined) return { ok: false, reason: 'identity', detail: other };
  const [server] = serversOwn(operations);
  if (server !== undefined) return { ok: false, reason: 'server', detail: server };
  const inexact = operations.find((operation) => 'value' in operation && hasInexact(operation.value));
  if (inexact) return { ok: false, reason: 'number', detail: inexact.path };
  return { ok: true, operations, resourceVersion: versionOf(before.value) };
}

function read(text: string): { value: Json } | { error: string } {
  const document = parseDocument(text, { uniqueKeys: true });
  const [wrong] = document.errors;
  if (wrong) return { error: wrong.message };
  const value = document.toJS({ maxAliasCount: 0 }) as Json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { error: 'not an object' };
  return { value };
}

/** Whole numbers beyond these are not what was typed: nothing is rounded on its way. */
function hasInexact(value: Json): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasInexact);
}

function versionOf(value: Json): string {
  const { metadata } = value as { metadata?: { resourceVersion?: unknown } };
  return typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : '';
}
