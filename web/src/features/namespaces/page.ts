import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { NamespacesIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateNamespacesSearch } from './search';

export const namespacesPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/namespaces',
  validateSearch: validateNamespacesSearch,
  component: lazyRouteComponent(() => import('./NamespacesPage'), 'NamespacesPage'),
  staticData: {
    page: {
      title: 'app.namespaces',
      navigation: { label: 'app.namespaces', Icon: NamespacesIcon, key: 'n' },
      byInstance: true,
    },
  },
});
