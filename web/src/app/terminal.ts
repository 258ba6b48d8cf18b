import { useTranslation } from 'react-i18next';
import { currentToken } from '../features/session/session';
import type { Permit } from './permission';

/** Whether this tab can open terminals: a browser sends a session's cookie with a socket, and cannot send a token. */
export function useTerminalSession(): Permit {
  const { t } = useTranslation();
  const allowed = currentToken() === null;
  return { allowed, reason: allowed ? '' : t('permission.needsSession') };
}
