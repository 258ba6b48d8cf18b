import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ClustersIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateClustersSearch } from './search';

export const clustersPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters',
  validateSearch: validateClustersSearch,
  component: lazyRouteComponent(() => import('./ClustersPage'), 'ClustersPage'),
  staticData: {
    page: {
      title: 'clusters.title',
      navigation: { label: 'app.clusters', Icon: ClustersIcon },
      byInstance: true,
    },
  },
});
