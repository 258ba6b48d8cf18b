import type { WorkloadKind } from '../../../graph/generated/graphql';
import { draftsOf } from '../../session/drafts';
import { skeletonOf, textOf } from './manifest';
import { NO_PLACEMENT } from './placement';
import type { Draft } from './useManifestForm';

/** What was entered for each instance and not created: going to another page loses none of it. */
export const drafts = draftsOf<Draft>();

export function freshDraft(kind: WorkloadKind, namespace: string): Draft {
  return {
    text: textOf(skeletonOf(kind, { name: '', namespace })),
    placement: NO_PLACEMENT,
    overrides: [],
  };
}
