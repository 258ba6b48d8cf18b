import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ClustersIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateInstanceSearch } from './control/search';
import { validateClusterSearch } from './member/search';
import { validateClustersSearch } from './search';

export const clustersPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters',
  validateSearch: validateClustersSearch,
  component: lazyRouteComponent(() => import('./ClustersPage'), 'ClustersPage'),
  staticData: {
    page: {
      title: 'clusters.title',
      navigation: { label: 'app.clusters', Icon: ClustersIcon, key: 'c' },
      byInstance: true,
    },
  },
});

export const instancePage = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters/$instance',
  validateSearch: validateInstanceSearch,
  component: lazyRouteComponent(() => import('./control/InstancePage'), 'InstancePage'),
  staticData: { page: { title: ({ instance }) => instance ?? '' } },
});

export const clusterPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters/$instance/$cluster',
  validateSearch: validateClusterSearch,
  component: lazyRouteComponent(() => import('./member/ClusterPage'), 'ClusterPage'),
  staticData: { page: { title: ({ instance, cluster }) => [cluster, instance].join(' · ') } },
});
