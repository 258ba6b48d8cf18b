// What an edit of a workload changes, and by which mutation it can be said.

import type { UpdateWorkloadInput, WorkloadKind } from '../../../graph/generated/graphql';
import type { Edited } from '../detail/yaml/manifest';
import { editedOf } from '../detail/yaml/manifest';
import { patchOf, serversOwn } from '../detail/yaml/patch';
import { changeOf, inputOf } from './codec';
import { fieldsOf } from './fields';
import { laid, namedIn, parse, valuesOf } from './manifest';

export type Change =
  | (Extract<Edited, { ok: true }> & {
      /** The form as `updateWorkload` takes it; null where the edit goes beyond it. */
      form: UpdateWorkloadInput['form'] | null;
      /** Paths of the input that cannot be sent as they were typed. */
      wrong: string[][];
    })
  | Extract<Edited, { ok: false }>;

/** What differs between the manifest that was read and what stands in the editor. */
export function changedFrom(base: string, text: string, kind: WorkloadKind): Change {
  const edited = editedOf(base, text);
  if (!edited.ok) return edited;
  const before = parse(base);
  const after = parse(text);
  if (!before.ok || !after.ok) return { ...edited, form: null, wrong: [] };
  const fields = fieldsOf(kind);
  const values = valuesOf(kind, after.object);
  const covered = laid(kind, before.object, values, namedIn(before.object));
  const { input, wrong } = inputOf(fields, values);
  const isCovered = patchOf(covered, after.object).length === 0;
  const form = isCovered
    ? (changeOf(
        fields,
        inputOf(fields, valuesOf(kind, before.object)).input,
        input,
      ) as UpdateWorkloadInput['form'])
    : null;
  return { ...edited, form, wrong: wrong.map((path) => ['form', ...path]) };
}

/**
 * The version that an edit of one manifest is sent for, now that the workload is as another says: its own, as long as
 * only the API server changed something since, such as the status. Null when somebody else changed it, or it is a
 * namesake that was made since.
 */
export function versionFor(base: string, now: string): string | null {
  const before = parse(base);
  const after = parse(now);
  if (!before.ok || !after.ok || uidOf(before.object) !== uidOf(after.object)) return null;
  const operations = patchOf(before.object, after.object);
  if (serversOwn(operations).length < operations.length) return null;
  const { metadata } = after.object as { metadata?: { resourceVersion?: unknown } };
  return typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : null;
}

function uidOf(object: unknown): unknown {
  return (object as { metadata?: { uid?: unknown } }).metadata?.uid;
}
