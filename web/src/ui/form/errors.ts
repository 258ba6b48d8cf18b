import type { FormInstance } from 'antd';
import type { Refusal } from '../action/refusals';
import { pathOf } from '../action/refusals';

/** Names of form fields by the paths that the server may blame, where the two differ. */
export type FieldPaths = Readonly<Record<string, string>>;

/** Shows each refusal at the field that is to blame. Those that no field shows are given back. */
export function showRefusals(
  form: FormInstance,
  refusals: readonly Refusal[],
  paths: FieldPaths = {},
): Refusal[] {
  const fields = new Set(form.getFieldsError().map(({ name }) => name.join('.')));
  const shown = new Map<string, string[]>();
  const left: Refusal[] = [];
  for (const refusal of refusals) {
    const path = pathOf(refusal);
    const name = paths[path] ?? path;
    if (fields.has(name)) shown.set(name, [...(shown.get(name) ?? []), refusal.message]);
    else left.push(refusal);
  }
  form.setFields([...shown].map(([name, errors]) => ({ name: name.split('.'), errors })));
  return left;
}

/** Takes back what was said against fields: it was of what stood there before. All fields when none are named. */
export function clearErrors(form: FormInstance, names?: readonly string[]): void {
  const fields = names ? names.map((name) => [name]) : form.getFieldsError().map(({ name }) => name);
  form.setFields(fields.map((name) => ({ name, errors: [] })));
}
