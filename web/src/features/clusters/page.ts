import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ClustersIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateInstanceSearch } from './control/search';
import { validateCreateSearch } from './create/search';
import { validateJoinSearch } from './join/search';
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

export const joinPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/join-cluster',
  validateSearch: validateJoinSearch,
  component: lazyRouteComponent(() => import('./join/JoinPage'), 'JoinPage'),
  staticData: { page: { title: 'clusters.join' } },
});

export const createPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-instance',
  validateSearch: validateCreateSearch,
  component: lazyRouteComponent(() => import('./create/CreatePage'), 'CreatePage'),
  staticData: { page: { title: 'clusters.newInstance' } },
});
