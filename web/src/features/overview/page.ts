import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { OverviewIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateOverviewSearch } from './search';

export const overviewPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: validateOverviewSearch,
  component: lazyRouteComponent(() => import('./OverviewPage'), 'OverviewPage'),
  staticData: {
    page: {
      title: 'overview.title',
      navigation: { label: 'app.overview', Icon: OverviewIcon, key: 'o' },
      byInstance: true,
    },
  },
});
