import type { AuditRowFragment } from '../../graph/generated/graphql';

export type Change = AuditRowFragment;

const MOST_SHOWN = 8;

/** What changed something, or was meant to: not who came and went, nor what was only tried. */
export function changesOf(rows: readonly Change[]): Change[] {
  return rows.filter(({ via, dryRun }) => via !== 'SIGN_IN' && !dryRun).slice(0, MOST_SHOWN);
}

/** `Deployment shop/cart`, `pods/exec shop/cart-1`; empty where it was done to nothing in particular. */
export function subjectOf({ kind, resource, subresource, namespace, name }: Change): string {
  const what = [kind ?? resource, subresource].filter(Boolean).join('/');
  const which = [namespace, name].filter(Boolean).join('/');
  return [what, which].filter(Boolean).join(' ');
}
