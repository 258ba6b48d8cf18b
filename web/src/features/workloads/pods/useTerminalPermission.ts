import type { Permit } from '../../../app/permission';
import { usePermission } from '../../../app/permission';
import { useTerminalSession } from '../../../app/terminal';

/** Whether the viewer may run commands in the pods of a namespace, by this page. */
export function useTerminalPermission(instance: string, namespace: string): Permit {
  const session = useTerminalSession();
  const may = usePermission({ instance, verb: 'CREATE', group: '', resource: 'pods/exec', namespace });
  return may.allowed ? session : may;
}
