import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AccessIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateAccessSearch } from './search';

export const accessPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/access',
  validateSearch: validateAccessSearch,
  component: lazyRouteComponent(() => import('./AccessPage'), 'AccessPage'),
  staticData: {
    page: {
      title: 'access.title',
      navigation: { label: 'app.access', Icon: AccessIcon, key: 'u' },
      byInstance: true,
    },
  },
});
