import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AuditIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateAuditSearch } from './search';

export const auditPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: validateAuditSearch,
  component: lazyRouteComponent(() => import('./AuditPage'), 'AuditPage'),
  staticData: {
    page: {
      title: 'audit.title',
      navigation: { label: 'app.audit', Icon: AuditIcon, key: 'a' },
      permission: 'readAudit',
      byInstance: true,
    },
  },
});
