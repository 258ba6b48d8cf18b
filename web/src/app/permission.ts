import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { AccessVerb } from '../graph/generated/graphql';
import { PermissionDocument } from '../graph/generated/graphql';
import { useFleet } from './fleet';
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

/** What a viewer may do or not. */
export type Permission = 'readAudit' | 'readSchema' | ObjectPermission;

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
  const object = typeof permission === 'object' ? permission : undefined;
  const may = useMay(object);
  if (permission === undefined) return permit(true, '');
  if (permission === 'readSchema') return permit(viewer?.introspection, t('permission.readSchema'));
  if (permission === 'readAudit') {
    const audited = instances?.some(({ access }) => access.auditedNamespaces?.length !== 0);
    return permit(viewer?.owner || audited, t('permission.readAudit'));
  }
  const { verb, resource, namespace } = permission;
  const words = { verb: t(`permission.verb.${verb}`), resource, namespace };
  return permit(may, t(namespace ? 'permission.inNamespace' : 'permission.inInstance', words));
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
