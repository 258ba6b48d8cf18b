import type { CombinedError } from '@urql/core';
import type { TFunction } from 'i18next';
import { problemsOf } from '../../graph/problems';

/** Why a mutation did nothing, or a part of why. */
export interface Refusal {
  message: string;
  /** Path of the input field that is to blame, outermost first. */
  field?: readonly string[] | null;
}

/** What the answer of a mutation says against it: its own errors, then those of the request. */
export function refusalsOf(
  userErrors: readonly Refusal[] | undefined,
  error: CombinedError | undefined,
  t: TFunction,
): Refusal[] {
  return [
    ...(userErrors ?? []),
    ...problemsOf(error).map(({ code, message }) => ({ message: message || t(`problem.${code}`) })),
  ];
}

/** The path of a refusal within the mutation's input, as a form names its fields. */
export function pathOf({ field }: Refusal): string {
  const path = field ?? [];
  return (path[0] === 'input' ? path.slice(1) : path).join('.');
}

/** Where nothing shows which field is meant, the words do. */
export function refusalText(refusal: Refusal): string {
  const path = pathOf(refusal);
  return path ? `${path}: ${refusal.message}` : refusal.message;
}
