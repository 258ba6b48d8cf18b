import { createContext, useContext } from 'react';
import type { KindFieldsFragment } from '../../../graph/generated/graphql';
import type { Path } from './document';
import { pathText, valueAt } from './document';
import type { PolicyText } from './usePolicyText';

/** What the fields of one form share. */
export interface FormView {
  policy: PolicyText;
  /** The object as the text says it. */
  value: unknown;
  /** What the server says against fields, by their paths. */
  said: ReadonlyMap<string, readonly string[]>;
  /** Names of the members of the instance. */
  clusters: readonly string[];
  /** Null where they could not be read. */
  kinds: readonly KindFieldsFragment[] | null;
  /** Whether the name is that of an object that is there. */
  named: boolean;
}

export const FormContext = createContext<FormView | null>(null);

export function useFormView(): FormView {
  const view = useContext(FormContext);
  if (!view) throw new Error('a field outside of a form');
  return view;
}

/** One field: what stands there, what was typed there, and what is said against it. */
export function useField(path: Path) {
  const { policy, value, said } = useFormView();
  const key = pathText(path);
  return {
    value: valueAt(value, path),
    said: said.get(key) ?? NOTHING,
    drafted: policy.drafts.get(key),
    policy,
  };
}

const NOTHING: readonly string[] = [];
