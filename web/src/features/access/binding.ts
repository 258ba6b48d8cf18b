import type { TFunction } from 'i18next';
import type { AccessRowFragment, ViewerQuery } from '../../graph/generated/graphql';
import type { Tone } from '../../ui/tones';

export type Binding = AccessRowFragment;

/** What a name begins with: who vouches for it. */
export const ORIGINS = ['kairship:oidc:', 'kairship:host:'] as const;

/** As long as a name may be, in bytes. */
export const LONGEST_SUBJECT = 253;

export const BUILT_IN_ROLES = ['Admin', 'Editor', 'Viewer'] as const;

/** A name without its origin, and the origin: `editor`, `oidc`. */
export function subjectParts(name: string): { short: string; origin: string } {
  const origin = ORIGINS.find((known) => name.startsWith(known));
  return origin
    ? { short: name.slice(origin.length), origin: origin.split(':')[1] ?? '' }
    : { short: name, origin: '' };
}

/** Whether a text names a subject: its origin, and something after it. */
export function isSubject(typed: string): boolean {
  const bytes = new TextEncoder().encode(typed).length;
  return (
    bytes <= LONGEST_SUBJECT &&
    !/\s/.test(typed) &&
    ORIGINS.some((origin) => typed.startsWith(origin) && typed.length > origin.length)
  );
}

/** Where a role holds: `asia: shop, payments`, `asia`, or everywhere. */
export function whereOf(
  { instance, namespaces }: Pick<Binding, 'instance' | 'namespaces'>,
  t: TFunction,
): string {
  const where = instance ?? t('app.everywhere');
  return namespaces.length > 0 ? `${where}: ${namespaces.join(', ')}` : where;
}

/** Whether a binding is in force, as its condition says it. */
export function forceOf({ conditions, roleKind }: Binding): {
  tone: Tone;
  word: 'yes' | 'no' | 'unknown';
  why: string;
} {
  const applied = conditions.find(({ type }) => type === 'Applied');
  const why = [applied?.reason, applied?.message].filter(Boolean).join(': ');
  if (roleKind === 'UNKNOWN' || applied?.status === 'FALSE') return { tone: 'bad', word: 'no', why };
  if (applied?.status === 'TRUE') return { tone: 'ok', word: 'yes', why };
  return { tone: 'unknown', word: 'unknown', why };
}

type Viewer = ViewerQuery['viewer'];

/** The instances on which the viewer may give roles, or all of them. */
export function grantableIn(
  viewer: Viewer | null,
  instances: readonly string[],
): { all: boolean; instances: string[] } {
  if (!viewer) return { all: false, instances: [] };
  if (viewer.owner) return { all: true, instances: [...instances] };
  const admin = viewer.roles.filter(({ name }) => name === 'Admin');
  return {
    all: false,
    instances: instances.filter((name) =>
      admin.some(({ instance }) => instance === null || instance === name),
    ),
  };
}

/** Why the viewer may not revoke a binding; null where they may. */
export function lockedBy(binding: Binding, viewer: Viewer | null): 'source' | 'role' | null {
  if (binding.source !== 'KAIRSHIP') return 'source';
  if (!viewer) return 'role';
  const { instance } = binding;
  if (viewer.owner || (instance !== null && grantableIn(viewer, [instance]).instances.length > 0))
    return null;
  return 'role';
}
