import type { FormInstance } from 'antd';
import type { Refusal } from '../action/refusals';
import { pathOf } from '../action/refusals';

/** Names of form fields by the paths that the server may blame, where the two differ. */
export type FieldPaths = Readonly<Record<string, string>>;

/**
 * Shows each refusal at the field that is to blame, or, where a field holds several (`wide`), at the one that holds it.
 * Those that no field shows are given back.
 */
export function showRefusals(
  form: FormInstance,
  refusals: readonly Refusal[],
  paths: FieldPaths = {},
  wide: 'wide' | 'exact' = 'exact',
): Refusal[] {
  const fields = new Map(form.getFieldsError().map(({ name }) => [name.join('.'), name]));
  const shown = new Map<string, string[]>();
  const left: Refusal[] = [];
  for (const refusal of refusals) {
    const path = pathOf(refusal);
    const { field, rest } = holderOf(paths[path] ?? path, fields, wide);
    if (field === null) left.push(refusal);
    else {
      const text = rest ? `${rest}: ${refusal.message}` : refusal.message;
      shown.set(field, [...(shown.get(field) ?? []), text]);
    }
  }
  form.setFields([...shown].map(([field, errors]) => ({ name: fields.get(field) ?? field, errors })));
  return left;
}

/** The field that shows a path, and what of the path it does not say itself. */
export function holderOf(path: string, fields: ReadonlyMap<string, unknown>, wide: 'wide' | 'exact') {
  const steps = path.split('.');
  const least = wide === 'wide' ? 1 : steps.length;
  for (let length = steps.length; length >= least; length--) {
    const field = steps.slice(0, length).join('.');
    if (fields.has(field)) return { field, rest: steps.slice(length).join('.') };
  }
  return { field: null, rest: '' };
}

/** Takes back what was said against fields: it was of what stood there before. All fields when none are named. */
export function clearErrors(form: FormInstance, names?: readonly string[]): void {
  const fields = names ? names.map((name) => [name]) : form.getFieldsError().map(({ name }) => name);
  form.setFields(fields.map((name) => ({ name, errors: [] })));
}
