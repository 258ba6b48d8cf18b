// What a promotion comes to, as its dry run says it.

import type { PromoteResourceInput, PromoteResourceMutation } from '../../../graph/generated/graphql';

export type Plan = NonNullable<PromoteResourceMutation['promoteResource']>;
export type Promoted = Plan['promoted'][number];
export type Left = Plan['left'][number];

/** A workload of a member that Karmada did not put there. */
export interface Candidate {
  uid: string;
  apiVersion: string;
  kind: string;
  namespace: string;
  name: string;
}

export interface Choices {
  dependencies: boolean;
  preserve: boolean;
}

/** What is sent: the object as it was read, so that a namesake made since is refused. */
export function inputOf(
  instance: string,
  cluster: string,
  { uid, apiVersion, kind, namespace, name }: Candidate,
  { dependencies, preserve }: Choices,
): PromoteResourceInput {
  return { instance, cluster, uid, apiVersion, kind, namespace, name, dependencies, preserve };
}

/** `shop/cart`, or the kind alone where it is meant as a whole. */
export function nameOf({ kind, namespace, name }: Pick<Left, 'kind' | 'namespace' | 'name'>): string {
  if (!name) return kind;
  return namespace ? `${namespace}/${name}` : name;
}

/** The object itself comes last in the plan: it is what people look for first. */
export function objectFirst(promoted: readonly Promoted[]): Promoted[] {
  return [...promoted].reverse();
}
