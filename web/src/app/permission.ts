import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { AccessVerb } from '../graph/generated/graphql';
import { PermissionDocument } from '../graph/generated/graphql';
import { useFleet } from './fleet';
import type { Viewer } from './viewer';
import { useViewer } from './viewer';

/** What may be done to the objects of an instance, as Kubernetes calls it. */
export interface ObjectPermission {
  instance: string;
  verb: AccessVerb;
  /** Empty for the core group. */
  group: string;
  /** As a URL has it: `deployments`. */
  resource: string;
  /** Left out for what is in none. */
  namespace?: string;
}

/** What only who may do everything on the whole of an instance may do: its members, its settings, its end. */
export interface AdminPermission {
  adminOf: string;
}

/** What a viewer may do or not. */
export type Permission = 'readAudit' | 'readSchema' | 'own' | AdminPermission | ObjectPermission;

export interface Permit {
  /** Null until it is known. */
  allowed: boolean | null;
  /** What is missing, for people; empty unless it is not allowed. */
  reason: string;
}

/** Whether the viewer may do something, and why not. Nothing asked for is allowed. */
export function usePermission(permission: Permission | undefined): Permit {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { instances } = useFleet();
  const object = typeof permission === 'object' && 'verb' in permission ? permission : undefined;
  const may = useMay(object);
  if (permission === undefined) return permit(true, '');
  if (permission === 'readSchema') return permit(viewer?.introspection, t('permission.readSchema'));
  if (permission === 'readAudit') {
    const audited = instances?.some(({ access }) => access.auditedNamespaces?.length !== 0);
    return permit(viewer?.owner || audited, t('permission.readAudit'));
  }
  if (permission === 'own') return permit(viewer?.owner, t('permission.own'));
  if ('adminOf' in permission) {
    const instance = permission.adminOf;
    return permit(viewer && isAdminOf(viewer, instance), t('permission.adminOf', { instance }));
  }
  const { verb, resource, namespace } = permission;
  const words = { verb: t(`permission.verb.${verb}`), resource, namespace };
  return permit(may, t(namespace ? 'permission.inNamespace' : 'permission.inInstance', words));
}

/** Whether somebody is Admin of all of an instance, as its owners are. */
export function isAdminOf({ owner, roles }: Pick<Viewer, 'owner' | 'roles'>, instance: string): boolean {
  return (
    owner ||
    roles.some(
      (role) =>
        role.name === 'Admin' &&
        (role.instance == null || role.instance === instance) &&
        role.namespaces.length === 0,
    )
  );
}

const NOTHING: ObjectPermission = { instance: '', verb: 'GET', group: '', resource: '' };

/** What the server says beforehand. The page's own query has mostly asked for it already. */
function useMay(object: ObjectPermission | undefined): boolean | undefined {
  const [{ data }] = useQuery({
    query: PermissionDocument,
    variables: object ?? NOTHING,
    requestPolicy: 'cache-first',
    pause: !object,
  });
  return object ? data?.instance?.access.may : undefined;
}

function permit(allowed: boolean | null | undefined, reason: string): Permit {
  return { allowed: allowed ?? null, reason: allowed === false ? reason : '' };
}
