import { useTranslation } from 'react-i18next';
import { useFleet } from './fleet';
import { useViewer } from './viewer';

/** What a viewer may do or not. */
export type Permission = 'readAudit' | 'readSchema';

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
  switch (permission) {
    case undefined:
      return { allowed: true, reason: '' };
    case 'readAudit':
      return permit(
        viewer?.owner || instances?.some(({ access }) => access.auditedNamespaces?.length !== 0),
        t('permission.readAudit'),
      );
    case 'readSchema':
      return permit(viewer?.introspection, t('permission.readSchema'));
  }
}

function permit(allowed: boolean | null | undefined, reason: string): Permit {
  return { allowed: allowed ?? null, reason: allowed === false ? reason : '' };
}
