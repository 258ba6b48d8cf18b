import type { TFunction } from 'i18next';
import { useQuery } from 'urql';
import type { ViewerQuery } from '../graph/generated/graphql';
import { ViewerDocument } from '../graph/generated/graphql';
import { isRefusal, problemsOf } from '../graph/problems';

export type Viewer = ViewerQuery['viewer'];

/** Who is signed in; null until it is known. */
export function useViewer(): Viewer | null {
  const [{ data }] = useQuery({ query: ViewerDocument, requestPolicy: 'cache-first' });
  return data?.viewer ?? null;
}

/** Whether nothing is the viewer's to see: the server refuses everything to who has no role. */
export function useHasNoRole(): boolean {
  const [{ data, error }] = useQuery({ query: ViewerDocument, requestPolicy: 'cache-first' });
  return data ? data.viewer.roles.length === 0 : isRefusal(problemsOf(error), 'FORBIDDEN');
}

/** Where a role holds: `asia: shop, payments`, `asia`, or everywhere. */
export function whereText(role: Viewer['roles'][number], t: TFunction): string {
  const where = role.instance ?? t('app.everywhere');
  return role.namespaces.length > 0 ? `${where}: ${role.namespaces.join(', ')}` : where;
}

/** `kairship:host:system:serviceaccount:kairship-admins:admin` → `admin`. */
export function shortName(name: string): string {
  return name.split(':').at(-1) ?? name;
}
